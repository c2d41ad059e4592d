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
      facts.lastFixReceived = HostClock.utc
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
      note(trouble)
    }
  }

  /// Once in full, then counted: a receiver that stutters must not fill the journal.
  private func note(_ trouble: GPSDEvent.Trouble) {
    let count = facts.troubles[trouble.kind, default: 0]
    facts.troubles[trouble.kind] = count + 1
    if count == 0 { log.warning("\(trouble.words)") }
  }

  private func noteReport(of path: String) {
    if let index = facts.devices.firstIndex(where: { $0.path == path }) {
      facts.devices[index].lastReport = now
    }
  }

  private func changed(_ link: GPSDEvent.Link) {
    if facts.link != link.words { facts.linkSince = HostClock.utc }
    facts.link = link.words
    switch link {
    case .connected(let release, _, _):
      facts.isConnected = true
      facts.release = release
      meter.knows(true, at: now)
      log.notice("\(link.words)")
    case .unreachable, .lost:
      facts.isConnected = false
      facts.isWatching = false
      facts.devices = []
      if engine.plan.isOn { meter.knows(false, at: now) }
      log.warning("\(link.words)")
      tellUpdating(.noFix(link.words))
    case .watching(let isOn):
      facts.isWatching = isOn
      log.debug("\(link.words)")
    }
  }

  private func changed(_ device: GPSDEvent.Device) {
    switch device {
    case .none:
      facts.devices = []
      tellUpdating(.noFix(device.words))
    case .opened(let path, let driver):
      facts.devices.removeAll { $0.path == path }
      facts.devices.append(.init(path: path, driver: driver))
    case .closed(let path): facts.devices.removeAll { $0.path == path }
    }
    // A receiver that is not there is unknown, not off: what it draws is not metered.
    if engine.plan.isOn, facts.isConnected { meter.knows(!facts.devices.isEmpty, at: now) }
    log.notice("\(device.words)")
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

extension GPSDEvent.Trouble {
  /// What is counted together.
  fileprivate var kind: String {
    switch self {
    case .timeWentBack: "time_went_back"
    case .overlongLine: "overlong_line"
    case .badLine: "bad_line"
    case .unpackDiffers(let field): "unpack_differs_\(field)"
    case .protocolMismatch: "protocol_mismatch"
    case .reported: "reported"
    }
  }
}
