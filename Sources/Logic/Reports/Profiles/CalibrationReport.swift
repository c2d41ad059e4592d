// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import RadioPower
import ServiceContract

/// `milepost profiles calibrate`: the result of a measurement for a profile, as text, JSON and rows of a file.
package struct CalibrationReport: Sendable {
  /// A number from the measurement.
  package struct Number: Sendable {
    package let number: ProfileNumber
    /// The base profile's value.
    package let base: Quantity
    /// In the unit; `nil` if it was stated, not fitted.
    package let standardError: Double?
    /// Share of the measured energy, 0 to 1; `nil` if it was stated, not fitted.
    package let share: Double?
    package let isOfNetwork: Bool

    /// A number that the measurement states itself, of the device.
    package init(_ number: ProfileNumber, base: Quantity) {
      self.number = number
      self.base = base
      (standardError, share, isOfNetwork) = (nil, nil, false)
    }

    fileprivate init(_ fitted: Calibration.Fitted, source: String) {
      number = ProfileNumber(
        fitted.key, fitted.value, unit: fitted.unit, confidence: .measured, source: source)
      base = fitted.base
      (standardError, share) = (fitted.standardError, fitted.share)
      isOfNetwork = fitted.isOfNetwork
    }
  }

  /// The file's name for people.
  let measurement: String
  let profile: String
  let network: String?
  let numbers: [Number]
  /// `nil` if nothing was fitted: the numbers are those that the measurement states.
  let fit: Calibration?
  /// Further remarks, in sentences.
  let remarks: [String]

  /// The report of a power trace.
  package init(
    _ fit: Calibration, measurement: String, profile: String, network: String?
  ) {
    self.measurement = measurement
    self.profile = profile
    self.network = network
    self.fit = fit
    remarks = []
    numbers = fit.fitted.map { fitted in
      let beside =
        fitted.includes.isEmpty
        ? "" : "; always together with " + fitted.includes.map(\.description).joined(separator: " ")
      return Number(
        fitted,
        source: "fitted to \(measurement): \(fit.windows) windows, standard error "
          + "\(Figures.significant(fitted.standardError)) \(fitted.unit), R2 "
          + "\(Figures.significant(max(0, fit.determination), 3))\(beside)")
    }
  }

  /// The report of numbers that a measurement states itself.
  package init(
    _ numbers: [Number], measurement: String, profile: String, remarks: [String]
  ) {
    self.measurement = measurement
    self.profile = profile
    self.numbers = numbers
    self.remarks = remarks
    (network, fit) = (nil, nil)
  }

  /// Whether the measurement gives any number.
  package var saysAnything: Bool { !numbers.isEmpty }

  /// Rows for the file of the device, and for that of the network.
  package func rows(ofNetwork: Bool) -> [ProfileNumber] {
    numbers.filter { $0.isOfNetwork == ofNetwork }.map(\.number)
  }

  // MARK: Text

  /// The least explained share of the variance without a remark [ours].
  private static let poor = 0.5

  package var report: Report {
    Report {
      subject
      Node.part {
        if numbers.isEmpty {
          Node.sentence("Nothing could be fitted.")
        } else {
          Node.table(table)
        }
      }
      if let fit {
        Node.part { Node.sentence(quality(fit)) }
        kept(fit)
      }
      for remark in remarks { Node.part { Node.sentence(remark) } }
    }
  }

  private var subject: Node {
    let power = fit.map { ": \(Figures.span($0.seconds)) at \(Figures.power($0.meanPower))" } ?? ""
    return .title(
      measurement, power + ", against \(profile)" + (network.map { ", network \($0)" } ?? ""))
  }

  private var table: Table {
    Table(
      head: ["number", "measured", "range", "profile", "its range", "share"],
      rows: numbers.map { row in
        let value = row.number.value
        return [
          row.number.name, "\(Figures.significant(value.nominal, 3)) \(row.number.unit)",
          Self.range(value), Figures.significant(row.base.nominal, 3),
          Self.range(row.base), row.share.map { Figures.percent($0 * 100) } ?? "",
        ]
      })
  }

  private static func range(_ quantity: Quantity) -> String {
    "\(Figures.significant(quantity.low, 3))–\(Figures.significant(quantity.high, 3))"
  }

  private func quality(_ fit: Calibration) -> String {
    let out =
      fit.leftOut == 0
      ? "" : " \(Figures.count(fit.leftOut, "window", "windows")) with unknown parts left out."
    // Below a millionth it is rounding, which differs from machine to machine.
    let left = fit.residual > 1e-6 * fit.meanPower ? Figures.power(fit.residual) : "nothing"
    let poor =
      fit.determination < Self.poor
      ? " So little explained means that log and trace do not belong together, that their clocks differ "
        + "(--offset), or that the device did what the log does not hold."
      : ""
    return
      "\(Figures.count(fit.windows)) windows; the fit explains "
      + "\(Figures.percent(max(0, fit.determination) * 100)) of how their power varies and leaves "
      + "\(left). Condition \(Figures.significant(fit.condition)) (beyond 30, "
      + "numbers trade with each other).\(out)\(poor)"
  }

  private func kept(_ fit: Calibration) -> [Node] {
    var never: [String] = []
    var others: [String] = []
    for kept in fit.kept {
      let name = kept.key.description.replacing(",", with: " ")
      switch kept.reason {
      case .neverActive: never.append(name)
      case .together(let keys):
        let with = Figures.list(keys.map { $0.description.replacing(",", with: " ") })
        others.append(
          "\(name): always together with \(with), which \(keys.count == 1 ? "has" : "have") all that goes beyond "
            + "\(Figures.significant(kept.base.nominal, 3)) \(kept.unit)")
      case .coarse(let low, let high):
        others.append(
          "\(name): the measurement only says \(Figures.significant(low, 2))–"
            + "\(Figures.significant(high, 2)) \(kept.unit)")
      }
    }
    if !never.isEmpty { others.append("never in use: " + never.joined(separator: ", ")) }
    guard !others.isEmpty else { return [] }
    return [
      .part {
        Node.sentence("Kept as the profile has them:")
        for line in others { Node.sentence(line, indent: 2, hanging: 4) }
      }
    ]
  }

  // MARK: JSON

  package static let document = JSONDocument<CalibrationReport>(
    "milepost.calibration/1",
    "milepost profiles calibrate --json: what a measurement says about a profile."
  ) { report in
    report.value("measurement", \.measurement)
    report.value("profile", \.profile)
    report.value("network", \.network)
    report.objects("fitted", \.numbers) { number in
      number.value("key", \.number.key.description)
      number.value("unit", \.number.unit)
      number.known("nominal", decimals: 9, \.number.value.nominal)
      number.known("low", decimals: 9, \.number.value.low)
      number.known("high", decimals: 9, \.number.value.high)
      number.number(
        "standard_error", decimals: 9, about: "Null where the measurement states the number.",
        \.standardError)
      number.known("base", decimals: 9, about: "What the profile has.", \.base.nominal)
      number.number("share", decimals: 4, about: "Of the measured energy, 0 to 1.", \.share)
      number.value("source", \.number.source)
    }
    report.objects("kept", { $0.fit?.kept ?? [] }) { kept in
      kept.value("key", { $0.key.description })
      kept.value("reason", .words(Calibration.Reason.words), { $0.reason.word })
      kept.value("with", .array(of: String.json), { $0.reason.partners })
    }
    report.optionalObject("fit", \.fit) { fit in
      fit.value("windows", .whole(), { Int64($0.windows) })
      fit.value("left_out", .whole(), { Int64($0.leftOut) })
      fit.known("seconds_s", decimals: 3, \.seconds)
      fit.known("mean_power_mw", decimals: 6, \.meanPower)
      fit.known("residual_mw", decimals: 6, \.residual)
      fit.known("r2", in: -1e9...1, decimals: 6, { max(-1e9, $0.determination) })
      fit.known("condition", decimals: 3, { min($0.condition, 1e9) })
    }
    report.value("remarks", .array(of: String.json), \.remarks)
  }
}

extension Calibration.Reason {
  fileprivate static let words = ["never_active", "together", "coarse"]

  fileprivate var word: String {
    switch self {
    case .neverActive: "never_active"
    case .together: "together"
    case .coarse: "coarse"
    }
  }

  fileprivate var partners: [String] {
    guard case .together(let keys) = self else { return [] }
    return keys.map(\.description)
  }
}
