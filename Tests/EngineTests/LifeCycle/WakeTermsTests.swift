// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

@Suite("What may wake an app")
struct WakeTermsTests {
  /// `+` wakes or launches, else the reason why not.
  private func answer(
    _ reason: WakeReason, _ state: AppState, modes: BackgroundModes? = nil, in era: Era = .today,
    authorization: Authorization = .always, wasForceQuit: Bool = false,
    _ change: (inout DeviceConditions) -> Void = { _ in }
  ) -> String {
    var device = DeviceConditions()
    change(&device)
    let terms = WakeTerms(
      modes: modes ?? reason.mode ?? [], authorization: authorization, state: state,
      wasForceQuit: wasForceQuit)
    return terms.refusal(of: reason, in: era, on: device)?.rawValue ?? "+"
  }

  @Test(
    "A mode that is not declared has no effect",
    arguments: [
      WakeReason.fetch, .keepAlive, .socket, .push, .newsstand, .accessory, .bluetooth, .boot,
      .crash,
    ])
  func undeclared(reason: WakeReason) {
    #expect(answer(reason, .suspended, modes: .location, in: .ios7) == "not_declared")
    #expect(answer(reason, .suspended, in: .ios7) == "+")
  }

  @Test("Of several obstacles the one that lasts longest is named")
  func lasting() {
    let swiped = answer(.location, .notRunning, in: .ios7, wasForceQuit: true) {
      ($0.refreshIsOff, $0.isLocked) = (true, true)
    }
    #expect(swiped == "force_quit")
    let off = answer(.location, .notRunning, in: .ios7) {
      ($0.refreshIsOff, $0.isLocked) = (true, true)
    }
    #expect(off == "refresh_is_off")
  }

  @Test(
    "Locations, regions and visits wake and relaunch without a mode, but need *always* from iOS 8 on"
  )
  func places() {
    for reason in [WakeReason.location, .region, .visit] {
      for state in [AppState.suspended, .notRunning] {
        #expect(answer(reason, state) == "+")
        #expect(answer(reason, state, authorization: .whenInUse) == "unauthorized")
        guard reason != .visit else { continue }
        #expect(answer(reason, state, in: .ios4, authorization: .whenInUse) == "+")
      }
      #expect(answer(reason, .background, authorization: .whenInUse) == "+")
    }
  }

  @Test("Keep-alives, sockets, accessories and Bluetooth launch no app")
  func noLaunch() {
    for reason in [WakeReason.keepAlive, .socket, .accessory, .bluetooth] {
      #expect(answer(reason, .notRunning, in: .ios7) == "not_running")
    }
    for reason in [WakeReason.fetch, .push, .newsstand, .boot, .crash] {
      #expect(answer(reason, .notRunning, in: .ios7) == "+")
    }
  }

  @Test(
    "After a force quit iOS 7.0 relaunches nobody; later ones do for locations, and for nothing else"
  )
  func forceQuit() {
    #expect(answer(.location, .notRunning, in: .ios4, wasForceQuit: true) == "+")
    #expect(answer(.location, .notRunning, in: .ios7, wasForceQuit: true) == "force_quit")
    #expect(answer(.location, .notRunning, in: .today, wasForceQuit: true) == "+")
    #expect(answer(.fetch, .notRunning, wasForceQuit: true) == "force_quit")
    #expect(answer(.push, .notRunning, wasForceQuit: true) == "force_quit")
  }

  @Test("An app that opted out of multitasking is launched for nothing")
  func optedOut() {
    for reason in WakeReason.allCases where reason != .keepAlive && reason != .socket {
      let terms = WakeTerms(
        modes: reason.mode ?? [], authorization: .always, state: .notRunning, wasForceQuit: false,
        exitsOnSuspend: true)
      let era = reason == .boot || reason == .crash || reason.mode == .voip ? Era.ios7 : .today
      #expect(terms.refusal(of: reason, in: era, on: DeviceConditions()) == .optedOut, "\(reason)")
    }
  }

  @Test("A location push needs its mode, iOS 15 and *always*, also in front, and launches")
  func locationPush() {
    for state in [AppState.active, .background, .suspended, .notRunning] {
      #expect(answer(.locationPush, state) == "+")
      #expect(answer(.locationPush, state, modes: .remoteNotification) == "not_declared")
      #expect(answer(.locationPush, state, in: .ios13) == "not_in_era")
      #expect(answer(.locationPush, state, authorization: .whenInUse) == "unauthorized")
    }
    // Background refresh and Low Power Mode do not affect it; a device that was never unlocked does.
    #expect(answer(.locationPush, .suspended) { $0.refreshIsOff = true } == "+")
    #expect(answer(.locationPush, .suspended) { $0.isLowPower = true } == "+")
    #expect(answer(.locationPush, .notRunning) { $0.isLocked = true } == "locked")
    #expect(answer(.locationPush, .notRunning, wasForceQuit: true) == "+")
  }

  @Test("Newsstand, accessories and Bluetooth begin with iOS 5, visits with iOS 8")
  func laterReasons() {
    for reason in [WakeReason.newsstand, .accessory, .bluetooth] {
      #expect(answer(reason, .suspended, in: .ios4) == "not_in_era")
      for era in [Era.ios7, .ios13, .today] { #expect(answer(reason, .suspended, in: era) == "+") }
    }
    for era in [Era.ios4, .ios7] {
      #expect(answer(.visit, .active, in: era) == "not_in_era")
      #expect(answer(.region, .suspended, in: era) == "+")
    }
  }

  @Test("Fetch and push begin with iOS 7, and voip ends before iOS 13")
  func eras() {
    #expect(answer(.fetch, .suspended, in: .ios4) == "not_in_era")
    #expect(answer(.push, .suspended, in: .ios4) == "not_in_era")
    #expect(answer(.keepAlive, .suspended, in: .ios7) == "+")
    #expect(answer(.keepAlive, .suspended, in: .ios13) == "not_in_era")
  }

  @Test(
    "Background refresh that is switched off stops locations, fetches and pushes, where there is the switch"
  )
  func refresh() {
    for reason in [WakeReason.location, .region, .visit, .fetch, .push] {
      #expect(answer(reason, .suspended) { $0.refreshIsOff = true } == "refresh_is_off")
    }
    #expect(answer(.accessory, .suspended) { $0.refreshIsOff = true } == "+")
    #expect(answer(.location, .suspended, in: .ios4) { $0.refreshIsOff = true } == "+")
    #expect(answer(.location, .active) { $0.refreshIsOff = true } == "+")
  }

  @Test("Low Power Mode stops fetches, and not significant changes")
  func lowPower() {
    #expect(answer(.fetch, .suspended) { $0.isLowPower = true } == "low_power")
    #expect(answer(.fetch, .suspended, in: .ios7) { $0.isLowPower = true } == "+")
    #expect(answer(.location, .suspended) { $0.isLowPower = true } == "+")
  }

  @Test("Until the first unlock nothing is launched but for the boot itself")
  func locked() {
    #expect(answer(.location, .notRunning) { $0.isLocked = true } == "locked")
    #expect(answer(.location, .suspended) { $0.isLocked = true } == "+")
    #expect(answer(.boot, .notRunning, in: .ios7) { $0.isLocked = true } == "+")
  }
}
