// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Testing

@Suite("What a keeper decides")
struct KeeperMachineTests {
  /// A machine, and its actions after the last input.
  struct Kept {
    var machine = KeeperMachine(holdsFrozen: 600)
    var actions: [KeeperMachine.Action] = []

    mutating func take(_ input: KeeperMachine.Input, at now: Double = 0) -> [KeeperMachine.Action] {
      var actions: [KeeperMachine.Action] = []
      machine.handle(input, at: now, into: &actions)
      return actions
    }

    static func running(limit: Double? = nil) -> Kept {
      var kept = Kept()
      _ = kept.take(.daemonCame)
      _ = kept.take(.started(limit: limit))
      return kept
    }

    static func frozen(limit: Double? = nil) -> Kept {
      var kept = running(limit: limit)
      _ = kept.take(.freeze)
      _ = kept.take(.checked(isFrozen: true))
      return kept
    }
  }

  @Test("While it runs or is frozen, nothing is pending: an idle keeper is woken by nothing")
  func idle() {
    #expect(Kept.running().machine.nextDeadline == nil)
    #expect(Kept.frozen(limit: 30).machine.nextDeadline == nil)
  }

  @Test("While the machine sleeps, the time limit and the grace stand still")
  func sleeps() {
    var kept = Kept.running(limit: 60)
    #expect(kept.take(.slept(3_600), at: 3_605) == [])
    #expect(kept.machine.nextDeadline == 3_660)
    #expect(kept.take(.timePassed, at: 3_605) == [])
    _ = kept.take(.end(grace: 2), at: 3_610)
    _ = kept.take(.slept(600), at: 4_211)
    #expect(kept.machine.nextDeadline == 4_212)
  }

  @Test("Freezing is confirmed, with pauses that double")
  func confirms() {
    var kept = Kept.running()
    #expect(kept.take(.freeze, at: 10) == [.freeze, .checkFrozen])
    var now = 10.0
    for pause in [0.001, 0.002, 0.004, 0.008] {
      #expect(kept.take(.checked(isFrozen: false), at: now) == [])
      #expect(abs((kept.machine.nextDeadline ?? 0) - now - pause) < 1e-9)
      now += pause
      #expect(kept.take(.timePassed, at: now + 1e-9) == [.checkFrozen])
    }
    #expect(kept.take(.checked(isFrozen: true), at: now) == [.report(.frozen)])
    #expect(kept.machine.isFrozen)
  }

  @Test("A freeze that hangs is warned of once")
  func warns() {
    var kept = Kept.running()
    _ = kept.take(.freeze, at: 0)
    #expect(kept.take(.checked(isFrozen: false), at: 5) == [])
    #expect(kept.take(.checked(isFrozen: false), at: 5.5).count == 1)
    #expect(kept.take(.checked(isFrozen: false), at: 6) == [])
    #expect(kept.take(.thaw, at: 7) == [.thaw, .report(.thawed)])
  }

  @Test("The hold begins when the daemon has gone and the app is frozen, whichever is later")
  func holds() {
    var first = Kept.frozen()
    #expect(first.take(.daemonLeft, at: 100) == [])
    #expect(first.machine.nextDeadline == 700)
    #expect(first.take(.timePassed, at: 699) == [])
    #expect(first.take(.timePassed, at: 700) == [.kill])

    var late = Kept.running()
    _ = late.take(.freeze, at: 100)
    _ = late.take(.daemonLeft, at: 100)
    _ = late.take(.checked(isFrozen: true), at: 101)
    #expect(late.machine.nextDeadline == 701)
    _ = late.take(.daemonCame, at: 300)
    #expect(late.machine.nextDeadline == nil)

    var running = Kept.running()
    #expect(running.take(.daemonLeft, at: 5) == [])
    #expect(running.machine.nextDeadline == nil)
  }

  @Test("Ending thaws, asks, and kills when the grace is over; a second one only shortens it")
  func ends() {
    var kept = Kept.frozen()
    #expect(kept.take(.end(grace: 5), at: 10) == [.thaw, .terminate])
    #expect(kept.take(.end(grace: 60), at: 11) == [])
    #expect(kept.machine.nextDeadline == 15)
    #expect(kept.take(.end(grace: 1), at: 11) == [])
    #expect(kept.machine.nextDeadline == 12)
    #expect(kept.take(.freeze, at: 11.5) == [] && kept.take(.thaw, at: 11.5) == [])
    #expect(kept.take(.timePassed, at: 12) == [.kill])
    #expect(kept.take(.timePassed, at: 12.01) == [.kill])
    #expect(kept.take(.mainEnded(.signalled(9)), at: 12.02) == [])
    #expect(
      kept.take(.allGone, at: 12.02)
        == [.record(.signalled(9)), .report(.ended(.signalled(9)))])
    #expect(kept.machine.nextDeadline == nil)
    #expect(kept.take(.receipt) == [.leave])
  }

  @Test("Children outlive the main process by one second at most")
  func children() {
    var kept = Kept.running()
    #expect(kept.take(.mainEnded(.exited(3)), at: 10) == [.thaw, .terminate])
    #expect(kept.take(.timePassed, at: 11) == [.kill])
    #expect(
      kept.take(.allGone, at: 11) == [.record(.exited(3)), .report(.ended(.exited(3)))])
  }

  @Test("The end of an app that no daemon watches is recorded, and the keeper leaves")
  func unwatched() {
    var kept = Kept.running()
    _ = kept.take(.daemonLeft, at: 1)
    _ = kept.take(.mainEnded(.exited(0)), at: 2)
    #expect(
      kept.take(.allGone, at: 2)
        == [.record(.exited(0)), .report(.ended(.exited(0))), .leave])
    // And if the daemon dies before its receipt.
    var late = Kept.running()
    _ = late.take(.mainEnded(.exited(0)), at: 2)
    _ = late.take(.allGone, at: 2)
    #expect(late.take(.daemonLeft, at: 3) == [.leave])
  }

  @Test("The time limit stands still while the app is frozen")
  func limit() {
    var kept = Kept.running(limit: 30)
    #expect(kept.machine.nextDeadline == 30)
    _ = kept.take(.freeze, at: 10)
    _ = kept.take(.checked(isFrozen: true), at: 10)
    #expect(kept.machine.nextDeadline == nil)
    _ = kept.take(.thaw, at: 1_000)
    #expect(kept.machine.nextDeadline == 1_020)
    let actions = kept.take(.timePassed, at: 1_020)
    #expect(actions.suffix(2) == [.thaw, .terminate])
    #expect(kept.machine.nextDeadline == 1_025)
  }

  @Test("What could not be started is recorded and reported, and nothing is signalled")
  func fails() {
    var kept = Kept()
    _ = kept.take(.daemonCame)
    let ending = KeeperMachine.Ending.failed("no such file")
    #expect(
      kept.take(.couldNotStart(ending)) == [.record(ending), .report(.ended(ending))])
    #expect(kept.take(.kill) == [] && kept.take(.freeze) == [])
  }
}
