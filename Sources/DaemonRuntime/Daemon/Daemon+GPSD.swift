// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import GPSDSource
import LocationEngine
import LocationModel
import Logging

// What gpsd says, for the engine, the meter, and people.

extension Daemon {
  func heard(_ event: GPSDEvent) {
    switch event {
    case .fix(let fix, let device):
      facts.fixes += 1
      facts.lastFix = fix
      facts.lastFixAt = now
      facts.lastFixReceived = HostClock.utc()
      facts.lastDevice = device
      noteReport(of: device)
      meter.sawFix(at: now)
      tell(.fix(fix))
    case .searching(let device):
      noteReport(of: device)
      facts.emptyEpochs += 1
      meter.sawNoFix(at: now)
    case .line(let line): recorder?.record(line)
    case .link(let link): changed(link)
    case .device(let device): changed(device)
    case .trouble(let trouble):
      // Once in full, then counted: a receiver that stutters must not fill the journal.
      let count = facts.troubles[trouble.kind, default: 0]
      facts.troubles[trouble.kind] = count + 1
      if count == 0 { log.warning("gpsd: \(trouble.text)") }
    }
  }

  private func noteReport(of path: String) {
    if let index = facts.devices.firstIndex(where: { $0.path == path }) {
      facts.devices[index].lastReport = now
    }
  }

  private func changed(_ link: GPSDEvent.Link) {
    if facts.link != link.text { facts.linkSince = HostClock.utc() }
    facts.link = link.text
    switch link {
    case .connected(let release, _, _):
      facts.isConnected = true
      facts.release = release
      meter.knows(true, at: now)
      log.notice("gpsd: \(link.text)")
    case .unreachable, .lost:
      facts.isConnected = false
      facts.isWatching = false
      facts.devices = []
      if engine.plan.isOn { meter.knows(false, at: now) }
      log.warning("gpsd: \(link.text)")
      tellUpdating(.noFix("gpsd: \(link.text)"))
    case .watching(let isOn):
      facts.isWatching = isOn
      log.debug("gpsd: \(link.text)")
    }
  }

  private func changed(_ device: GPSDEvent.Device) {
    switch device {
    case .none:
      facts.devices = []
      tellUpdating(.noFix("gpsd: \(device.text)"))
    case .opened(let path, let driver):
      facts.devices.removeAll { $0.path == path }
      facts.devices.append(.init(path: path, driver: driver))
    case .closed(let path): facts.devices.removeAll { $0.path == path }
    }
    log.notice("gpsd: \(device.text)")
  }

  /// Tells every app that runs and asked for updates that there is no location now.
  private func tellUpdating(_ message: ServerMessage) {
    for id in apps.keys.sorted(by: { $0.number < $1.number }) {
      guard engine.state(of: id)?.runsCode == true,
        let service = engine.explanation(for: id, at: now)?.service, service != .significant
      else { continue }
      effects.append(.tell(id, message))
    }
  }
}
