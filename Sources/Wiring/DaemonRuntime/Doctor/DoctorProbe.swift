// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import DeviceWatch
package import GPSDSource
import Glibc
import Host
import LocationModel
import MessageBus
import ServiceContract
import Synchronization

/// Gathers the facts: connects, watches for some seconds, and looks at the files of the devices.
package enum DoctorProbe {
  /// The gpsd to look at: a named one, else the running service's, else that of the user's configuration.
  package enum Target: Sendable {
    case named(GPSDSource.Address)
    case services(orConfigured: GPSDSource.Address)
  }

  /// Watches at most `seconds`, less if a good fix comes before. `socket` is the service's control
  /// socket; without one neither service nor modem is queried.
  package static func facts(
    _ target: Target, watching seconds: Double, socket: String? = nil
  ) async -> DoctorFacts {
    let service = socket.map { ServiceProbe.look(at: $0) } ?? .notAsked
    let address = target.address(service)
    var facts = DoctorFacts(host: address.host, port: address.port)
    if socket != nil {
      facts.service = service
      facts.modem = ModemSurvey.taken()
      facts.device = DeviceSurvey.taken()
      facts.connection = ConnectionQuestion.answer()
      facts.notifier = NotifierSurvey.taken()
    }
    let isLocal = DoctorFacts.isHere(address.host)
    if isLocal { facts.isInstalled = isInstalled }
    facts.failure = await GPSDSource.reach(address)
    if facts.failure == nil { await watch(address, seconds, &facts) }
    if isLocal { lookAtFiles(&facts) }
    return facts
  }

  private static func watch(
    _ address: GPSDSource.Address, _ seconds: Double, _ facts: inout DoctorFacts
  ) async {
    let notes = SharedNotes(DoctorNotes(facts))
    let start = ContinuousClock.now
    // Through its control socket a receiver is asked what it is; nothing is closed, and nothing sleeps.
    var address = address
    if DoctorFacts.isHere(address.host), let control = control(of: address.port), control.isWritable
    {
      (address.control, address.sleep) = (control.path, .timed)
    }
    let source = GPSDSource(address, passesLines: true) { event in
      notes.note(event: event, elapsed: start.duration(to: .now) / .seconds(1))
    }
    source.watch(true)
    while start.duration(to: .now) < .seconds(seconds), !notes.isSettled, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(100))
    }
    await source.close()
    facts = notes.facts
    facts.watched = start.duration(to: .now) / .seconds(1)
  }

  private static func lookAtFiles(_ facts: inout DoctorFacts) {
    let process = GPSDProcess.serving(facts.port)
    let files = DeviceFile(of: process)
    for index in facts.devices.indices {
      facts.devices[index].file = files.look(at: facts.devices[index].path)
      facts.devices[index].identity.file = RealPath.resolved(facts.devices[index].path)
    }
    facts.ports = files.ports()
    facts.control = control(of: facts.port)
    facts.isAlwaysOpen = process?.isAlwaysOpen ?? false
    // The device of the command line is for this gpsd; the defaults file is for the usual one.
    var told = process?.devices ?? []
    if told.isEmpty, facts.port == 2_947, let text = SmallFile.text(of: "/etc/default/gpsd") {
      told = GPSDProcess.devices(inDefaults: text)
    }
    facts.assigned = told.prefix(DoctorFacts.portLimit).filter { $0.hasPrefix("/") }.map {
      .init(path: $0, file: files.look(at: $0))
    }
  }

  /// The control socket of the gpsd that serves a port of this machine; `nil` if there is none.
  private static func control(of port: Int) -> DoctorFacts.Control? {
    let path = GPSDProcess.serving(port)?.control ?? DoctorFacts.Control.usualPath
    guard access(path, F_OK) == 0 else { return nil }
    return .init(path: path, isWritable: access(path, W_OK) == 0)
  }

  private static var isInstalled: Bool {
    let folders = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin", "/sbin"]
    return folders.contains { access("\($0)/gpsd", X_OK) == 0 }
  }
}

extension DoctorProbe.Target {
  fileprivate func address(_ service: DoctorFacts.Service) -> GPSDSource.Address {
    switch (self, service) {
    case (.named(let address), _): return address
    case (.services, .running(let running)):
      return .init(host: running.host, port: running.port)
    case (.services(let configured), _): return configured
    }
  }
}

/// The notes, written by the source's loop and read by the prober.
private final class SharedNotes: Sendable {
  private let notes: Mutex<DoctorNotes>

  init(_ notes: DoctorNotes) { self.notes = Mutex(notes) }

  var facts: DoctorFacts { notes.withLock { $0.facts } }
  var isSettled: Bool { notes.withLock { $0.isSettled } }

  func note(event: GPSDEvent, elapsed: Double) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let clock = UTCInstant(
      microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    notes.withLock { $0.note(event: event, elapsed: elapsed, clock: clock) }
  }
}
