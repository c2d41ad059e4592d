// SPDX-License-Identifier: Apache-2.0

/// What must hold of an app's life over a trace, or of its device.
package struct Expectation: Sendable, Equatable {
  package var claim: Claim
  /// As the file has it.
  package var sentence: String
  /// The app that it is about; `nil` for the device.
  package var app: String?

  package init(_ claim: Claim, _ sentence: String, of app: String?) {
    self.claim = claim
    self.sentence = sentence
    self.app = app
  }

  package enum Claim: Sendable, Equatable {
    /// After each leaving or reaching of the place the app runs within so many seconds.
    case woken(within: Double, of: Border)
    /// The app is told of each crossing of each region that it monitors within so many seconds.
    case told(within: Double)
    /// The system makes the app run at most so often.
    case wakes(atMost: Int)
    /// The system starts the app again after each reboot of the device.
    case relaunched
    /// The app gets no location while the user denies it.
    case neverWhileDenied
    /// A sink sends something at least so often, seconds.
    case silence(atMost: Double)
    /// Joules above the baseline, of the whole device.
    case energy(atMost: Double)
  }

  /// The border of a place, in one direction.
  package struct Border: Sendable, Equatable {
    package var place: Place
    package var isLeaving: Bool

    package init(_ place: Place, isLeaving: Bool) {
      self.place = place
      self.isLeaving = isLeaving
    }
  }
}

extension Expectation.Claim {
  /// What can be expected of an app.
  package static let ofApps: [Phrase<Expectation.Claim>] = [
    Phrase(
      "woken within <time> of leaving <place>",
      "each time that the device leaves the place, the app runs before so long is over"
    ) {
      .woken(
        within: $0.value("time"), of: .init($0.places["place"] ?? .nowhere, isLeaving: true))
    },
    Phrase("woken within <time> of reaching <place>", "the same when it comes there") {
      .woken(
        within: $0.value("time"), of: .init($0.places["place"] ?? .nowhere, isLeaving: false))
    },
    Phrase(
      "told of each fence within <time>",
      "each crossing of each region that it monitors is told before so long is over"
    ) { .told(within: $0.value("time")) },
    Phrase("at most <count> wakes", "the system makes it run at most so often") {
      .wakes(atMost: Int($0.value("count")))
    },
    Phrase("relaunched after the reboot", "the system starts it again after each reboot") { _ in
      .relaunched
    },
    Phrase("never while denied", "it gets no location and no event while its user denies it") { _ in
      .neverWhileDenied
    },
  ]

  /// What can be expected of a sink.
  package static let ofSinks: [Phrase<Expectation.Claim>] = [
    Phrase(
      "silent for at most <time>", "a sink sends something before so long is over, also at rest"
    ) { .silence(atMost: $0.value("time")) }
  ]

  /// What can be expected of the device.
  package static let ofDevices: [Phrase<Expectation.Claim>] = [
    Phrase("at most <energy>", "all of it takes at most so much above the baseline") {
      .energy(atMost: $0.value("energy"))
    }
  ]
}
