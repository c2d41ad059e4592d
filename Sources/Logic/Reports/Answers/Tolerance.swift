// SPDX-License-Identifier: Apache-2.0

package import JSONText
import ServiceContract

/// How far off, how late or how often wrong an app with a purpose may be.
package struct Tolerance: Sendable, Equatable {
  package let purpose: Purpose
  /// The greatest figure of the purpose that is within it: metres, seconds, or a share of the time.
  package let most: Double

  /// The default of a purpose [ours; fence: Apple's "Region Monitoring and iBeacon" has an app notified of a crossing
  /// within three to five minutes on average].
  package static func usual(_ purpose: Purpose) -> Tolerance {
    switch purpose {
    case .track: Tolerance(purpose: .track, most: 100)
    case .arrival: Tolerance(purpose: .arrival, most: 600)
    case .fence: Tolerance(purpose: .fence, most: 300)
    case .area: Tolerance(purpose: .area, most: 0.05)
    }
  }

  init(purpose: Purpose, most: Double) {
    self.purpose = purpose
    self.most = most
  }

  /// As people write it: `100m`, `10min`, `95%`.
  package init(_ text: String, for purpose: Purpose) throws(Complaint) {
    switch purpose {
    case .track: self.init(purpose: purpose, most: try Amount.distance(text))
    case .arrival, .fence: self.init(purpose: purpose, most: try Amount.delay(text))
    case .area: self.init(purpose: purpose, most: 1 - (try Amount.share(text)))
    }
  }

  /// Whether a figure is within it.
  func holds(_ figure: Double?) -> Bool { figure.map { $0 <= most } ?? false }

  /// `100 m`, `10 min`, `95 %`: a figure of the purpose in words.
  static func words(_ figure: Double, for purpose: Purpose) -> String {
    switch purpose {
    case .track: Figures.distance(figure)
    case .arrival, .fence: Figures.lateness(figure)
    case .area: Figures.percent(100 * (1 - figure))
    }
  }

  /// `within 100 m`, `within 10 min`, `for 95 % of the time`.
  var words: String { Self.within(most, for: purpose) }

  static func within(_ figure: Double, for purpose: Purpose) -> String {
    switch purpose {
    case .track, .arrival, .fence: "within \(words(figure, for: purpose))"
    case .area: "\(words(figure, for: purpose)) of the time"
    }
  }

  /// The name of its figure in documents: `within_m`, `within_s`, `within_share`.
  static func unit(of purpose: Purpose) -> String {
    switch purpose {
    case .track: "m"
    case .arrival, .fence: "s"
    case .area: "share"
    }
  }

  /// A figure as documents state it: the share of the time in which the area is right.
  static func stated(_ figure: Double, for purpose: Purpose) -> Double {
    switch purpose {
    case .track, .arrival, .fence: figure
    case .area: 1 - figure
    }
  }
}

/// What a mode may cost over a trace.
package struct Budget: Sendable, Equatable {
  package enum Unit: String, Sendable, CaseIterable {
    /// Of a full battery, over the trace.
    case percent = "%"
    case percentPerHour = "%/h"
    case percentPerDay = "%/day"
    case milliwattHours = "mWh"
    case milliwattHoursPerDay = "mWh/day"
    case milliwatts = "mW"

    /// Whether it is a share of a battery.
    package var needsBattery: Bool {
      switch self {
      case .percent, .percentPerHour, .percentPerDay: true
      case .milliwattHours, .milliwattHoursPerDay, .milliwatts: false
      }
    }
  }

  private let amount: Double
  package let unit: Unit

  /// As people write it: `1%`, `0.5%/h`, `20 mWh/day`, `5 mW`.
  package init(_ text: String) throws(Complaint) {
    let (amount, name) = try Amount.budget(text)
    self.amount = amount
    // One of the units that an amount may have.
    unit = Unit(rawValue: name) ?? .percent
  }

  /// Joules above the baseline over so many seconds; `battery` is the joules of a full one.
  func joules(over seconds: Double, battery: Double) -> Double {
    switch unit {
    case .percent: amount / 100 * battery
    case .percentPerHour: amount / 100 * battery * seconds / 3_600
    case .percentPerDay: amount / 100 * battery * seconds / 86_400
    case .milliwattHours: amount * 3.6
    case .milliwattHoursPerDay: amount * 3.6 * seconds / 86_400
    case .milliwatts: amount / 1_000 * seconds
    }
  }
}

/// The tolerance of each purpose, or the budget that takes its place.
package struct Tolerances: Sendable, Equatable {
  /// Those that are no defaults.
  private let own: [Tolerance]
  /// What a mode may cost; `nil` if the tolerances choose.
  package let budget: Budget?

  /// The defaults.
  package static let usual = Tolerances()

  /// The defaults, save for one.
  package init(_ own: Tolerance? = nil, budget: Budget? = nil) {
    self.own = own.map { [$0] } ?? []
    self.budget = budget
  }

  subscript(purpose: Purpose) -> Tolerance {
    own.first { $0.purpose == purpose } ?? .usual(purpose)
  }
}

extension Figures {
  /// Whether it is no more than the second that a receiver takes for a fix.
  static func isAtOnce(_ seconds: Double) -> Bool { seconds < 1.5 }

  /// Seconds until an event was known: `at once`, `40 s`, `9 min`.
  static func lateness(_ seconds: Double) -> String {
    isAtOnce(seconds) ? "at once" : span(seconds)
  }

  /// The same where nothing else says what it is: `at once`, `+40 s`, `+9 min`.
  static func late(_ seconds: Double) -> String {
    (isAtOnce(seconds) ? "" : "+") + lateness(seconds)
  }
}
