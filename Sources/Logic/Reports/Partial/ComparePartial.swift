// SPDX-License-Identifier: Apache-2.0

package import JSONText
import RadioPower
package import Replay

/// `milepost compare --partial`: one trace as one line, and the same line read again.
package struct ComparePartial: PartialLine {
  package static let title = "milepost.compare-partial/2"
  package static let command = "compare"
  package static let empty = Self()

  package private(set) var release = ""
  package private(set) var settings: [(name: String, value: String)] = []
  /// Without rows until `complete`.
  package private(set) var trace = ComparedTrace()

  private init() {}

  package init(
    _ trace: ComparedTrace, release: String, settings: [(name: String, value: String)]
  ) {
    self.release = release
    self.settings = settings
    self.trace = trace
  }

  package var order: SummingOrder { trace.order }

  /// The content of the member `sums`.
  package var sums: ComparisonSums {
    ComparisonSums(
      rows: trace.rows.map { $0.worlds.map(\.sums) }, silence: trace.silence,
      unknowable: trace.unknowable)
  }

  /// Gives the trace its rows, those of `plans` in `worlds` worlds; `nil` if these sums cannot be theirs.
  package func complete(
    with sums: ComparisonSums, of plans: [RunPlan], worlds: Int, _ options: ReplayOptions
  ) -> ComparedTrace? {
    guard sums.rows.count == plans.count, sums.silence.isWhole,
      sums.rows.allSatisfy({ $0.count == worlds && $0.allSatisfy(\.isWhole) })
    else { return nil }
    var trace = trace
    trace.silence = sums.silence
    trace.unknowable = sums.unknowable
    trace.rows = zip(plans, sums.rows).map { plan, sums in
      ModeRow(sums.enumerated().map { $1.run(plan, in: options.world($0)) })
    }
    return trace
  }

  /// The options that decide the sums: those of the comparison, its rows and worlds, and the profiles' numbers.
  package static func settings(
    of plans: [RunPlan], worlds: Int, _ options: ReplayOptions
  ) -> [(name: String, value: String)] {
    let policies = plans.filter { $0.mode == .significant }.compactMap(\.policy?.label).joined(
      separator: ",")
    let scenarios = RunPlan.Scenario.allCases.filter { scenario in
      plans.contains { $0.scenario == scenario }
    }
    return [
      ("profile", options.device.name), ("profile-numbers", fingerprint(options)),
      ("worlds", String(worlds)),
      ("scenario", scenarios.map(\.rawValue).joined(separator: " and ")),
      ("policy", policies.isEmpty ? "none" : policies),
    ] + SavedSetting.texts(of: options)
  }

  /// Identifies the numbers of the device and of its network: 64 bits in hexadecimal (FNV-1a).
  private static func fingerprint(_ options: ReplayOptions) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for number in options.device.numbers + (options.network?.numbers ?? []) {
      let value = number.value
      let text = "\(number.key)=\(value.nominal),\(value.low),\(value.high);"
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(hash, radix: 16)
  }

  package static let schema = schema(of: "one trace", adding: "sums", sumsShape)

  private static let sumsShape = JSONShape.object([
    .init(
      name: "rows", shape: .array(.array(sumShape)), isRequired: true, about: "By row and world."),
    .init(
      name: "silence", shape: .anything, isRequired: true,
      about: "What an app knows of where it is that hears nothing."),
    .init(
      name: "unknowable", shape: .anything, isRequired: true,
      about: "Where nobody could know the place."),
  ])

  private static let sumShape = JSONShape.object(
    ["counters", "energy", "receiverOn", "score", "usage", "waste", "whereabouts"].map {
      .init(name: $0, shape: $0 == "receiverOn" ? .number(0...1e15) : .anything, isRequired: true)
    })

  package static let table = JSONTable<Self> { partial in
    partial.constant("schema", .string(title))
    partial.field("release", \.release)
    partial.field(
      "settings", \.settings, .texts, about: "Options by name; lines of others are not added up.")
    partial.field("name", \.trace.name)
    partial.field("format", \.trace.format, format.form(reading: .init(identifier: "", name: "")))
    partial.field("truth", \.trace.truth, about: "trace, or the name of the truth file.")
    partial.field("fixes", \.trace.fixes, .summable)
    partial.field("start", \.trace.start)
    partial.field("end", \.trace.end)
    partial.field("duration_s", \.trace.duration, .bitForBit)
    partial.field("judged_s", \.trace.judged, .bitForBit)
    partial.field("distance_m", \.trace.distance, .bitForBit)
    partial.field("gaps", \.trace.gaps, .summable)
    partial.field("gap_s", \.trace.gapSeconds, .bitForBit)
    partial.field("jumps_removed", \.trace.jumpsRemoved, .summable)
    partial.field("skipped", \.trace.skipped, .counts(of: .summable), about: "By reason.")
  }

  private static let format = JSONTable<ComparedTrace.Format> { format in
    format.field("identifier", \.identifier)
    format.field("name", \.name)
  }
}
