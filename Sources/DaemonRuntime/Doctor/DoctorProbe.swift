// SPDX-License-Identifier: Apache-2.0

package import GPSDSource
import Glibc
import LocationModel
import Synchronization

/// Gathers the facts: connects, watches for some seconds, and looks at the files of the devices.
package enum DoctorProbe {
  /// Watches at most `seconds`, less where a good fix comes before.
  package static func facts(
    _ address: GPSDSource.Address, watching seconds: Double
  ) async -> DoctorFacts {
    var facts = DoctorFacts(host: address.host, port: address.port)
    let isLocal = ["localhost", "127.0.0.1", "::1"].contains(address.host)
    if isLocal { facts.isInstalled = isInstalled }
    facts.failure = await GPSDSource.reach(address)
    if facts.failure != nil { return facts }
    let notes = SharedNotes(DoctorNotes(facts))
    let start = ContinuousClock.now
    let source = GPSDSource(address) { event in
      notes.take(event, elapsed: start.duration(to: .now) / .seconds(1))
    }
    source.watch(true)
    while start.duration(to: .now) < .seconds(seconds), !notes.isSettled, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(100))
    }
    await source.close()
    facts = notes.facts
    facts.watched = start.duration(to: .now) / .seconds(1)
    if isLocal {
      for index in facts.devices.indices {
        facts.devices[index].file = DeviceFile.look(at: facts.devices[index].path)
      }
      facts.unusedPorts = DeviceFile.serialPorts(except: facts.devices.map(\.path))
    }
    return facts
  }

  private static var isInstalled: Bool {
    let folders = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin", "/sbin"]
    return folders.contains { access("\($0)/gpsd", X_OK) == 0 }
  }
}

/// The notes, which the source's loop writes and the prober reads.
private final class SharedNotes: Sendable {
  private let notes: Mutex<DoctorNotes>

  init(_ notes: DoctorNotes) { self.notes = Mutex(notes) }

  var facts: DoctorFacts { notes.withLock { $0.facts } }
  var isSettled: Bool { notes.withLock { $0.isSettled } }

  func take(_ event: GPSDEvent, elapsed: Double) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let clock = UTCInstant(
      microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    notes.withLock { $0.take(event, elapsed: elapsed, clock: clock) }
  }
}
