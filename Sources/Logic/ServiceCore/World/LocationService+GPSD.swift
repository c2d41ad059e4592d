// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// What gpsd says, for the engine, the meter, and people.

extension LocationService {
  mutating func heard(_ event: GPSDEvent) {
    switch event {
    case .fix(let fix, let device):
      facts.lastFixAt = now.at
      facts.lastFixReceived = now.utc
      facts.lastDevice = device
      noteReport(of: device)
      meter.sawFix(at: now.at)
      tell(.fix(fix))
      if host.hasStore, engine.lastKnown == fix { history.saw(fix, at: now) }
      facts.lastFix = engine.hiddenIn == nil ? fix : nil
    case .searching(let device):
      noteReport(of: device)
      meter.sawNoFix(at: now.at)
    case .signal(let isHeard): if engine.isInSession { tell(.signal(isHeard: isHeard)) }
    // Without a request it changes nothing, and it comes ten times a second.
    case .heading(let heading, _): if engine.asksHeading { tell(.heading(heading)) }
    case .declination(let degrees): tell(.declination(degrees))
    case .sky(let sky, _): (facts.sky, facts.skyAt) = (sky, now.at)
    // Only recorded.
    case .line: break
    case .link(let link): changed(link)
    case .device(let device): changed(device)
    case .trouble(let trouble):
      note(trouble)
    }
  }

  /// Reported once in full, then counted: a receiver that stutters must not fill the journal.
  private mutating func note(_ trouble: GPSDEvent.Trouble) {
    let count = facts.troubles[trouble.kind, default: 0]
    facts.troubles[trouble.kind] = count + 1
    if count == 0 { journal(.warning, trouble.words) }
  }

  /// Reported once for each kind; `status` goes on counting.
  mutating func lost(_ kind: RefusableEvent, _ count: Int) {
    if facts.lost[kind] == nil { journal(.warning, kind.words(count) + "; status counts on") }
    facts.lost[kind, default: 0] += count
  }

  private mutating func noteReport(of path: String) {
    if let index = facts.devices.firstIndex(where: { $0.path == path }) {
      facts.devices[index].lastReport = now.at
    }
  }

  private mutating func changed(_ link: GPSDEvent.Link) {
    if facts.link != link.words { facts.linkSince = now.utc }
    facts.link = link.words
    switch link {
    case .connected(let release, _, _):
      facts.isConnected = true
      facts.linkTrouble = nil
      facts.release = release
      meter.knows(true, at: now.at)
      journal(.notice, link.words)
    case .unreachable(let reason, _), .lost(let reason, _):
      // Reported once: `status` shows that attempts go on.
      let isNews = facts.linkTrouble != reason
      facts.linkTrouble = reason
      facts.isConnected = false
      facts.isWatching = false
      facts.devices = []
      if engine.plan.isOn { meter.knows(false, at: now.at) }
      journal(isNews ? .warning : .debug, link.words)
      tellUpdating(.noFix(link.words))
    case .watching(let isOn):
      facts.isWatching = isOn
      journal(.debug, link.words)
    }
  }

  private mutating func changed(_ device: GPSDEvent.Device) {
    switch device {
    case .none:
      facts.devices = []
      tellUpdating(.noFix(device.words))
    case .opened(let path, let driver):
      facts.devices.removeAll { $0.path == path }
      facts.devices.append(.init(path: path, driver: driver))
    case .closed(let path): facts.devices.removeAll { $0.path == path }
    case .released:
      meter.released(at: now.at)
      return journal(.debug, device.words)
    }
    // A missing receiver is unknown, not off: its power is not metered.
    if engine.plan.isOn, facts.isConnected { meter.knows(!facts.devices.isEmpty, at: now.at) }
    journal(.notice, device.words)
  }

  /// Tells every app that runs and asked for updates that there is no location now.
  private mutating func tellUpdating(_ message: ServerMessage) {
    for id in apps.ids {
      guard engine.state(of: id)?.runsCode == true,
        let service = engine.explanation(for: id, at: now.at)?.service, service != .significant
      else { continue }
      intents.append(.tell(id, message))
    }
  }
}

extension GPSDEvent.Trouble {
  /// The kind under which it is counted.
  fileprivate var kind: String {
    switch self {
    case .timeWentBack: "time_went_back"
    case .overlongLine: "overlong_line"
    case .badLine: "bad_line"
    case .unpackDiffers(let field): "unpack_differs_\(field)"
    case .protocolMismatch: "protocol_mismatch"
    case .notReleased: "not_released"
    case .reported: "reported"
    }
  }
}
