// SPDX-License-Identifier: Apache-2.0

import GPSDSource
import JSONText
package import LocationModel
package import ServiceContract

/// Collects a source's events as facts.
package struct DoctorNotes: Sendable {
  package private(set) var facts: DoctorFacts
  private var firstTimedReport: [String: Double] = [:]

  package init(_ facts: DoctorFacts) { self.facts = facts }

  /// Whether a position in three dimensions came, so that the wait can end.
  package var isSettled: Bool {
    facts.devices.contains { $0.fixes > 0 && $0.bestMode >= 3 && $0.timeSpan >= 3 }
  }

  /// Takes an event that came `elapsed` seconds after the start, when this machine's clock was `clock`.
  package mutating func note(event: GPSDEvent, elapsed: Double, clock: UTCInstant) {
    switch event {
    case .line, .trouble: facts.hasAnswered = true
    default: break
    }
    switch event {
    case .link(.connected(let release, let major, let minor)):
      facts.version = .init(release: String(release.prefix(40)), major: major, minor: minor)
    case .link(.lost):
      if facts.version != nil { facts.wasDropped = true }
    case .link(.unreachable), .link(.watching): break
    case .device(.none): break
    case .device(.opened(let path, let driver)):
      change(path) {
        $0.isOpen = true
        if let driver { $0.driver = driver }
        $0.identity = ReceiverIdentity(driver: driver)
      }
    case .device(.identified(let path, let identity)):
      change(path) {
        $0.driver = identity.driver ?? $0.driver
        $0.identity = identity
      }
    case .device(.closed(let path)), .device(.released(let path)), .device(.asleep(let path, _)):
      change(path) { $0.isOpen = false }
    case .fix(_, let device): change(device) { $0.fixes += 1 }
    case .searching, .sky, .signal, .heading, .declination: break
    case .trouble(.protocolMismatch): facts.mismatch = event.words
    case .trouble(.unpackDiffers(let field)) where field.hasPrefix("TPV."):
      facts.mismatch = facts.mismatch ?? event.words
    case .trouble(.reported(let message)):
      if facts.reported.count < DoctorFacts.reportedLimit, !facts.reported.contains(message) {
        facts.reported.append(message)
      }
    case .trouble: break
    case .line(let line): takeLine(line, elapsed, clock)
    }
  }

  private mutating func takeLine(_ line: [UInt8], _ elapsed: Double, _ clock: UTCInstant) {
    guard let report = try? JSONValue.parse(line.span) else { return }
    switch report["class"]?.string {
    case "DEVICES":
      for path in (report["devices"]?.array ?? []).compactMap({ $0["path"]?.string }) {
        change(path) { _ in }
      }
    case "SKY":
      guard let path = report["device"]?.string else { return }
      let satellites = report["satellites"]?.array
      change(path) {
        $0.satellitesInView =
          satellites?.count ?? report["nSat"]?.number.flatMap { Int(exactly: $0) }
          ?? $0.satellitesInView
        $0.satellitesUsed =
          satellites?.count { $0["used"]?.bool == true }
          ?? report["uSat"]?.number.flatMap { Int(exactly: $0) } ?? $0.satellitesUsed
      }
    case "TPV":
      let path = report["device"]?.string ?? ""
      let mode = report["mode"]?.number.flatMap { Int(exactly: $0) } ?? 0
      let time = report["time"]?.string.flatMap { RFC3339.parse($0)?.instant }
      if time != nil, firstTimedReport[path] == nil,
        firstTimedReport.count < DoctorFacts.deviceLimit
      {
        firstTimedReport[path] = elapsed
      }
      let first = firstTimedReport[path] ?? elapsed
      change(path) {
        $0.reports += 1
        $0.bestMode = max($0.bestMode, mode)
        guard let time else { return }
        if $0.firstTime == nil { $0.firstTime = time }
        $0.lastTime = time
        $0.timeSpan = elapsed - first
        $0.clockOffset = UTCInstant.seconds(from: clock, to: time)
      }
    default: break
    }
  }

  private mutating func change(_ path: String, _ body: (inout DoctorFacts.Device) -> Void) {
    if let index = facts.devices.firstIndex(where: { $0.path == path }) {
      body(&facts.devices[index])
    } else if facts.devices.count < DoctorFacts.deviceLimit {
      var device = DoctorFacts.Device(path: path)
      body(&device)
      facts.devices.append(device)
    }
  }
}
