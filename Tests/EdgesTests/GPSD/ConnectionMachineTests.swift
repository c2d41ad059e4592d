// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import Testing

@testable import GPSDSource

@Suite("The connection's machine")
struct ConnectionMachineTests {
  /// The same number forever: 0 draws the shortest wait, all ones (nearly) the longest.
  struct Constant: RandomNumberGenerator {
    var number: UInt64
    mutating func next() -> UInt64 { number }
  }

  static func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  @Test("A life: refused, connected, greeted, lost, back, ended")
  func life() {
    var machine = ConnectionMachine(Constant(number: 0))
    #expect(machine.watch(true) == [.connect(attempt: 1)])
    #expect(
      machine.failed("no", at: Self.at(0))
        == [.tell(.unreachable(reason: "no", retryAfter: 1))])
    #expect(machine.nextDeadline == Self.at(1))
    #expect(machine.advance(to: Self.at(0.9)) == [])
    #expect(machine.advance(to: Self.at(1)) == [.connect(attempt: 2)])
    machine.connected(at: Self.at(1))
    #expect(machine.greeted(at: Self.at(1.1)) == [.enableWatch, .tell(.watching(true))])
    #expect(machine.nextDeadline == nil)
    // Not proved: the second failure waits longer.
    #expect(
      machine.lost("gone", at: Self.at(2))
        == [.hangUp, .tell(.lost(reason: "gone", retryAfter: 2))])
    #expect(machine.advance(to: Self.at(4)) == [.connect(attempt: 3)])
    machine.connected(at: Self.at(4))
    _ = machine.greeted(at: Self.at(4))
    machine.proved()
    #expect(
      machine.lost("gone", at: Self.at(5))
        == [.hangUp, .tell(.lost(reason: "gone", retryAfter: 1))])
    #expect(machine.watch(false) == [])
    #expect(machine.nextDeadline == nil)
    #expect(machine.endForGood() == [.hangUp])
    #expect(machine.watch(true) == [])
  }

  //  watching ─ off ─► releasing ─ on ─► releasing ─ released ─► connecting
  @Test("gpsd closes its devices before a new watch begins; one that is taken back begins none")
  func releases() {
    for isWanted in [true, false] {
      var machine = ConnectionMachine(Constant(number: 0), releases: true)
      _ = machine.watch(true)
      machine.connected(at: Self.at(0))
      _ = machine.greeted(at: Self.at(0))
      #expect(machine.watch(false) == [.disableWatch, .hangUp, .tell(.watching(false)), .release])
      #expect(machine.watch(true) == [] && machine.nextDeadline == nil)
      #expect(machine.lost("late", at: Self.at(1)) == [])
      if !isWanted { #expect(machine.watch(false) == []) }
      #expect(machine.released() == (isWanted ? [.connect(attempt: 2)] : []))
      #expect(machine.released() == [])
    }
    var ended = ConnectionMachine(Constant(number: 0), releases: true)
    _ = ended.watch(true)
    ended.connected(at: Self.at(0))
    _ = ended.greeted(at: Self.at(0))
    _ = ended.watch(false)
    #expect(ended.endForGood() == [.hangUp])
    #expect(ended.released() == [] && ended.state == .ended)
  }

  //  watching ─ off, of unknown kind ─► identifying ─ known, or time ─► releasing
  //                                        └─ on ─► watching
  @Test("A look whose receiver is of unknown kind goes on for some seconds, for nobody")
  func identifies() {
    func watching() -> ConnectionMachine<Constant> {
      var machine = ConnectionMachine(Constant(number: 0), releases: true)
      _ = machine.watch(true)
      machine.connected(at: Self.at(0))
      _ = machine.greeted(at: Self.at(0))
      return machine
    }
    for isKnown in [true, false] {
      var machine = watching()
      #expect(machine.identified() == [])
      #expect(machine.watch(false, kindBy: Self.at(8)) == [.tell(.watching(false))])
      #expect(!machine.isHeard && machine.nextDeadline == Self.at(8))
      #expect(machine.watch(false) == [])
      let actions = isKnown ? machine.identified() : machine.advance(to: Self.at(8))
      #expect(actions == [.disableWatch, .hangUp, .release])
      #expect(machine.state == .releasing(isWanted: false))
    }
    var again = watching()
    _ = again.watch(false, kindBy: Self.at(8))
    #expect(again.watch(true) == [.tell(.watching(true))])
    #expect(again.isHeard && again.state == .watching(since: Self.at(0)))
    var lost = watching()
    _ = lost.watch(false, kindBy: Self.at(8))
    #expect(lost.lost("gone", at: Self.at(1)) == [.hangUp] && lost.state == .idle)
    var ended = watching()
    _ = ended.watch(false, kindBy: Self.at(8))
    #expect(ended.endForGood() == [.disableWatch, .hangUp])
    // Without a control socket there is nothing to wait for.
    var plain = ConnectionMachine(Constant(number: 0))
    _ = plain.watch(true)
    plain.connected(at: Self.at(0))
    _ = plain.greeted(at: Self.at(0))
    #expect(plain.watch(false, kindBy: Self.at(8)).last == .tell(.watching(false)))
    #expect(plain.state == .idle)
  }

  @Test("A peer that says nothing for 10 s is no gpsd")
  func silent() {
    var machine = ConnectionMachine(Constant(number: 0))
    _ = machine.watch(true)
    machine.connected(at: Self.at(0))
    #expect(machine.nextDeadline == Self.at(10))
    #expect(
      machine.advance(to: Self.at(10)) == [
        .hangUp,
        .tell(
          .lost(
            reason: "it says nothing: gpsd hangs, or what listens there is no gpsd", retryAfter: 1)),
      ])
  }

  @Test("A watch that ends is disabled in words before the connection is closed")
  func ends() {
    var machine = ConnectionMachine(Constant(number: 0))
    _ = machine.watch(true)
    machine.connected(at: Self.at(0))
    _ = machine.greeted(at: Self.at(0))
    #expect(machine.watch(false) == [.disableWatch, .hangUp, .tell(.watching(false))])
    #expect(machine.state == .idle)
    // Nothing was told to close.
    #expect(machine.released() == [])
    // A late input changes nothing.
    #expect(machine.lost("late", at: Self.at(1)) == [])
    #expect(machine.greeted(at: Self.at(1)) == [])
  }
}
