// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import RadioPower
import Reports
import ServiceContract
import TraceFiles

/// `milepost profiles calibrate power.csv activity.jsonl`
struct ProfilesCalibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Fit a profile's numbers to a measurement of one's own device.",
    usage: "milepost profiles calibrate [<options>] <measurement> [<activity>]",
    discussion: """
      The measurement is the CSV of a power analyser (Nordic PPK2, Monsoon, or any whose first line names \
      its units) together with a log of what the device did meanwhile (milepost meter --help shows its \
      lines), or what adb shell dumpsys batterystats \
      prints. It says which numbers could be fitted and how well, and which not and why.

        milepost profiles calibrate power.csv log.jsonl --voltage 3.7 --write mine.csv
        milepost profiles calibrate batterystats.txt --write my-phone.csv
      """)

  @Argument(file: "Power trace or battery statistics; - is standard input.", "measurement")
  var measurement: String

  @Argument(
    help: ArgumentHelp("Log of what the device did, for a power trace.", valueName: "activity"),
    completion: .file())
  var activity: String?

  @OptionGroup(title: "Profile options") var profiles: ProfileOptions

  @Option(
    help: ArgumentHelp(
      "Supply voltage of a trace that states currents only; battery voltage of statistics (3.85).",
      valueName: "V"))
  var voltage: Double?

  @Option(
    help: ArgumentHelp(
      "What to add to the trace's times to have the log's; auto looks for it.",
      valueName: "seconds|auto"))
  var offset = "0"

  @Option(
    help: ArgumentHelp(
      "One equation for at least so much time (10).", valueName: "seconds"),
    transform: { try Number.inside($0, 0.1...3_600) })
  var window = 10.0

  @Option(
    help: ArgumentHelp(
      "Write the device profile with the fitted numbers; its name is the file's.",
      valueName: "file"), completion: .file())
  var write: String?

  @Option(
    help: ArgumentHelp(
      "Write the network profile with the fitted numbers.", valueName: "file"),
    completion: .file())
  var writeNetwork: String?

  @Flag(help: "One JSON document (schema milepost.calibration/1).")
  var json = false

  func validate() throws {
    if let voltage, !(voltage > 0 && voltage < 100) {
      throw ValidationError("--voltage is \(voltage), expected volts above 0 and below 100")
    }
    _ = try statedOffset()
  }

  /// The stated offset, seconds; `nil` if it must be determined.
  private func statedOffset() throws -> Double? {
    if offset == "auto" { return nil }
    guard let seconds = Double(offset), (-1e9...1e9).contains(seconds) else {
      throw ValidationError(
        "--offset is '\(offset)', expected auto or seconds from -1000000000 to 1000000000")
    }
    return seconds
  }

  func run() throws {
    let inputs = [measurement, activity].compactMap { $0 } + profiles.files.compactMap { $0 }
    for output in [write, writeNetwork] { try OutputFile.refuse(output, amongInputs: inputs) }
    let device = try profiles.device()
    let network = try profiles.network(of: device)
    if writeNetwork != nil, network == nil {
      throw Complaint(
        "--write-network: \(device.name) is without a network here; name one with --network")
    }
    let report =
      switch try MeasurementFile(measurement, volts: voltage) {
      case .powerTrace(let trace): try fitted(trace, device, network)
      case .batteryStats(let dump): try stated(dump, device)
      }
    try Console.show(json ? CalibrationReport.document.line(report) : nil, report.report)
    guard report.saysAnything else { throw NegativeAnswer() }
    try save(report.rows(ofNetwork: false), of: profiles.profile, to: write)
    try save(
      report.rows(ofNetwork: true), of: profiles.network ?? device.network, to: writeNetwork)
    if writeNetwork == nil, !report.rows(ofNetwork: true).isEmpty, write != nil {
      Console.remark("the numbers of the network are in no file; --write-network saves them")
    }
  }

  private var name: String { InputName.short(measurement) }

  private func fitted(
    _ trace: PowerTrace, _ device: DeviceProfile, _ network: NetworkProfile?
  ) throws -> CalibrationReport {
    guard let activity else {
      throw Complaint(
        "\(name): a power trace says what was drawn, but not for what; give the activity log as well: "
          + "milepost profiles calibrate \(name) activity.jsonl")
    }
    var activities: [Activity] = []
    _ = try ActivityFile.readActivities(activity) { activities.append($0) }
    let found = ClockOffset(trace, activities, device: device, network: network)
    let stated = try statedOffset()
    guard let offset = stated ?? found?.seconds else {
      throw Complaint(
        "\(name): no offset within 10 min brings trace and log together; say with --offset how the "
          + "clocks differ")
    }
    if stated == nil {
      Console.remark("\(name): --offset \(Number.plain(offset)) fits best")
    } else if let found, found.isClearlyBetter(than: offset) {
      Console.remark("\(name): --offset \(Number.plain(found.seconds)) would fit better")
    }
    let equations = CalibrationEquations(
      trace, activities, device: device, network: network, offset: offset, length: window)
    do throws(InputError) {
      return CalibrationReport(
        try Calibration(equations), measurement: name, profile: device.name,
        network: network?.name)
    } catch {
      throw Complaint(error, in: name)
    }
  }

  private func stated(
    _ dump: BatteryStatsDump, _ device: DeviceProfile
  ) throws -> CalibrationReport {
    guard writeNetwork == nil else {
      throw Complaint(
        "\(name): battery statistics say nothing of a network's numbers; leave --write-network away"
      )
    }
    guard activity == nil else {
      throw Complaint(
        "\(name): battery statistics hold their own times; leave the activity log away")
    }
    let volts = voltage ?? 3.85
    let numbers = dump.numbers(volts: volts).compactMap { number in
      device.numbers.first { $0.key == number.key }
        .map { CalibrationReport.Number(number, base: $0.value) }
    }
    var remarks = [
      "What battery statistics cannot tell apart stays as the profile has it: searching and tracking "
        + "are one charge, so are sending and its tail, scans and data over Wi-Fi."
    ]
    if let off = dump.screenOff {
      let power = off.charge * volts * 3_600 / off.seconds
      remarks.append(
        "With the screen off the whole phone drew \(Figures.power(power)) on average over "
          + "\(Figures.span(off.seconds)): floor suspended power lies below that.")
    }
    return CalibrationReport(
      numbers, measurement: name, profile: device.name, remarks: remarks)
  }

  private func save(_ rows: [ProfileNumber], of base: String, to path: String?) throws {
    guard let path else { return }
    let name = ProfileSource.name(of: path)
    let made = ProfileRevision(
      rows, into: try ProfileSource.text(of: base), name: name,
      title: "\(name) (calibrated from \(ProfileSource.name(of: base)))",
      origin: [
        "Calibrated with milepost profiles calibrate; rows that it could not fit are those of",
        "\(ProfileSource.name(of: base)).",
      ])
    try OutputFile.writeWhole(Array(made.text.utf8), to: path)
    Console.remark(
      "\(path): \(Figures.count(made.replaced.count, "row", "rows")) from \(self.name), the others "
        + "from \(ProfileSource.name(of: base))")
  }
}
