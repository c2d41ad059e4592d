// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import ServiceCore

// Faults that come by themselves, and users.

extension Simulation {
  mutating func strike(_ kind: FaultKind) {
    say("fault: \(kind.rawValue)")
    switch kind {
    case .killIdle: kill("at rest")
    case .stop: if isUp { give(.stop) }
    case .reboot:
      goDownForReboot()
    case .diskFull:
      storeTrouble = chance.pick(["the disk is full", "it is read-only"])
      add(.over(kind, 0), in: chance.logBetween(1, 7_200))
    case .settings: changeSettings()
    case .keeperDies: keeperDies()
    case .claims: claim()
    case .gpsdGone:
      gpsdIsThere(false)
      add(.over(kind, 0), in: chance.logBetween(1, 3_600))
    case .gpsdSilent:
      gpsd.isSilent = true
      add(.over(kind, 0), in: chance.logBetween(1, 3_600))
    case .unplugged:
      receiverIsPluggedIn(false)
      add(.over(kind, 0), in: chance.logBetween(1, 3_600))
    case .clockStep:
      let step = chance.logBetween(0.5, 400_000) * (chance.happens(0.5) ? 1 : -1)
      utcOffset += Int64(step * 1e6)
    case .hostSleeps: sleepsUntil = now + Int64(chance.logBetween(1, 20_000) * 1e6)
    case .modemGone:
      modemIsThere(false)
      add(.over(kind, 0), in: chance.logBetween(1, 3_600))
    case .user: userActs()
    case .manifests: changeManifests()
    default: break
    }
  }

  mutating func isOver(_ kind: FaultKind, _ number: Int) {
    say("over: \(kind.rawValue)")
    switch kind {
    case .diskFull: storeTrouble = nil
    case .gpsdGone: gpsdIsThere(true)
    case .gpsdSilent: gpsd.isSilent = false
    case .unplugged: receiverIsPluggedIn(true)
    case .modemGone: modemIsThere(true)
    case .user where number >= 100: open(number - 100)
    case .user: allowAll()
    default: break
    }
  }

  private mutating func goDownForReboot() {
    let wasUp = isUp
    if wasUp { kill("by a reboot") }
    reboot()
  }

  private mutating func changeSettings() {
    settings.crashLimit = chance.pick([1, 3, 5])
    settings.outboxLimit = chance.pick([1, 5, 10_000])
    settings.retriesFor = chance.pick([0, 600, 7 * 86_400])
    if chance.happens(0.3) { settings.gpsdPort += 1 }
    guard isUp else { return }
    give(.settings(.read(settings, changes: []), for: nil, id: nil))
    ledger.lower(to: settings.outboxLimit)
  }

  // MARK: Users

  /// Registers the cast.
  mutating func register() {
    for script in scripts {
      if script.isStranger {
        strangerComes(script.manifest.name)
      } else {
        add(script.manifest)
      }
    }
  }

  /// Lets a user who refused allow again.
  private mutating func allowAll() {
    for script in scripts {
      command(.authorize(script.manifest.name, .always), about: script.manifest.name)
    }
  }

  mutating func add(_ manifest: AppManifest, isUpdate: Bool = false) {
    guard isUp else { return }
    let client = connect(process: nil)
    connections[client]?.requests = 1
    connections[client]?.awaited = ["\(client.number).1"]
    connections[client]?.expected["\(client.number).1"] = .added(manifest.name)
    tell(
      .manifest(
        client, .read(manifest, missingProgram: nil), id: "\(client.number).1", isUpdate: isUpdate),
      in: 0.002)
    add(.leave(client), in: 0.02)
  }

  private mutating func changeManifests() {
    guard isUp else { return }
    let script = chance.pick(scripts)
    guard !script.isStranger else { return }
    let manifest = script.manifest
    switch chance.below(5) {
    case 0: add(manifest)
    case 3, 4: change(manifest)
    case 1: command(.remove(manifest.name), about: manifest.name)
    default:
      command(.remove(manifest.name), about: manifest.name)
      add(manifest)
    }
  }

  /// Registers the same app with other wishes.
  private mutating func change(_ manifest: AppManifest) {
    var manifest = manifest
    manifest.declaration.authorization = chance.pick([.always, .whenInUse])
    manifest.declaration.declaresLocationMode = chance.happens(0.5)
    if manifest.kind == .connected {
      manifest.service = chance.pick([nil, .significant])
    } else {
      manifest.service = AppScript.service(&chance)
      // Continuous updates need it.
      if manifest.service == .continuous { manifest.declaration.declaresLocationMode = true }
    }
    add(manifest, isUpdate: true)
  }

  /// Claims to be a registered app, or an unknown one.
  private mutating func claim() {
    strangerComes(chance.happens(0.8) ? chance.pick(scripts).manifest.name : "nobody")
  }

  mutating func command(_ message: ClientMessage, about name: String) {
    guard isUp else { return }
    let client = connect(process: nil)
    var expected: Expectation?
    if let id = service.appID(of: name) {
      switch message {
      case .user(.remove): expected = .removed(id)
      case .user(.authorize): expected = .authorized(id)
      default: break
      }
    }
    ask(message, from: client, expecting: expected)
    add(.leave(client), in: chance.between(0.01, 0.5))
  }

  private mutating func userActs() {
    guard isUp else { return }
    let name = chance.pick(scripts).manifest.name
    let number = chance.happens(0.5) ? nil : UInt64(chance.below(30))
    switch chance.below(20) {
    case 0..<9: command(.control(name, chance.pick(ClientMessage.AppControl.allCases)), about: name)
    case 9, 10:
      let level = chance.pick([Authorization.always, .always, .whenInUse, .denied])
      let accuracy: LocationAccuracy? = chance.pick([nil, nil, nil, nil, .full, .reduced])
      command(.authorize(name, level, accuracy), about: name)
      if level == .denied { add(.over(.user, 0), in: chance.logBetween(1, 3_600)) }
    case 11, 12: command(.resend(name, number), about: name)
    case 13: command(.discard(name, number), about: name)
    case 14: command(.control("nobody", .launch), about: "nobody")
    case 15:
      command(chance.pick([.status, .apps, .version, .devices]), about: "")
      command(chance.pick([.user(.app(name)), .explain(name), .events(name)]), about: name)
    case 16: command(chance.pick([.log(name, count: 10), .log("", count: 10), .reload]), about: "")
    case 17: command(.start(.init(.significant)), about: "")
    default: visit()
    }
  }

  /// A gpsd client watches for a while.
  private mutating func visit() {
    let client = connect(process: nil, .gpsdPort(listenerPort))
    add(.visitor(client, .watch(true)), in: 0.01)
    add(.visitor(client, .poll), in: 10)
    if chance.happens(0.5) { add(.visitor(client, .watch(false)), in: chance.between(1, 1_000)) }
    add(.visitor(client, .leave), in: chance.logBetween(10, 3_600))
  }

  mutating func visitor(_ client: ClientID, _ step: VisitorStep) {
    guard isUp, connections[client] != nil else { return }
    switch step {
    case .watch(let isOn): tell(.client(.message(client, .watch(isOn: isOn), id: nil)))
    case .poll: tell(.client(.message(client, .poll, id: nil)))
    case .leave: close(client)
    }
  }
}
