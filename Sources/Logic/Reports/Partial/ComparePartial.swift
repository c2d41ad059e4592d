// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel
import RadioPower
package import Replay

/// `milepost compare --partial`: the sums over one trace or many as one line, and the same line read again.
package struct ComparePartial: PartialLine {
  package static let title = "milepost.compare-partial/5"
  package static let command = "compare"
  package static let empty = Self()

  package private(set) var release = ""
  package private(set) var settings: [(name: String, value: String)] = []
  package private(set) var subjects = PartialSubjects()
  /// Identifier and name of the format, and `trace` or the name of the truth file; `nil` if they differ.
  private var format: String?
  private var formatName: String?
  private var truth: String?
  private var start: UTCInstant?
  private var end: UTCInstant?
  private var skipped: [String: Int] = [:]
  package var sums = ExactSums()

  private init() {}

  /// The sums of one trace.
  package init(
    _ trace: ComparedTrace, release: String = "",
    settings: [(name: String, value: String)] = []
  ) {
    self.release = release
    self.settings = settings
    subjects = PartialSubjects(name: trace.name)
    (format, formatName) = (trace.format?.identifier, trace.format?.name)
    (truth, start, end, skipped) = (trace.truth, trace.start, trace.end, trace.skipped)
    sums = Self.sums(of: trace)
  }

  package mutating func addHead(of other: Self) {
    subjects += other.subjects
    format = common(format, other.format)
    formatName = common(formatName, other.formatName)
    truth = common(truth, other.truth)
    start = earlier(start, other.start)
    end = later(end, other.end)
    skipped.merge(other.skipped) { $0 + $1 }
  }

  /// The sums of so many rows in so many worlds, all of them 0.
  package static func shape(rows: Int, worlds: Int) -> ExactSums {
    var trace = ComparedTrace()
    let run = RunSums().run(RunPlan(.standard, .pocket))
    trace.rows = (0..<rows).map { _ in ModeRow(Array(repeating: run, count: worlds)) }
    return sums(of: trace)
  }

  /// Of each row all of its worlds together, and then each one's energy.
  private static func sums(of trace: ComparedTrace) -> ExactSums {
    var trace = trace
    var walk = SumWalk()
    trace.walkSums(&walk)
    var sums = walk.sums
    for row in trace.rows {
      var worlds: ExactSums?
      for (place, run) in row.worlds.enumerated() {
        var joules = row.worlds.map { _ in 0.0 }
        joules[place] = run.energy.total.nominal
        var (world, run) = (SumWalk(), run.sums)
        run.walkSums(&world)
        world.energies(&joules)
        if worlds == nil { worlds = world.sums } else { worlds? += world.sums }
      }
      if let worlds { sums.appendRow(worlds) }
    }
    return sums
  }

  /// The total, with the rows of these plans.
  package func total(of plans: [RunPlan], worlds: Int) -> ComparedTrace {
    var walk = SumWalk(restoring: sums)
    var total = ComparedTrace()
    total.walkSums(&walk)
    total.rows = plans.map { ModeRow($0, worlds: worlds, restoredBy: &walk) }
    total.name = "total"
    total.format = format.flatMap { format in
      formatName.map { ComparedTrace.Format(identifier: format, name: $0) }
    }
    (total.truth, total.start, total.end, total.skipped) = (truth, start, end, skipped)
    total.totalOf = subjects
    return total
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

  package static let schema = schema(of: "one trace or many")

  package static let table = JSONTable<Self> { partial in
    partial.head(\.release, \.settings, \.subjects, of: "traces")
    partial.field("format", \.format, about: "Null if they differ.")
    partial.field("format_name", \.formatName)
    partial.field(
      "truth", \.truth, about: "trace, or the name of the truth file; null if they differ.")
    partial.field("start", \.start, about: "Of the earliest.")
    partial.field("end", \.end, about: "Of the latest.")
    partial.field("skipped", \.skipped, .counts(of: .summable), about: "By reason.")
    partial.sums()
  }
}
