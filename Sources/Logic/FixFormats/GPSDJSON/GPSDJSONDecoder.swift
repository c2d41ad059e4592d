// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

/// Decodes a log of gpsd's JSON, as `gpspipe -w` writes it, to trace events.
///
/// Theory. One epoch is open at a time. A TPV of the same device joins it when it states the same time,
/// or when the epoch has none yet; else the open epoch is closed, which makes one fix, or a "no fix"
/// epoch if its mode is 0 or 1 or it has no coordinate.
///
/// Accuracy: gpsd calls the certainty of `eph` unknown (gpsd_json(5)); a value derived from dilution is
/// meant for 95 %, one passed on from a receiver is often one sigma. It is taken as the 68 % radius
/// unchanged: at worst too careful, never too bold. Without it `epx` and `epy` together, then HDOP
/// times the range error, then unknown.
///
/// Devices: the first that has a position is the trace's. Another takes over only when it has been
/// silent for 30 s of the log's time; till then its reports are skipped as `another device`.
///
/// Lines that are not JSON (gpsd's regression logs mix in NMEA) are skipped and counted.
package struct GPSDJSONDecoder: PointLineDecoder {
  package var lines = LineSplitter(limit: Self.lineLimit)
  package var intake: PointIntake
  private var epoch: GPSDEpoch?
  private var sky: GPSDSky?
  private var chosen: (device: String, lastTime: UTCInstant?)?

  /// gpsd's own limit for a line is 10,240 bytes.
  package static let lineLimit = 65_536
  private static let silence = 30.0

  package init(options: DecodingOptions) {
    intake = PointIntake(unit: .lines, options: options)
  }

  package mutating func takeEnd(into events: inout [TraceEvent]) throws(TraceError) {
    try closeEpoch(into: &events)
  }

  package mutating func takeLine(
    _ line: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    guard line[0] == UInt8(ascii: "{") else {
      return try intake.refuse(
        "not JSON", line: lines.number, "the line is not a JSON object; gpsd's reports begin with {"
      )
    }
    if let report = try json(line) { try read(report: report, into: &events) }
  }

  private mutating func read(
    report: JSONValue, into events: inout [TraceEvent]
  ) throws(TraceError) {
    guard let kind = report["class"]?.string else {
      return try intake.refuse(
        "no class", line: lines.number, "the object has no \"class\"; gpsd's reports have one")
    }
    intake.ledger.count(type: kind)
    switch kind {
    case "TPV": try takePosition(report, into: &events)
    case "SKY":
      countSky(report)
      if let new = GPSDSky(report) { sky = new }
      intake.countUsed()
    case "VERSION", "DEVICES", "DEVICE", "WATCH": intake.countUsed()
    default: intake.skip("other report")
    }
  }

  private mutating func takePosition(
    _ report: JSONValue, into events: inout [TraceEvent]
  ) throws(TraceError) {
    let position: GPSDPosition
    do throws(GPSDPosition.UnknownTime) {
      position = try GPSDPosition(report)
    } catch {
      return try intake.refuse(
        "time not understood", line: lines.number, "the time is '\(error.text)'")
    }
    if let epoch, !epoch.takes(position) { try closeEpoch(into: &events) }
    if isForeign(position) { return intake.skip("another device") }
    for value in GPSDPosition.unread(in: report) {
      try intake.leaveOut(value, line: lines.number)
    }
    if epoch == nil { epoch = GPSDEpoch(position) } else { epoch?.merge(position) }
    epoch?.line = lines.number
  }

  private mutating func countSky(_ report: JSONValue) {
    guard let satellites = report["satellites"]?.array else { return }
    intake.ledger.satellitesInView.include(Double(satellites.count))
    for satellite in satellites {
      if let strength = satellite["ss"]?.number, strength > 0 {
        intake.ledger.signal.include(strength)
      }
    }
  }

  /// Whether the trace's device is another one.
  private mutating func isForeign(_ report: GPSDPosition) -> Bool {
    let (device, time) = (report.device, report.time)
    let hasPosition = report.latitude != nil
    guard let current = chosen else {
      if hasPosition { chosen = (device, time) }
      return false
    }
    if current.device == device {
      if hasPosition, let time { chosen = (device, time) }
      return false
    }
    intake.ledger.note(
      "several_devices",
      "several receivers in one log; one is followed, another only after 30 s of silence",
      line: lines.number)
    if hasPosition, let time, let last = current.lastTime,
      UTCInstant.seconds(from: last, to: time) > Self.silence
    {
      chosen = (device, time)
      return false
    }
    return true
  }

  private mutating func closeEpoch(into events: inout [TraceEvent]) throws(TraceError) {
    guard let closed = epoch else { return }
    epoch = nil
    guard closed.hasPosition else {
      return intake.takeNoFix(
        time: closed.time, line: closed.line, units: closed.reports, into: &events)
    }
    var usable: GPSDSky?
    if let current = sky, current.age < GPSDSky.ageLimit,
      current.device == closed.device || current.device.isEmpty
    {
      usable = current
      sky?.age += 1
    }
    try intake.admit(
      closed.completed(sky: usable), line: closed.line, units: closed.reports, into: &events)
  }
}

extension TraceFormat {
  package static let gpsdJSON = TraceFormat(
    "gpsd-json", name: "gpsd JSON", decoder: GPSDJSONDecoder.init(options:)
  ) { sample in
    if sample.json == .classed { return .head }
    // gpsd's regression logs begin with NMEA.
    let isLog = sample.lines.contains { line in
      line.starts(with: "{\"class\":\"".utf8) && JSONKeys.kind(Array(line)) == .classed
    }
    return isLog ? .line : .none
  }
}
