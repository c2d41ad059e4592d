// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationEngine
import LocationModel
import ServiceContract
import Wording

// A real machine's memory and battery, and their consequences for apps. The theory of the battery is in
// BatterySaver.swift.
//
// Memory [ours]: a twentieth of it should be free for use. The missing part is needed at once, so suspended apps go,
// the largest first, then those in the background; sinks, handlers and ports for gpsd clients have no process of theirs
// that could go. If nothing is missing and programs wait for memory all the same, one suspended app goes for each such
// report, and none that runs.

extension LocationService {
  mutating func heard(_ event: MachineEvent) {
    switch event {
    case .memoryIsShort(let memory):
      guard let megabytes = megabytesNeeded(memory) else { return }
      machineSays(.memoryNeeded(megabytes: megabytes))
    case .battery(let reading):
      guard let limit = settings.lowPowerBelow,
        let isOn = battery.take(reading, below: limit, isOn: engine.device.isLowPower)
      else { return }
      machineSays(.lowPower(isOn))
    case .externalPower(let isOn): powered(isOn)
    case .socketIsReady(let name):
      guard let id = apps.id(of: name) else { return }
      needsCheckpoint()
      tell(.app(id, .event(.socket)))
    case .network(let reading): heard(reading)
    case .trouble(let words): journal(.info, words)
    }
  }

  /// Takes an event of the device, from any source.
  mutating func happened(_ event: DeviceEvent) {
    let wasLocked = engine.device.isLocked
    needsCheckpoint()
    tell(.device(event))
    switch event {
    case .rebooted(isLocked: false): startWhatRuns()
    case .unlocked where wasLocked: startWhatRuns()
    case .rebooted, .unlocked, .lowPower, .backgroundRefresh, .networkChanged, .memoryNeeded, .call:
      break
    }
  }

  private mutating func machineSays(_ event: DeviceEvent) {
    note(nil, "device", event.words)
    happened(event)
  }

  /// `nil` if no app has any to give.
  private func megabytesNeeded(_ memory: MemoryReading) -> Double? {
    let hasSuspended = engine.hasMemoryToFree(in: .suspended)
    let missing = memory.total * Self.freeShare - memory.available
    if missing > 0 {
      return hasSuspended || engine.hasMemoryToFree(in: .background) ? missing : nil
    }
    return hasSuspended ? Self.leastNeeded : nil
  }

  /// The share of a machine's memory that should be free for use.
  private static let freeShare = 0.05
  /// The least need for which one app goes, megabytes, since each counts for more.
  private static let leastNeeded = 1.0
}
