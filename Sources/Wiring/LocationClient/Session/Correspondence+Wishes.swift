// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel

// Wishes of the consumers, and the requests that the daemon hears; the theory is above `Correspondence`.

extension Correspondence {
  /// The services that this process has requested of a daemon. A daemon that was restarted keeps them until they are
  /// stopped.
  struct Begun: Sendable, Equatable {
    var standard = false
    var heading = false
    var motion = false

    mutating func note(_ wishes: Wishes) {
      standard = standard || wishes.standard != nil || wishes.once
      heading = heading || wishes.heading != nil
      motion = motion || wishes.motion
    }
  }

  mutating func wants(
    _ id: Int, _ wishes: Wishes, restarts: Bool, into actions: inout [Action]
  ) {
    guard let index = consumers.firstIndex(where: { $0.id == id }) else { return }
    let before = consumers[index].wishes
    consumers[index].wishes = wishes
    if wishes.standard != nil { hasAskedStandard = true }
    if wishes.once { hasAskedOnce = true }
    if wishes.significant {
      hasAskedSignificant = true
      hasDecidedSignificant = true
      isOrphaned = false
    }
    let begins = wishes.standard != nil && before.standard == nil
    if begins { consumers[index].last = nil }
    if begins, said.standard != nil, let latest {
      // The daemon hands its last position only to the first consumer that asks.
      consumers[index].last = latest.fix
      actions.append(
        .hand(.location(latest.fix, received: latest.received, ticket: nil), to: id))
    }
    if wishes.heading != nil && before.heading == nil { beginHeadings(index, into: &actions) }
    let asksForMore = wishes.wantsLocation && (restarts || wishes != before)
    if asksForMore, authorization == .denied || authorization == .restricted {
      actions.append(.hand(.failure(.forbidden), to: id))
    }
    // The daemon pauses the updates of the whole app: a beginning ends the pause, although the merged wish is the same.
    let isPaused = consumers.contains { $0.isPaused && $0.wishes.standard != nil && $0.id != id }
    if restarts || begins && isPaused { said.standard = nil }
    if wishes.once && !before.once { said.once = false }
    if wishes.visits {
      hasDecidedVisits = true
      keepsVisits = false
    }
    sayWishes(into: &actions)
    releaseHeld(into: &actions)
  }

  /// Sends the differences between the wishes and the requests of this connection. `isAnew`: a welcome that is not the
  /// first, after which stops are sent too, since some may have been lost with the connection.
  mutating func sayWishes(isAnew: Bool = false, into actions: inout [Action]) {
    guard isGreeted else { return }
    var wanted = Wishes.merged(consumers.map(\.wishes))
    wanted.significant = wanted.significant || isOrphaned
    wanted.visits = wanted.visits || keepsVisits
    let mayResume = state != .background || wanted.standard?.allowsBackgroundUpdates == true
    wanted.motion = wanted.motion || mayResume && consumers.contains { $0.awaitsMotion }
    let endsOnce = said.once && !wanted.once
    let lost = isAnew ? begun : Begun()
    begun.note(wanted)
    if lost.standard || wanted.standard != said.standard || endsOnce && wanted.standard == nil {
      if let request = wanted.standard {
        actions.append(.send(.start(.init(.standard, request))))
      } else {
        actions.append(.send(.stop(.standard)))
        said.once = false
      }
    }
    if wanted.significant != said.significant {
      actions.append(
        .send(wanted.significant ? .start(.init(.significant)) : .stop(.significant)))
    }
    if wanted.once && !said.once {
      actions.append(.send(.requestLocation(accuracy: wanted.onceAccuracy)))
    }
    if lost.motion || owesMotionStop || wanted.motion != said.motion {
      owesMotionStop = false
      actions.append(.send(.monitorMotion(wanted.motion)))
    }
    if lost.heading || wanted.heading != said.heading {
      actions.append(.send(.heading(wanted.heading ?? HeadingRequest(isOn: false))))
    }
    if wanted.heading == nil { latestHeading = nil }
    if wanted.visits != said.visits { actions.append(.send(.monitorVisits(wanted.visits))) }
    said = wanted
  }
}
