// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import Testing

@testable import LocationClient

// What answers a single request, and how deferred positions come.

extension SessionMachineTests {
  /// What one manager that requested a single position is told of it, if these messages follow.
  private func answers(
    to authorization: Authorization = .always, _ messages: [SessionMachine.Input]
  ) -> [Notice] {
    var once = Wishes()
    once.once = true
    var machine = SessionMachine()
    var actions: [SessionMachine.Action] = []
    let inputs: [SessionMachine.Input] =
      [.message(SilentBackend.welcome(authorization)), .joined(1), .wants(1, once)] + messages
    for input in inputs { machine.handle(input, into: &actions) }
    return actions.compactMap { action in
      guard case .hand(let notice, 1) = action else { return nil }
      switch notice {
      case .failure, .location: return notice
      default: return nil
      }
    }
  }

  @Test("A single request has one answer, whatever follows it: a failure, or a position")
  func oneAnswer() {
    let failed = SessionMachine.Input.message(.requestFailed("none"))
    let position = location(delivery(1, .standard))
    #expect(answers(to: .denied, [failed, failed]) == [.failure(.forbidden)])
    #expect(
      answers([.message(.authorization(.denied)), failed, position]) == [.failure(.forbidden)])
    let unknown = Notice.failure(CLError(.locationUnknown, "none"))
    #expect(answers([.message(.noFix("no sky")), failed, position]) == [unknown])
    let lost = SessionMachine.Input.disconnected("gone")
    #expect(
      answers([lost, lost, .message(SilentBackend.welcome()), failed])
        == [.failure(CLError(.locationUnknown, "gone"))])
    #expect(answers([.message(.error(code: .storage, "full")), failed, position]).count == 1)
    #expect(answers([position, failed, location(delivery(2, .standard))]).count == 1)
  }

  @Test("Denied, it is not even sent")
  mutating func deniedRequest() {
    _ = send(.message(SilentBackend.welcome(.denied)))
    _ = send(.joined(1))
    var once = Wishes()
    once.once = true
    #expect(sent(.wants(1, once)) == [])
    #expect(sent(.message(.authorization(.always))) == [], "it is over")
  }

  @Test("Positions that were kept back come as one notice, with one ticket for all")
  mutating func gathered() {
    var wishes = standard(filter: nil)
    wishes.significant = true
    _ = send(welcome())
    _ = send(.joined(1))
    _ = send(.wants(1, wishes))
    _ = send(.defers(1, Deferral(distance: nil, timeout: 60)))
    func kept(_ number: UInt64) -> SessionMachine.Input {
      let old = delivery(number, .continuous)
      return location(
        Delivery(
          sequence: number, service: .continuous, fix: old.fix, isCached: false, moved: nil,
          since: nil, occasion: .deferral))
    }
    for number in 1...300 { #expect(send(kept(UInt64(number))) == []) }
    let actions = send(.message(.deferralEnded(.finished)))
    guard case .hand(.locations(let all, let ticket), 1)? = actions.first else {
      Issue.record("\(actions.first as Any)")
      return
    }
    #expect(all.count == 300 && all.map(\.fix.time) == all.map(\.fix.time).sorted { $0! < $1! })
    #expect(actions.dropFirst() == [.hand(.deferralEnded(nil), to: 1)])
    #expect(sent(.finished(ticket: ticket)) == [.acknowledge(300)])
    // After a new connection no end will come: they are handed over one by one.
    #expect(subject.unfinished == 0)
    let alone = send(kept(301))
    guard case .hand(.location, 1)? = alone.first else {
      Issue.record("\(alone)")
      return
    }
  }
}
