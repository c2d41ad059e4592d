// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import ServiceCore
import Testing

/// Found by the simulator; each failed before its fix.
@Suite("What an app is told")
struct SuspendedTests {
  //  launched ─ welcome ─ background ─ 5 s ─ suspended ─ denied ─ always ─ foreground
  //                                                       (nothing is told)    └► always
  @Test("A suspended app is told of its authorization when it runs again")
  func authorization() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("a", kind: .connected)
    bench.tell(.process(.started(app: "a", pid: 5)))
    let client = ClientID(100)
    bench.tell(
      .client(.connected(client, .socket(pid: 5, group: 5, uid: 0))),
      .client(.message(client, .hello(.init(app: "a")))))
    bench.wait(6)
    #expect(bench.tell(.timePassed).contains(.freeze("a")))
    for level in [Authorization.denied, .always] {
      let effects = bench.user(.authorize("a", level))
      #expect(effects.messages == [.ok])
    }
    let effects = bench.user(.control("a", .foreground))
    #expect(effects.messages.contains(.authorization(.always)))
  }

  //  launched ─ welcome ─ reduced ─ background ─ 5 s ─ suspended ─ full ─ reduced ─ foreground ─ hello
  //                        └► reduced                            (nothing is told)   └► reduced   └► welcome: reduced
  @Test(
    "An app is told how exactly it may know: at once, when it runs again, and when it connects")
  func accuracy() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("a", kind: .connected)
    bench.tell(.process(.started(app: "a", pid: 5)))
    let client = ClientID(100)
    func accuracies(_ effects: [ServiceEffect]) -> [LocationAccuracy?] {
      effects.messages.compactMap { message in
        switch message {
        case .welcome(let welcome): .some(welcome.accuracy)
        case .accuracy(let accuracy): .some(accuracy)
        default: nil
        }
      }
    }
    let hello: ServiceInput = .client(.message(client, .hello(.init(app: "a"))))
    let welcome = bench.tell(
      .client(.connected(client, .socket(pid: 5, group: 5, uid: 0))), hello)
    #expect(accuracies(welcome) == [nil])
    #expect(accuracies(bench.user(.authorize("a", .always, .reduced))) == [.reduced])
    #expect(accuracies(bench.user(.authorize("a", .always, .reduced))) == [])
    bench.wait(6)
    #expect(bench.tell(.timePassed).contains(.freeze("a")))
    for accuracy in [LocationAccuracy.full, .reduced] {
      #expect(accuracies(bench.user(.authorize("a", .always, accuracy))) == [])
    }
    #expect(accuracies(bench.user(.control("a", .foreground))) == [.reduced])
    #expect(accuracies(bench.tell(hello)) == [.reduced])
  }

  //  a stranger connects ─ is purged by 600 s ─ stays connected ─ an event ─ launched by its user
  @Test("A stranger that was given up and stays connected is sent what waits when it is launched")
  func stranger() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("a", kind: .connected)
    bench.user(.control("a", .quit))
    bench.tell(.process(.started(app: "a", pid: 4)), .process(.ended(app: "a", .signalled(9))))
    let client = ClientID(100)
    bench.tell(
      .client(.connected(client, .socket(pid: 77, group: 77, uid: 0))),
      .client(.message(client, .hello(.init(app: "a")))))
    let first = bench.move(toKilometre: 0).sent
    #expect(first == [1])
    bench.user(.control("a", .quit))
    let effects = bench.user(.control("a", .launch))
    #expect(effects.sent == [1])
    #expect(effects.messages.contains(.state(.active)))
  }

  //  launched ─ a stranger says that it is the app ─ started (process 5): close ─ 5 says hello ─ welcome
  @Test("Who says to be an app while that is being started does not keep it from connecting")
  func claimed() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("a", kind: .connected)
    func hello(_ number: UInt64, from pid: Int32) -> [ServiceInput] {
      let client = ClientID(number)
      return [
        .client(.connected(client, .socket(pid: pid, group: pid, uid: 0))),
        .client(.message(client, .hello(.init(app: "a")))),
      ]
    }
    for input in hello(100, from: 77) { bench.tell(input) }
    #expect(bench.tell(.process(.started(app: "a", pid: 5))).contains(.close(ClientID(100))))
    bench.tell(hello(101, from: 5)[0])
    let welcomes = bench.tell(hello(101, from: 5)[1]).messages.filter {
      if case .welcome = $0 { true } else { false }
    }
    #expect(welcomes.count == 1)
  }
}
