// SPDX-License-Identifier: Apache-2.0

package import JSONText

// `adb shell dumpsys batterystats` of Android 12 and newer (`BatteryUsageStats.dump` of AOSP):
//
//     Estimated battery capacity: 4173 mAh                         of the vendor's power profile
//     Last learned battery capacity: 4174 mAh                      learned by the fuel gauge
//     Time on battery screen off: 4d 3h 29m 58s 481ms (98.3%) realtime, 22h 5m 40s 952ms (21.8%) uptime
//     Screen off discharge: 131 mAh                                what the gauge counted
//     Estimated power use (mAh):
//       Capacity: 4174, Computed drain: 2671, actual drain: 2463-2671
//       Global
//         gnss: 21.3 apps: 21.3 duration: 1h 0m 0s 0ms
//         wakelock: 4.2 [energy consumption] apps: 4.2 duration: 1h 5m 0s 0ms
//
// Charge over duration is a current. `gnss` is the receiver; `wakelock` is the processor while held awake. Square
// brackets give the source of a charge, if other than the vendor's power profile: on phones with power monitors it is
// measured. `mobile_radio` and `wifi` mix sending, tails and scans, `cpu` states no time: none of them gives a single
// number of a profile, and none is taken.

/// The energy in an Android phone's battery statistics.
package struct BatteryStatsDump: Sendable, Equatable {
  /// Charge and time of one component.
  package struct Use: Sendable, Equatable {
    /// mAh.
    package let charge: Double
    /// Seconds; 0 if none are stated.
    package let seconds: Double
    /// The source of the charge, if other than the vendor's power profile.
    package let model: String?
  }

  /// The greatest size of a dump, bytes; long histories have some 10 MB.
  package static let sizeLimit = 64 << 20
  private static let heading = "Estimated power use (mAh):"

  /// mAh as learned by the fuel gauge; `nil` if not stated.
  package private(set) var learnedCapacity: Double?
  /// mAh and seconds on battery with the screen off, as counted by the fuel gauge.
  package private(set) var screenOff: Use?
  /// By the component's name.
  package private(set) var uses: [String: Use] = [:]

  /// Whether a text is such a dump, of either form.
  package static func recognises(_ text: String) -> Bool {
    text.contains(heading) || isCheckin(text)
  }

  private static func isCheckin(_ text: String) -> Bool {
    // 9,0,i,vers,… is the first line of --checkin.
    text.hasPrefix("9,") && text.contains(",i,vers,")
  }

  package init(_ text: String) throws(InputError) {
    if Self.isCheckin(text) {
      throw InputError(
        "this is the --checkin form, which states no energy of the receiver; save what "
          + "adb shell dumpsys batterystats prints without it")
    }
    var isInside = false
    // Those of single apps follow the phone's.
    var isGlobal = false
    var charge: Double?
    var seconds: Double?
    for line in text.split(whereSeparator: \.isNewline) {
      let words = Self.words(line)
      if line.contains(Self.heading) {
        (isInside, isGlobal) = (true, true)
      } else if words.first == "UID" {
        isGlobal = false
      } else if isGlobal {
        readUse(words, line)
      }
      if let value = Self.value(of: "Last learned battery capacity:", in: words) {
        learnedCapacity = Self.number(value[value.startIndex])
      } else if let value = Self.value(of: "Screen off discharge:", in: words) {
        charge = Self.number(value[value.startIndex])
      } else if let value = Self.value(of: "Time on battery screen off:", in: words) {
        seconds = Self.seconds(value)
      }
    }
    guard isInside else {
      throw InputError(
        "no \"\(Self.heading)\" in this dump; save what adb shell dumpsys batterystats prints")
    }
    if let charge, let seconds, seconds > 0 {
      screenOff = Use(charge: charge, seconds: seconds, model: nil)
    }
  }

  /// `gnss: 21.3 [energy consumption] apps: 21.3 duration: 1h 0m 0s 0ms`, the first of its name.
  private mutating func readUse(_ words: [Substring], _ line: Substring) {
    guard words.count >= 2, let name = words.first, name.hasSuffix(":"),
      let charge = Self.number(words[1])
    else { return }
    let key = String(name.dropLast())
    guard uses[key] == nil, key.allSatisfy({ $0.isLetter || $0 == "_" }) else { return }
    let model = line.firstIndex(of: "[").flatMap { open in
      line[open...].firstIndex(of: "]").map { String(line[line.index(after: open)..<$0]) }
    }
    let place = words.firstIndex(of: "duration:")
    uses[key] = Use(
      charge: charge, seconds: place.map { Self.seconds(words[($0 + 1)...]) } ?? 0,
      model: model)
  }

  /// The words behind a name, at least one; `nil` if the line has another name.
  private static func value(of name: String, in words: [Substring]) -> ArraySlice<Substring>? {
    let name = name.split(separator: " ")
    guard words.count > name.count, words.starts(with: name) else { return nil }
    return words[name.count...]
  }

  private static func words(_ line: Substring) -> [Substring] {
    line.split { $0 == " " || $0 == "\t" }
  }

  /// A charge of at most 100 Ah.
  private static func number(_ text: Substring) -> Double? {
    guard let value = Double(text), (0...100_000).contains(value) else { return nil }
    return value
  }

  /// `4d 3h 29m 58s 481ms`, up to the first word that is none of these.
  private static func seconds(_ words: ArraySlice<Substring>) -> Double {
    let units = [("ms", 1e-3), ("d", 86_400.0), ("h", 3_600), ("m", 60), ("s", 1)]
    var sum = 0.0
    for word in words {
      guard let (unit, scale) = units.first(where: { word.hasSuffix($0.0) }),
        let value = Double(word.dropLast(unit.count)), (0...1e9).contains(value)
      else { break }
      sum += value * scale
    }
    return sum
  }
}

extension BatteryStatsDump {
  /// The shortest informative use, seconds: a charge is printed to three figures.
  private static let shortestUse = 60.0

  /// The rows of a device profile that follow from it, at a battery voltage in volts.
  ///
  /// A charge that the phone computed from its vendor's power profile is as uncertain as that (×/÷ 1.6); one that a
  /// power monitor measured is taken to be right within 10 % [ours: the monitors of a rail do not see the losses before
  /// it].
  package func numbers(volts: Double) -> [ProfileNumber] {
    var numbers: [ProfileNumber] = []
    func words(_ value: Double) -> String { Decimal.text(value, decimals: 3, trimmed: true) }
    if let capacity = learnedCapacity, capacity > 0 {
      numbers.append(
        .battery(
          capacity * volts * 3.6, .measured,
          "batterystats: learned capacity \(words(capacity)) mAh x \(words(volts)) V"))
    }
    let rows = [
      ("gnss", "gnss", searches + ["track_good", "track_poor"]),
      ("wakelock", "soc", ["awake_idle"]),
    ]
    for (name, component, states) in rows {
      guard let use = uses[name], use.charge > 0, use.seconds >= Self.shortestUse else { continue }
      let how = use.model.map { "measured by the phone (\($0))" } ?? "by the vendor's power profile"
      for state in states {
        numbers.append(
          .power(
            component, state, use.charge * volts * 3_600 / use.seconds,
            spread: use.model == nil ? spread : 1.1, use.model == nil ? .read : .measured,
            "batterystats: \(name) \(words(use.charge)) mAh x \(words(volts)) V / "
              + "\(words(use.seconds)) s; \(how)"))
      }
    }
    return numbers
  }
}
