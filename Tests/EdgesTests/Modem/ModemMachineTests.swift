// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import Testing

@testable import MessageBus

@Suite("When to connect to the bus, what to ask and what to put back")
struct ModemMachineTests {
  private static let path = "/org/freedesktop/ModemManager1/Modem/0"
  private static let cellA = "228,1,0,D30156,6FFE"
  private static let cellB = "228,1,0,D30157,6FFE"

  private static func record(
    sources: UInt32 = 0, signals: Bool = false, text: String? = nil
  ) -> ModemRecord {
    var record = ModemRecord(path: path)
    record.state = .enabled
    record.location = .init(
      capabilities: 1, setup: .init(sources: sources, signals: signals), text: text)
    return record
  }

  /// A machine that follows a modem which reported its cells already.
  private static func following() -> ModemMachine {
    var machine = ModemMachine()
    _ = machine.handle(.listen(true), at: 0)
    _ = machine.handle(.opened, at: 0)
    _ = machine.handle(.answer(.done, to: .hello), at: 0)
    _ = machine.handle(.answer(.owner(":1.7"), to: .owner), at: 0)
    let record = record(sources: 1, signals: true, text: cellA)
    _ = machine.handle(.answer(.modems([record]), to: .modems), at: 0)
    return machine
  }

  private static func located(_ text: String) -> BusSignal {
    .location(path: path, LocationChange(text: .some(text)))
  }

  @Test("Nothing wakes by itself while a modem is followed, absent or of no use")
  func quiet() {
    var machine = Self.following()
    #expect(machine.state == .following && machine.deadline == nil)
    _ = machine.handle(.signal(.owner(nil), from: "org.freedesktop.DBus"), at: 1)
    #expect(machine.state == .absent && machine.deadline == nil)
    _ = machine.handle(.signal(.owner(":1.9"), from: "org.freedesktop.DBus"), at: 2)
    _ = machine.handle(.answer(.modems([]), to: .modems), at: 3)
    #expect(machine.state == .idle && machine.deadline == nil)
    #expect(machine.handle(.listen(false), at: 4) == [.close])
    #expect(machine.state == .resting && machine.deadline == nil)
  }

  @Test("Signals of others than ModemManager and the bus are not believed")
  func forged() {
    var machine = Self.following()
    let same = machine
    #expect(machine.handle(.signal(Self.located(Self.cellB), from: ":1.8"), at: 1) == [])
    #expect(machine.handle(.signal(.owner(nil), from: ":1.8"), at: 1) == [])
    #expect(machine.handle(.signal(.owner(":1.8"), from: ":1.7"), at: 1) == [])
    #expect(
      machine.handle(.signal(.state(path: Self.path, .init(rawValue: 3)), from: ":1.8"), at: 1)
        == [])
    #expect(machine == same)
    #expect(machine.handle(.signal(Self.located(Self.cellB), from: ":1.7"), at: 1).count == 1)
  }

  @Test("A bus that is gone is tried after 1, 2, 4 s and so on, 300 s at most, and said once")
  func backoff() {
    var machine = ModemMachine()
    #expect(machine.handle(.listen(true), at: 0) == [.open])
    var now = 0.0
    var waits: [Double] = []
    var said = 0
    for _ in 0..<12 {
      for case .say in machine.handle(.failed("refused"), at: now) { said += 1 }
      guard let deadline = machine.deadline else { break }
      waits.append(deadline - now)
      #expect(machine.handle(.timePassed, at: deadline - 0.001) == [])
      now = deadline
      #expect(machine.handle(.timePassed, at: now) == [.open])
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    #expect(said == 1)
  }

  @Test(
    "A bus that never greets is given up after 10 s; a setup that is never answered, after 60 s")
  func silence() {
    var machine = ModemMachine()
    _ = machine.handle(.listen(true), at: 0)
    _ = machine.handle(.opened, at: 0)
    #expect(machine.deadline == 10)
    #expect(machine.handle(.timePassed, at: 10).first == .close)

    machine = ModemMachine()
    _ = machine.handle(.listen(true), at: 0)
    _ = machine.handle(.opened, at: 0)
    _ = machine.handle(.answer(.done, to: .hello), at: 0)
    _ = machine.handle(.answer(.owner(":1.7"), to: .owner), at: 0)
    let actions = machine.handle(.answer(.modems([Self.record()]), to: .modems), at: 5)
    let wanted = LocationSetup(sources: 1, signals: true)
    #expect(actions.last == .send(.setup(path: Self.path, wanted)))
    #expect(machine.deadline == 65)
    _ = machine.handle(.timePassed, at: 65)
    #expect(machine.state == .blocked && machine.deadline == nil)
    // It is unknown whether the setup succeeded: it is reverted if that shows later.
    let change = LocationChange(sources: 1, signals: true)
    _ = machine.handle(.signal(.location(path: Self.path, change), from: ":1.7"), at: 70)
    #expect(machine.state == .following)
    let restored = LocationSetup(sources: 0, signals: false)
    #expect(machine.handle(.listen(false), at: 80) == [.send(.setup(path: Self.path, restored))])
    #expect(machine.deadline == 82)
    #expect(machine.handle(.timePassed, at: 82) == [.close])
  }

  @Test("Listening that begins again while it is left goes on when it has been left")
  func again() {
    var machine = ModemMachine()
    _ = machine.handle(.listen(true), at: 0)
    _ = machine.handle(.opened, at: 0)
    _ = machine.handle(.answer(.done, to: .hello), at: 0)
    _ = machine.handle(.answer(.owner(":1.7"), to: .owner), at: 0)
    _ = machine.handle(.answer(.modems([Self.record()]), to: .modems), at: 0)
    let setup = LocationSetup(sources: 1, signals: true)
    _ = machine.handle(.answer(.done, to: .setup(path: Self.path, setup)), at: 0)
    let restored = LocationSetup(sources: 0, signals: false)
    let call = BusCall.setup(path: Self.path, restored)
    #expect(machine.handle(.listen(false), at: 1) == [.send(call)])
    #expect(machine.handle(.answer(.done, to: .setup(path: Self.path, setup)), at: 1) == [])
    #expect(machine.handle(.listen(true), at: 1) == [])
    #expect(machine.handle(.answer(.done, to: call), at: 1) == [.close, .open])
  }

  @Test("Somebody else who ends the signals is not fought; when he begins them again, cells come")
  func switchedOff() {
    var machine = Self.following()
    let off = BusSignal.location(path: Self.path, LocationChange(signals: false))
    #expect(
      machine.handle(.signal(off, from: ":1.7"), at: 1)
        == [.say(.trouble(.switchedOff(modem: "modem 0")))])
    #expect(machine.handle(.signal(off, from: ":1.7"), at: 2) == [])
    let on = BusSignal.location(
      path: Self.path, LocationChange(signals: true, text: .some(Self.cellB)))
    #expect(machine.handle(.signal(on, from: ":1.7"), at: 3).count == 1)
    #expect(machine.state == .following)
    // We have set up nothing: nothing is reverted.
    #expect(machine.handle(.listen(false), at: 4) == [.close])
  }

  @Test("Any input in any state leaves the machine consistent, and its answers few")
  func anyOrder() {
    var seed = SplitMix64(seed: 4)
    let setups = [LocationSetup(sources: 1, signals: true), .init(sources: 0, signals: false)]
    for _ in 0..<200 {
      var machine = ModemMachine()
      for step in 0..<200 {
        let records = [Self.record(sources: UInt32(seed.next() & 1), signals: seed.next() & 1 == 0)]
        let inputs: [ModemMachine.Input] = [
          .listen(true), .listen(false), .opened, .failed("gone"), .timePassed,
          .answer(.done, to: .hello), .answer(.owner(":1.7"), to: .owner),
          .answer(.refused(name: "x.NameHasNoOwner", text: ""), to: .owner),
          .answer(.modems(records), to: .modems), .answer(.modems([]), to: .modems),
          .answer(.done, to: .setup(path: Self.path, setups[step & 1])),
          .answer(.refused(name: "x.WrongState", text: ""), to: .setup(path: Self.path, setups[0])),
          .signal(.owner(nil), from: "org.freedesktop.DBus"),
          .signal(.owner(":1.7"), from: "org.freedesktop.DBus"), .signal(.modems, from: ":1.7"),
          .signal(Self.located(Self.cellA), from: ":1.7"),
          .signal(.state(path: Self.path, .init(rawValue: Int32(seed.next() % 12))), from: ":1.7"),
        ]
        let input = inputs[Int(seed.next() % UInt64(inputs.count))]
        let actions = machine.handle(input, at: Double(step))
        #expect(actions.count <= 12)
        switch machine.state {
        case .resting: #expect(!machine.isWanted)
        case .following: #expect(machine.modem?.setup.tellsCells == true && machine.isWanted)
        case .leaving, .waiting, .greeting, .absent, .looking, .idle, .settingUp, .blocked: break
        }
      }
      // From anywhere it comes to rest.
      _ = machine.handle(.listen(false), at: 1_000)
      _ = machine.handle(.timePassed, at: 2_000)
      #expect(machine.state == .resting)
    }
  }
}
