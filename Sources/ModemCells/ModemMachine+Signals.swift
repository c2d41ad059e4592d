// SPDX-License-Identifier: Apache-2.0

import ServiceContract

// What is told unasked: the theory is in ModemMachine.swift.

extension ModemMachine {
  mutating func heard(
    _ signal: BusSignal, from sender: String, at now: Double, _ actions: inout [Action]
  ) {
    switch state {
    case .resting, .waiting, .greeting, .leaving: return
    case .absent, .looking, .idle, .settingUp, .blocked, .following: break
    }
    if case .owner(let name) = signal {
      guard sender == BusName.bus else { return }
      lose("ModemManager is gone", &actions)
      forget()
      owner = name
      state = .absent
      if name == nil { complain(.noModemManager, &actions) } else { look(at: now, &actions) }
      return
    }
    guard sender == owner else { return }
    switch signal {
    case .owner: break
    case .modems: look(at: now, &actions)
    case .location(let path, let change) where isFollowed(path): changed(change, &actions)
    case .state(let path, let new): entered(new, path, at: now, &actions)
    case .registration(let path, let registration) where isFollowed(path):
      guard registration != modem?.record.registration else { break }
      modem?.record.registration = registration
      let title = modem?.record.title ?? ""
      actions.append(.say(.modem(present: true, words: "\(title) is \(registration.words)")))
    case .location, .registration: break
    }
  }

  private mutating func changed(_ change: LocationChange, _ actions: inout [Action]) {
    if let sources = change.sources { modem?.record.location?.setup.sources = sources }
    if let signals = change.signals { modem?.record.location?.setup.signals = signals }
    let tells = modem?.setup.tellsCells == true
    if state == .blocked && tells { follow() }
    if state == .following && !tells {
      state = .blocked
      complain(.switchedOff(modem: modem?.record.title ?? ""), &actions)
    }
    guard let text = change.text else { return }
    switch state {
    case .following, .settingUp: camps(at: text, &actions)
    case .resting, .waiting, .greeting, .absent, .looking, .idle, .blocked, .leaving: break
    }
  }

  private mutating func entered(
    _ new: ModemState, _ path: String, at now: Double, _ actions: inout [Action]
  ) {
    guard isFollowed(path), let old = modem?.record.state else {
      // A modem that was of no use may be now: a SIM card was unlocked.
      if modem == nil { look(at: now, &actions) }
      return
    }
    modem?.record.state = new
    if new.isEnabled && !old.isEnabled && state == .blocked {
      setUp(at: now, &actions)
    } else if !new.isEnabled && old.isEnabled {
      if case .looking = state { return }
      state = .blocked
      complain(.notReady(modem: modem?.record.title ?? "", state: new), &actions)
    }
  }

  mutating func camps(at text: String?, _ actions: inout [Action]) {
    guard let text else { return }
    guard let new = CellIdentity(locationText: text) else {
      if case .badLocation = trouble { return }
      return complain(.badLocation(String(text.prefix(40))), &actions)
    }
    guard new != cell else { return }
    actions.append(.say(.cell(new, previous: cell)))
    cell = new
  }

  /// Says what is wrong, once until it is over.
  mutating func complain(_ new: ModemEvent.Trouble, _ actions: inout [Action]) {
    if case .badLocation = new {} else { cell = nil }
    guard isWanted, new != trouble else { return }
    trouble = new
    actions.append(.say(.trouble(new)))
  }
}

/// Names on the bus.
enum BusName {
  static let bus = "org.freedesktop.DBus"
  static let modemManager = "org.freedesktop.ModemManager1"
  static let modem = "org.freedesktop.ModemManager1.Modem"
  static let location = "org.freedesktop.ModemManager1.Modem.Location"
  static let modem3GPP = "org.freedesktop.ModemManager1.Modem.Modem3gpp"
  static let properties = "org.freedesktop.DBus.Properties"
  static let objects = "org.freedesktop.DBus.ObjectManager"
}

extension ModemMachine {
  /// What is subscribed to.
  static let matches = [
    "type='signal',sender='\(BusName.bus)',interface='\(BusName.bus)',"
      + "member='NameOwnerChanged',arg0='\(BusName.modemManager)'",
    "type='signal',sender='\(BusName.modemManager)',interface='\(BusName.objects)'",
    "type='signal',sender='\(BusName.modemManager)',interface='\(BusName.properties)',"
      + "member='PropertiesChanged',arg0='\(BusName.location)'",
    "type='signal',sender='\(BusName.modemManager)',interface='\(BusName.properties)',"
      + "member='PropertiesChanged',arg0='\(BusName.modem3GPP)'",
    "type='signal',sender='\(BusName.modemManager)',interface='\(BusName.modem)',"
      + "member='StateChanged'",
  ]
}
