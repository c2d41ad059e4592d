// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Glibc
import LocationModel
import Testing

@testable import LocationClient

/// Inputs and their results, by the theory above `AppBackground`.
@Suite("What an app does in the background is said, and what it is called for is told")
struct AppBackgroundTests: SessionDriving {
  var subject = SessionMachine()

  /// The notices of the listener, which is number 1.
  private mutating func told(_ input: SessionMachine.Input) -> [Notice] {
    send(input).compactMap { if case .hand(let notice, to: 1) = $0 { notice } else { nil } }
  }

  private func welcome(
    _ state: AppState = .active, reason: WakeReason? = nil
  ) -> SessionMachine.Input {
    .message(
      .welcome(
        .init(
          release: "1", app: "walker", state: state, authorization: .always, launchReason: reason,
          monitorsSignificantChanges: false, acknowledged: 0)))
  }

  private mutating func listen() -> [Notice] {
    _ = send(.joined(1))
    return told(.background(.listens(1)))
  }

  @Test("The launch is told first and once; then the state that was told last")
  mutating func launch() {
    #expect(listen() == [])
    let first = told(welcome())
    #expect(first.last == .background(.launched(nil, into: .active)))
    #expect(told(.message(.state(.active))) == [.state(.active)])
    _ = send(.disconnected("gone"))
    let again = told(welcome())
    #expect(!again.contains(.background(.launched(nil, into: .active))))
  }

  @Test("A listener that comes late is told the launch, and where the app has come to")
  mutating func late() {
    _ = send(welcome())
    _ = send(.message(.state(.active)))
    _ = send(.message(.state(.inactive)))
    let told = listen()
    #expect(told == [.background(.launched(nil, into: .inactive)), .state(.inactive)])
  }

  @Test("A launch without a callback has none either for a listener that comes after the event")
  mutating func lateAfterEvent() {
    _ = send(welcome(.background, reason: .location))
    _ = send(.message(.motion))
    #expect(listen() == [.background(.launched(.location, into: .background))])
    // The assumed state is no news; another one is.
    #expect(told(.message(.state(.background))) == [])
    #expect(told(.message(.state(.inactive))) == [.state(.inactive)])
  }

  @Test("What was switched off without a connection is said at the next welcome")
  mutating func switchedOff() {
    _ = send(welcome())
    _ = sent(.background(.keepsAlive(every: 600)))
    _ = sent(.background(.watchesSocket(true)))
    _ = sent(.background(.playsAudio(true)))
    _ = send(.disconnected("gone"))
    #expect(sent(.background(.keepsAlive(every: nil))) == [])
    #expect(sent(.background(.watchesSocket(false))) == [])
    #expect(sent(.background(.playsAudio(false))) == [])
    #expect(sent(welcome()) == [.setKeepAlive(nil), .watchSocket(false), .audio(false)])
  }

  @Test("Without a daemon the app begins all the same; a later welcome launches nobody again")
  mutating func alone() {
    _ = listen()
    #expect(told(.disconnected("no daemon")) == [.background(.launched(nil, into: .active))])
    #expect(told(.disconnected("no daemon")) == [])
    let notices = told(welcome())
    #expect(notices == [.authorization(.always)])
  }

  @Test(
    "The call that launched the process comes with the welcome, behind the launch; a location is no call"
  )
  mutating func launchCall() {
    _ = listen()
    let fetch = told(welcome(.background, reason: .fetch))
    #expect(
      fetch.suffix(2) == [
        .background(.launched(.fetch, into: .background)),
        .background(.called(.fetch, seconds: nil)),
      ])
    subject = SessionMachine()
    _ = listen()
    #expect(
      told(welcome(.background, reason: .location)).last
        == .background(.launched(.location, into: .background)))
  }

  @Test("Calls wait for a listener, 16 at most")
  mutating func calls() {
    _ = send(welcome())
    var said: [String] = []
    for _ in 1...20 { said += complaints(.message(.wake(.push, seconds: 30))) }
    #expect(
      said == [
        "milepost: this app was called 16 times and nobody in it listens; it is not told of any more calls, first "
          + "push; set UIApplication.shared.delegate when the process begins"
      ])
    #expect(subject.background.unheard == 4)
    let calls = listen().filter { $0 == .background(.called(.push, seconds: 30)) }
    #expect(calls.count == 16)
    #expect(
      told(.message(.wake(.keepAlive, seconds: 30)))
        == [.background(.called(.keepAlive, seconds: 30))])
  }

  @Test("A handler's return is said when the last call for its reason has returned, and only then")
  mutating func returns() {
    _ = send(welcome())
    _ = listen()
    #expect(sent(.background(.returns(.fetch, .newData))) == [])
    _ = send(.message(.wake(.fetch, seconds: 30)))
    #expect(sent(.background(.returns(.fetch, .newData))) == [.returned(.fetch, .newData)])
    _ = send(.message(.wake(.push, seconds: 30)))
    _ = send(.message(.wake(.push, seconds: 30)))
    #expect(sent(.background(.returns(.push, .noData))) == [])
    #expect(sent(.background(.returns(.push, .failed))) == [.returned(.push, .failed)])
  }

  @Test(
    "Tasks and settings are said when they change, and again at each welcome; what is over is not")
  mutating func settings() {
    let messages: [ClientMessage] = [
      .beginTask(id: 2, name: "upload"), .setFetchInterval(nil), .setKeepAlive(600),
      .watchSocket(true), .audio(true),
    ]
    _ = sent(.background(.begins(task: 1, name: "")))
    _ = sent(.background(.begins(task: 2, name: "upload")))
    _ = sent(.background(.fetches(every: nil)))
    _ = sent(.background(.keepsAlive(every: 600)))
    _ = sent(.background(.watchesSocket(true)))
    _ = sent(.background(.playsAudio(true)))
    #expect(sent(.background(.ends(task: 1))) == [])
    #expect(sent(welcome()) == messages + [.endTask(1)])
    _ = send(.disconnected("gone"))
    #expect(sent(welcome()) == messages)
    #expect(sent(.background(.ends(task: 2))) == [.endTask(2)])
    #expect(sent(.background(.ends(task: 2))) == [])
    // The daemon has stopped it: it is not requested again.
    _ = send(.message(.audioStopped))
    _ = send(.disconnected("gone"))
    #expect(sent(welcome()) == [.setFetchInterval(nil), .setKeepAlive(600), .watchSocket(true)])
  }

  @Test("A process that has not decided how often it fetches leaves that as it is")
  mutating func undecided() {
    #expect(sent(welcome()) == [])
  }

  private mutating func complaints(_ input: SessionMachine.Input) -> [String] {
    send(input).compactMap { if case .complain(let words) = $0 { words } else { nil } }
  }

  @Test(
    "Orders wait for a connection, in order, 256 at most; the oldest are given up, and that is said"
  )
  mutating func orders() {
    var complaints: [String] = []
    for number in 1...300 {
      complaints += self.complaints(.background(.schedules(LocalNotification("\(number)"))))
    }
    #expect(
      complaints == [
        "milepost: 256 things that this app has said wait for milepostd, which is not there; the oldest are "
          + "given up for new ones, first the notification '1'; is milepostd running?"
      ])
    let actions = send(welcome())
    #expect(
      actions.contains(
        .complain(
          "milepost: milepostd is there; of what this app has said meanwhile the newest 256 are heard, and 44 "
            + "before them are lost")))
    let said: [ClientMessage] = actions.compactMap {
      if case .send(let message) = $0 { message } else { nil }
    }
    #expect(said.count == 256)
    #expect(said.first == .schedule(LocalNotification("45")))
    #expect(said.last == .schedule(LocalNotification("300")))
    #expect(sent(.background(.cancels(nil))) == [.cancelNotification(nil)])
  }

  @Test(
    "A notification replaces the one of its name that waits; cancelling all leaves none waiting")
  mutating func moot() {
    var soon = LocalNotification("tea")
    soon.body = "now"
    for _ in 1...300 {
      #expect(complaints(.background(.schedules(LocalNotification("tea")))) == [])
    }
    _ = send(.background(.schedules(LocalNotification("lunch"))))
    _ = send(.background(.schedules(soon)))
    #expect(sent(welcome()) == [.schedule(LocalNotification("lunch")), .schedule(soon)])
    _ = send(.disconnected("gone"))
    _ = send(.background(.begins(task: 7, name: "")))
    _ = send(.background(.ends(task: 7)))
    _ = send(.background(.schedules(soon)))
    _ = send(.background(.cancels("lunch")))
    _ = send(.background(.cancels(nil)))
    #expect(sent(welcome()) == [.endTask(7), .cancelNotification(nil)])
  }

  @Test("A socket is handed over behind the word that it is watched, and again to each new daemon")
  mutating func socket() throws {
    var pair: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
    defer { for descriptor in pair { close(descriptor) } }
    let first = try SocketCopy(of: pair[0])
    let second = try SocketCopy(of: pair[0])
    #expect(send(.background(.handsOver(first))) == [])
    #expect(send(welcome()).suffix(2) == [.send(.watchSocket(true)), .handOver(first)])
    #expect(
      send(.background(.handsOver(second))) == [.send(.watchSocket(true)), .handOver(second)])
    #expect(
      !subject.watches(first) && subject.watches(second),
      "a hand-over that waited is for the newest")
    _ = send(.disconnected("gone"))
    #expect(send(welcome()).suffix(2) == [.send(.watchSocket(true)), .handOver(second)])
    _ = send(.background(.watchesSocket(false)))
    #expect(!subject.watches(second))
    _ = send(.disconnected("gone"))
    #expect(send(welcome()).last == .send(.watchSocket(false)))
  }

  @Test("Why a socket is not watched is told; of one that another has replaced it is not")
  mutating func refusedSocket() throws {
    _ = listen()
    _ = send(welcome())
    let (first, second) = (try SocketCopy(of: 0), try SocketCopy(of: 0))
    _ = send(.background(.handsOver(first)))
    _ = send(.background(.handsOver(second)))
    #expect(told(.background(.wasRefused(first, "no"))) == [])
    #expect(told(.background(.wasRefused(second, "no"))) == [.background(.socketRefused("no"))])
    _ = send(.disconnected("gone"))
    #expect(!send(welcome()).contains(.handOver(second)))
  }

  @Test("Answers are counted, so that who asks can tell his own from one that came too late")
  mutating func answers() {
    _ = send(welcome())
    #expect(sent(.background(.asks(.timeRemaining))) == [.timeRemaining])
    #expect(sent(.background(.asks(.timeRemaining))) == [.timeRemaining])
    _ = send(.message(.timeRemaining(5)))
    #expect(subject.background.remaining.value == 5)
    // The first of two questions.
    #expect(subject.background.remaining.answered == 1)
    #expect(subject.background.remaining.asked == 2)
    _ = send(.message(.timeRemaining(30)))
    #expect(subject.background.remaining.value == 30)
    #expect(subject.background.remaining.answered == 2)
    // A question that was lost with its connection: the next answer belongs to the next question.
    _ = send(.background(.asks(.timeRemaining)))
    _ = send(.disconnected("gone"))
    _ = send(welcome())
    _ = send(.background(.asks(.timeRemaining)))
    _ = send(.message(.timeRemaining(20)))
    #expect(subject.background.remaining.answered == subject.background.remaining.asked)
    #expect(sent(.background(.asks(.notifications))) == [.notifications])
    _ = send(.message(.notifications([LocalNotification("a")])))
    #expect(subject.background.notifications.value == [LocalNotification("a")])
    #expect(subject.background.notifications.answered == 1)
  }

  @Test("Only the listener is told of the background; managers hear of states alone")
  mutating func others() {
    _ = send(welcome())
    _ = listen()
    _ = send(.joined(2))
    let hands = send(.message(.tasksExpire([1], seconds: 5)))
    #expect(hands == [.hand(.background(.expiring([1], seconds: 5)), to: 1)])
  }
}
