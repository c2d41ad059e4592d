// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import JSONText
package import LocationEngine
package import LocationModel
import RadioPower
package import Replay
import ServiceContract

// Theory
// ======
//
// The most frequent question is why nothing arrived, and the most frequent answer is that the receiver
// was off. So an answer has three parts, for any instant: the app's state and since when; the receiver's
// plan and why, or the outcome of the latest fix; and the age and distance of the last delivery. The
// events up to that instant give the "since" and the "last"; the engine gives the why.

/// `milepost replay --why-at TIME`: the reason why an app heard nothing at an instant.
package struct WhyAnswer: Sendable {
  private let time: UTCInstant
  private let explanation: Explanation
  /// The instant on the engine's axis.
  private let at: EngineInstant
  private let isInGap: Bool
  private let place: Coordinate?
  private let history: History

  /// The relevant history of the events up to the instant.
  package struct History: Sendable {
    var delivery: (time: UTCInstant, delivery: Delivery)?
    var transition: (time: UTCInstant, transition: LifecycleTransition)?
    var verdict: (time: UTCInstant, service: Service, verdict: Verdict)?
    /// The latest verdict on each region.
    var borders: [String: Verdict] = [:]
    var receiver = Activity.GNSSState.off

    package init() {}

    /// Takes the next events.
    package mutating func include(events: [ReplayEvent]) {
      for event in events {
        switch event.kind {
        case .decided(.deliver(_, let delivered)): delivery = (event.time, delivered)
        case .decided(.transition(_, let changed)): transition = (event.time, changed)
        case .decided(.verdict(_, let service, let judged, _)):
          verdict = (event.time, service, judged)
        case .decided(.place(_, .event(let delivered))): delivery = (event.time, delivered)
        case .decided(.place(_, .verdict(let region, let verdict, _))): borders[region] = verdict
        case .radio(.gnss(let state)): receiver = state
        case .decided, .radio, .callbacks, .gap, .user, .did, .sent, .refused, .notPlayed: break
        }
      }
    }
  }

  /// `place` is the true position, `nil` if unknown.
  package init(
    time: UTCInstant, at: EngineInstant, explanation: Explanation, history: History,
    place: Coordinate?, isInGap: Bool
  ) {
    self.time = time
    self.at = at
    self.explanation = explanation
    self.history = history
    self.place = place
    self.isInGap = isInGap
  }

  /// One sentence with a line feed.
  package var text: String { sentence + "\n" }

  package static let document = JSONDocument<WhyAnswer>(
    "milepost.why/1",
    "milepost replay --why-at --json: what kept an app from hearing anything at an instant."
  ) { why in
    why.value("time", \.time)
    why.value("app", .whole(in: 1...Int64(UInt32.max)), { $0.explanation.app.number })
    why.value("state", \.explanation.state)
    why.value("state_since", \.history.transition?.time)
    why.value(
      "mode",
      about: "Null where the app asks for nothing, or its process took the request with it.",
      \.explanation.service)
    why.value("verdict", about: "Null where the receiver is on and has no fix.", \.outcome)
    why.value(
      "not_woken", about: "Null where a location wakes the app, or it runs or monitors nothing.",
      \.explanation.obstacle)
    why.value("receiver", about: "off, or the receiver's state.") {
      $0.explanation.plan.isOn ? $0.history.receiver.rawValue : "off"
    }
    why.value(
      "receiver_off_until",
      about: "When the next scheduled session begins, or the next event may come.", \.nextSession)
    why.number(
      "rest_chance", decimals: 2,
      about: "Null where movement was likelier, or nobody had an opinion.",
      \.explanation.rest?.chance)
    why.value("rests_since", { why in why.explanation.rest.map { why.instant($0.since) } })
    why.number(
      "moving_chance", decimals: 2,
      about: "Null where a rest was likelier, or nobody had an opinion.",
      \.explanation.movement?.chance)
    why.value("rides", about: "Whether a ride was likelier than a walk.") {
      $0.explanation.movement?.isRide
    }
    why.number(
      "believed_pace_mps", decimals: 1, about: "The mean pace of the likelier one.",
      \.explanation.movement?.pace)
    why.value("last_delivery", \.history.delivery?.time)
    why.number("since_s", decimals: 3, \.since)
    why.number("since_required_s", decimals: 3, \.explanation.verdict?.sinceRequired)
    why.number(
      "moved_m", decimals: 1, about: "From the last delivered position to the true one.", \.moved)
    why.number("moved_required_m", decimals: 1, \.explanation.verdict?.movedRequired)
    why.value("in_gap", \.isInGap)
    why.value("text", about: "The answer as one sentence.", \.sentence)
  }

  private var outcome: Verdict.Outcome? {
    explanation.verdict?.outcome ?? latestVerdict?.outcome
  }

  /// The verdict of the latest fix, if that is of this second.
  private var latestVerdict: Verdict? {
    guard let latest = history.verdict, UTCInstant.seconds(from: latest.time, to: time) < 1.5 else {
      return nil
    }
    return latest.verdict
  }

  private var since: Double? {
    history.delivery.map { UTCInstant.seconds(from: $0.time, to: time) }
  }

  private var moved: Double? {
    guard let place, !isInGap, let delivered = history.delivery?.delivery.fix.coordinate else {
      return nil
    }
    return LocalFrame(origin: delivered).distance(to: place)
  }

  private var nextSession: UTCInstant? {
    explanation.plan.nextSession.map { instant($0) }
  }

  private var sentence: String {
    var parts = ["At \(time.rfc3339) the app was \(stateWords)\(stateSince)"]
    if let obstacle = explanation.obstacle {
      parts.append("no location would have woken it: \(obstacle.words)")
    }
    parts.append(receiverWords)
    parts += explanation.regions.map { $0.words(history.borders[$0.region.identifier]) }
    parts.append(deliveryWords)
    if isInGap { parts.append("the trace has a gap there, so nobody knows where the device was") }
    return parts.joined(separator: "; ") + "."
  }

  private var stateWords: String {
    explanation.state == .background ? "in the background" : explanation.state.words
  }

  private var stateSince: String {
    guard let change = history.transition else { return "" }
    return " (since \(change.time.rfc3339): \(change.transition.reason.text))"
  }

  private var receiverWords: String {
    switch explanation.plan {
    case .continuous, .session:
      if let verdict = latestVerdict {
        return "the receiver was on, and its latest fix was judged \(verdict.words())"
      }
      return history.receiver.isTracking
        ? "the receiver was on, but had no fix in this second"
        : "the receiver was on and searched for a fix (\(history.receiver.rawValue))"
    case .off(let reason):
      let next = nextSession.map { "at \($0.rfc3339)" }
      let worth = explanation.worth.map { "; " + $0.words(.past) } ?? ""
      let why = reason.words(next: next, .past)
      return "the receiver was off, because \(why)\(kept)\(belief)\(worth)"
    }
  }

  private var belief: String {
    let words =
      explanation.rest.map { $0.words(since: instant($0.since).rfc3339, .past) }
      ?? explanation.movement?.words(.past)
    return words.map { "; " + $0 } ?? ""
  }

  /// The time of an instant of the replay.
  private func instant(_ instant: EngineInstant) -> UTCInstant {
    time.advanced(bySeconds: EngineInstant.seconds(from: at, to: instant))
  }

  /// The positions kept for a suspended app: never any from a receiver that is on for it.
  private var kept: String {
    explanation.keepsWhatOthersBring
      ? "; of positions only what other apps' receivers bring would wait for it" : ""
  }

  private var deliveryWords: String {
    guard let since, let delivery = history.delivery else {
      return "nothing had been delivered yet"
    }
    let seconds = Decimal.text(since, decimals: 0)
    let metres = moved.map { Decimal.text($0, decimals: 0) }
    if let wait = explanation.verdict?.sinceRequired, let way = explanation.verdict?.movedRequired {
      let far = metres.map { "\($0) m of the \(Decimal.text(way, decimals: 0)) m and " } ?? ""
      return
        "since the last delivery at \(delivery.time.rfc3339) it had made \(far)\(seconds) s of "
        + "the \(Figures.plain(wait)) s that the next one needs"
    }
    let far = metres.map { ", \($0) m from where the device was" } ?? ""
    return "the last delivery was \(seconds) s before, at \(delivery.time.rfc3339)\(far)"
  }
}

extension Activity.GNSSState {
  fileprivate var isTracking: Bool {
    [.trackGood, .trackPoor, .trackStill, .powersave].contains(self)
  }
}
