// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import LocationModel
import ServiceContract

/// Turns gpsd's bytes, in any chunks, into events.
///
/// A line is at most `lineLimit` bytes (gpsd's own limit for one is 10,240; this is the limit of the decoder of logs,
/// so that both accept the same lines). A longer one is discarded, and reported as soon as it passes the limit. A line
/// that passes `endlessLimit` without an end comes from no gpsd: `read(bytes:)` then returns false, and the
/// connection should be given up.
///
/// A bad line is counted, and reported when it is the first, second, fourth, eighth … of its kind: a peer that sends
/// only rubbish cannot flood the sink.
///
/// The decoder of logs reads each line once, so that a live fix equals the fix of a log's replay. libgps reads it too
/// if it states something new on this connection (`UnpackCheck`).
struct ReportIntake: ~Copyable {
  static let lineLimit = GPSDJSONDecoder.lineLimit
  static let endlessLimit = 1 << 20
  /// The limit of device paths that are told apart.
  static let deviceLimit = 64
  /// The limit of satellites of a sky that is passed on; gpsd 3.22 holds no more (gps.h, `MAXCHANNELS`).
  static let satelliteLimit = 140
  /// The smallest change that is reported, degrees.
  static let declinationStep = 0.1

  private let passesLines: Bool
  private let passesSky: Bool
  /// Whether the receiver heard satellites at its last report of them.
  private var wasHeard = true
  /// Whether gpsd has greeted on this connection.
  private(set) var hasGreeting = false
  /// Whether a receiver's report came on this connection.
  private(set) var hasReceiverReport = false
  private var splitter = LineSplitter(limit: ReportIntake.lineLimit)
  private var bytesOfLine = 0
  private var isOverlongReported = false
  private var badLines = 0
  private var overlongLines = 0
  private(set) var merger = EpochMerger()
  private var check = UnpackCheck()
  /// The open devices, and what gpsd said of each.
  private var opened: [String: ReceiverIdentity] = [:]
  /// The last reported declination, degrees.
  private var declination: Double?

  /// `passesLines`: whether the original lines are passed on as events; `passesSky`: whether the receiver's sky is.
  init(passesLines: Bool, passesSky: Bool = false) {
    self.passesLines = passesLines
    self.passesSky = passesSky
  }

  /// The time of the next work for `advance`.
  var nextDeadline: EngineInstant? { merger.nextDeadline }

  /// Begins a new connection: half a line is gone with the old one.
  mutating func beginConnection() {
    splitter = LineSplitter(limit: Self.lineLimit)
    bytesOfLine = 0
    isOverlongReported = false
    hasGreeting = false
    hasReceiverReport = false
    opened = [:]
    check.beginConnection()
  }

  /// Takes the next bytes; returns false if they are an endless line.
  mutating func read(
    bytes: borrowing Span<UInt8>, at now: EngineInstant, into events: inout [GPSDEvent]
  ) -> Bool {
    var position = 0
    while position < bytes.count {
      let start = position
      let isComplete = splitter.next(bytes, from: &position)
      bytesOfLine += position - start
      if splitter.isCut, !isOverlongReported {
        isOverlongReported = true
        overlongLines += 1
        if Self.isReported(overlongLines) {
          events.append(.trouble(.overlongLine(limit: Self.lineLimit)))
        }
      }
      guard isComplete else { break }
      if !isOverlongReported { takeLine(splitter.line(of: bytes), at: now, into: &events) }
      bytesOfLine = 0
      isOverlongReported = false
    }
    return bytesOfLine <= Self.endlessLimit
  }

  /// Closes the epochs that are due.
  mutating func advance(to now: EngineInstant, into events: inout [GPSDEvent]) {
    merger.advance(to: now, into: &events)
  }

  /// Closes every open epoch: the connection ends, and no received data is lost.
  mutating func flush(at now: EngineInstant, into events: inout [GPSDEvent]) {
    merger.flush(at: now, into: &events)
  }

  private mutating func takeLine(
    _ line: [UInt8], at now: EngineInstant, into events: inout [GPSDEvent]
  ) {
    if line.allSatisfy({ $0 <= 0x20 }) { return }
    if passesLines { events.append(.line(line)) }
    var report: JSONValue
    do throws(SyntaxError) {
      report = try JSONValue.parse(line.span)
    } catch {
      return refuse("it is no JSON: \(error.message) at byte \(error.offset + 1)", into: &events)
    }
    // A control character comes as an escape; none of them is for a terminal, or a log.
    if line.contains(UInt8(ascii: "\\")) { report = report.plain }
    guard let kind = report["class"]?.string else {
      return refuse("it has no \"class\"", into: &events)
    }
    switch kind {
    case "TPV": takePosition(report, line, at: now, into: &events)
    case "ATT": takeAttitude(report, into: &events)
    case "SKY": takeSky(report, line, at: now, into: &events)
    case "VERSION": takeVersion(report, line, into: &events)
    case "DEVICES": takeDevices(report, at: now, into: &events)
    case "DEVICE": settle(report, isListed: false, at: now, into: &events)
    case "ERROR":
      let message = report["message"]?.string ?? "no message"
      events.append(.trouble(.reported(String(message.prefix(200)))))
    default: break
    }
  }

  private mutating func refuse(_ reason: String, into events: inout [GPSDEvent]) {
    badLines += 1
    if Self.isReported(badLines) { events.append(.trouble(.badLine(reason))) }
  }

  private static func isReported(_ count: Int) -> Bool { count & (count - 1) == 0 }

  private mutating func takePosition(
    _ report: JSONValue, _ line: [UInt8], at now: EngineInstant, into events: inout [GPSDEvent]
  ) {
    let position: GPSDPosition
    do throws(GPSDPosition.UnknownTime) {
      position = try GPSDPosition(report)
    } catch {
      return refuse("its time is '\(error.text)'", into: &events)
    }
    hasReceiverReport = true
    check.compare(position, line, into: &events)
    merger.merge(position, at: now, into: &events)
    // gpsd takes it from the receiver, or from its own model of the earth.
    if let degrees = report["magvar"]?.number, (-180...180).contains(degrees),
      declination.map({ ($0 - degrees).magnitude >= Self.declinationStep }) ?? true
    {
      declination = degrees
      events.append(.declination(degrees))
    }
  }

  /// `heading` is from true north and `mheading`, of newer releases, from magnetic north (gpsd_json(5)).
  private func takeAttitude(_ report: JSONValue, into events: inout [GPSDEvent]) {
    func direction(_ name: String) -> Double? {
      report[name]?.number.flatMap { (0...360).contains($0) ? Heading.wrapped($0) : nil }
    }
    let heading = Heading(
      time: report["time"]?.string.flatMap { RFC3339.parse($0)?.instant },
      trueNorth: direction("heading"), magneticNorth: direction("mheading"), source: .compass)
    guard heading.trueNorth != nil || heading.magneticNorth != nil else { return }
    events.append(.heading(heading, device: report["device"]?.string ?? ""))
  }

  private mutating func takeSky(
    _ report: JSONValue, _ line: [UInt8], at now: EngineInstant, into events: inout [GPSDEvent]
  ) {
    hasReceiverReport = true
    if passesSky,
      let seen = try? Sky.table.read(object: JSONObjectReader(report, name: "SKY"), into: .empty),
      seen.satellites.count <= Self.satelliteLimit
    {
      events.append(.sky(seen, device: report["device"]?.string ?? ""))
    }
    if let isHeard = hearsSatellites(report), !isHeard || !wasHeard {
      wasHeard = isHeard
      events.append(.signal(isHeard: isHeard))
    }
    guard let sky = GPSDSky(report) else { return }
    let countsSatellites = report["satellites"] != nil && report["uSat"] == nil
    check.compare(sky, countsSatellites: countsSatellites, line, into: &events)
    merger.merge(sky, at: now, into: &events)
  }

  /// Whether any satellite's signal reaches the receiver; `nil` if the report does not say. gpsd lists those in view
  /// with `ss`, dBHz, which is 0 if none is heard, and omits an empty list.
  private func hearsSatellites(_ report: JSONValue) -> Bool? {
    guard let satellites = report["satellites"]?.array else {
      return report["nSat"]?.number == 0 ? false : nil
    }
    let signals = satellites.compactMap { $0["ss"]?.number }
    if signals.contains(where: { $0 > 0 }) { return true }
    if satellites.contains(where: { $0["used"]?.bool == true }) { return true }
    return signals.isEmpty ? nil : false
  }

  private mutating func takeVersion(
    _ report: JSONValue, _ line: [UInt8], into events: inout [GPSDEvent]
  ) {
    guard let release = report["release"]?.string,
      let major = report["proto_major"]?.number.flatMap({ Int(exactly: $0) }),
      let minor = report["proto_minor"]?.number.flatMap({ Int(exactly: $0) })
    else { return refuse("a VERSION without release and protocol", into: &events) }
    hasGreeting = true
    events.append(
      .link(.connected(release: release, protocolMajor: major, protocolMinor: minor)))
    if let mismatch = ProtocolSupport.mismatch(release: release, major: major, minor: minor) {
      events.append(.trouble(mismatch))
    }
    check.compare(.init(release: release, major: major, minor: minor), line, into: &events)
  }

  /// Takes the list of devices: it is complete, so a missing one is gone.
  private mutating func takeDevices(
    _ report: JSONValue, at now: EngineInstant, into events: inout [GPSDEvent]
  ) {
    guard let devices = report["devices"]?.array else {
      return refuse("a DEVICES without devices", into: &events)
    }
    if devices.isEmpty { events.append(.device(.none)) }
    let listed = Set(devices.compactMap { $0["path"]?.string })
    for path in Set(opened.keys).subtracting(listed).sorted() {
      closeDevice(path, at: now, into: &events)
    }
    for device in devices { settle(device, isListed: true, at: now, into: &events) }
  }

  /// gpsd states the time when it opened a device (`activated`); 0 means that it closed it. In a list, a device without
  /// `activated` is one that gpsd has not opened.
  private mutating func settle(
    _ device: JSONValue, isListed: Bool, at now: EngineInstant, into events: inout [GPSDEvent]
  ) {
    guard let path = device["path"]?.string else { return }
    let isActive: Bool
    switch device["activated"] {
    case .string?: isActive = true
    case .number(let seconds)?: isActive = seconds > 0
    default: isActive = !isListed
    }
    if !isActive {
      if opened[path] != nil || !isListed { closeDevice(path, at: now, into: &events) }
    } else if opened[path] == nil, opened.count < Self.deviceLimit {
      let driver = device["driver"]?.string
      opened[path] = ReceiverIdentity(driver: driver)
      events.append(.device(.opened(path: path, driver: driver)))
    }
    identify(path, device, into: &events)
  }

  /// gpsd learns a receiver's kind in steps: the protocol of its first report, then what it answers.
  private func identity(_ device: JSONValue) -> ReceiverIdentity {
    func text(_ key: String) -> String? { device[key]?.string.map { String($0.prefix(200)) } }
    return ReceiverIdentity(
      driver: text("driver"), subtype: text("subtype"), subtype1: text("subtype1"))
  }

  private mutating func identify(
    _ path: String, _ device: JSONValue, into events: inout [GPSDEvent]
  ) {
    let told = identity(device)
    guard let known = opened[path], told.driver != nil, told != known else { return }
    opened[path] = told
    events.append(.device(.identified(path: path, told)))
  }

  private mutating func closeDevice(
    _ path: String, at now: EngineInstant, into events: inout [GPSDEvent]
  ) {
    merger.flush(device: path, at: now, into: &events)
    opened[path] = nil
    events.append(.device(.closed(path: path)))
  }
}

extension JSONValue {
  /// The same with a mark for each control character of its strings.
  fileprivate var plain: JSONValue {
    switch self {
    case .string(let text): .string(Quoted.plain(text))
    case .array(let elements): .array(elements.map(\.plain))
    case .object(let members): .object(members.map { .init($0.key, $0.value.plain) })
    case .null, .bool, .number: self
    }
  }
}
