// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Glibc
import LocationModel
import NIOCore
import ServiceContract

// Theory
// ======
//
// One value on one event loop, shared by all connections. The page is a client of the control protocol like any other:
// it shows only the answers to `OVERVIEW` and `HISTORY`.
//
//   first connection ─► `connected` ─► questions, answers ─► last one closed ─► `disconnected`
//
// Viewers (`/events`) are notified of events:
//
//   the daemon took a batch ─► stirred ─┬─ within 1 s of the last look ─► a timer ─┐
//                                       └─ else ───────────────────────────────────┴─► ask OVERVIEW ─► all
//
// After 15 s without an event a comment is sent, so that a dead connection is noticed; both timers exist only while
// there is a viewer.

/// The state shared by all connections.
final class StatusDesk {
  /// The limit of simultaneous connections, and of viewers among them.
  static let connectionLimit = 32
  static let watcherLimit = 16
  /// The limit of questions that wait for their answers.
  static let questionLimit = 64
  /// The pause between two looks at the service.
  static let pause = TimeAmount.seconds(1)
  /// The silence after which a comment is sent.
  static let silence = TimeAmount.seconds(15)

  let surroundings: PageSurroundings
  private(set) var gate: WebGuard
  private let loop: any EventLoop
  private let address: String
  private let file: URLFile
  private let isWatched: WatchFlag
  private let sink: @Sendable (ClientEvent) -> Void
  private(set) var ground = Ground.awaited
  private var log: EventLog
  private var eras = 0
  private var connections: [ObjectIdentifier: WebHandler] = [:]
  private var watchers: [ObjectIdentifier: WebHandler] = [:]
  private var questions: [String: (Result<String, Refusal>) -> Void] = [:]
  private var asked = 0
  private var opened = 0
  private var lastLook = NIODeadline.distantPast
  private var look: Scheduled<Void>?
  private var comment: Scheduled<Void>?

  /// The ground under the page's map, read while the page is already served, since a country takes minutes.
  enum Ground {
    case awaited
    case laid([UInt8])
    /// It could not be read; the daemon's log says why.
    case missing
  }

  /// The reason why there is no document.
  struct Refusal: Error {
    let status: Int
    let text: String
  }

  init(
    _ setup: StatusServer.Setup, address: String, port: Int, on loop: any EventLoop,
    isWatched: WatchFlag, sink: @escaping @Sendable (ClientEvent) -> Void
  ) throws {
    surroundings = setup.surroundings
    gate = WebGuard(name: setup.name, port: port, random: Secret.make)
    file = URLFile(path: setup.urlFile)
    self.address = address
    self.loop = loop
    self.isWatched = isWatched
    self.sink = sink
    log = EventLog(era: "\(getpid()).0")
    try writeURL()
  }

  /// Whether there is room for one more. If all places are taken, the oldest connection that has not sent its request
  /// yet makes room: else 32 half-sent requests of any program here would keep the owner out.
  func makeRoom() -> Bool {
    guard connections.count >= Self.connectionLimit else { return true }
    let silent = connections.values.filter(\.awaitsRequest).min { $0.number < $1.number }
    silent?.endConnection()
    return silent != nil
  }

  func judge(_ request: WebRequest) -> WebGuard.Answer {
    let answer = gate.judge(request)
    // If it cannot be written, `milepost web` tells the next user.
    if case .admit = answer { try? writeURL() }
    return answer
  }

  private func writeURL() throws {
    let host =
      address.hasPrefix("0.0.0.0:") || address.hasPrefix("[::]:")
      ? "localhost:\(gate.port)" : address
    try file.writeURL("http://\(host)/?token=\(gate.token)\n")
  }

  // MARK: Connections

  func opened(_ handler: WebHandler) {
    if connections.isEmpty {
      sink(
        .connected(
          StatusServer.client, .socket(pid: getpid(), group: getpgid(0), uid: geteuid())))
    }
    opened += 1
    handler.number = opened
    connections[ObjectIdentifier(handler)] = handler
  }

  func closed(_ handler: WebHandler) {
    watchers[ObjectIdentifier(handler)] = nil
    guard connections.removeValue(forKey: ObjectIdentifier(handler)) != nil else { return }
    if watchers.isEmpty { nobodyLooks() }
    guard connections.isEmpty else { return }
    questions = [:]
    sink(.disconnected(StatusServer.client))
  }

  func lay(_ ground: Ground) { self.ground = ground }

  func stop() {
    for handler in connections.values { handler.endConnection() }
    file.remove()
  }

  // MARK: Questions

  /// Asks the service; `body` is called on the loop with the document's JSON.
  func ask(_ message: ClientMessage, _ body: @escaping (Result<String, Refusal>) -> Void) {
    guard questions.count < Self.questionLimit else {
      return body(.failure(.init(status: 503, text: "too much is asked at once; ask again")))
    }
    asked += 1
    questions["web-\(asked)"] = body
    sink(.message(StatusServer.client, message, id: "web-\(asked)"))
  }

  func answer(_ message: ServerMessage, _ id: String?) {
    guard let id, let body = questions.removeValue(forKey: id) else { return }
    switch message {
    case .document(let json): body(.success(json))
    case .error(_, let text): body(.failure(.init(status: 404, text: text)))
    default: body(.failure(.init(status: 500, text: "the service answered without a document")))
    }
  }

  // MARK: Those who look

  /// Returns `false` if there are too many viewers.
  func watch(_ handler: WebHandler, after id: String?) -> Bool {
    guard watchers.count < Self.watcherLimit else { return false }
    watchers[ObjectIdentifier(handler)] = handler
    isWatched.set(true)
    var text = "retry: 3000\n\n"
    if let id {
      text += log.after(id).map { $0.map(\.text).joined() } ?? EventLog.reset
    }
    handler.stream(text)
    planComment()
    lookNow()
    return true
  }

  func stirred() {
    guard !watchers.isEmpty, look == nil else { return }
    let next = lastLook + Self.pause
    guard next > .now() else { return lookNow() }
    let desk = NIOLoopBound(self, eventLoop: loop)
    look = loop.scheduleTask(deadline: next) { desk.value.lookNow() }
  }

  private func lookNow() {
    look?.cancel()
    look = nil
    lastLook = .now()
    ask(.overview) { [self] result in
      if case .success(let json) = result, !watchers.isEmpty {
        stream(text: log.addEvent("overview", json).text)
      }
    }
  }

  private func stream(text: String) {
    for handler in Array(watchers.values) { handler.stream(text) }
    planComment()
  }

  private func planComment() {
    comment?.cancel()
    let desk = NIOLoopBound(self, eventLoop: loop)
    comment = loop.scheduleTask(in: Self.silence) { desk.value.stream(text: ": still here\n\n") }
  }

  private func nobodyLooks() {
    isWatched.set(false)
    look?.cancel()
    comment?.cancel()
    (look, comment) = (nil, nil)
    eras += 1
    log.begin(era: "\(getpid()).\(eras)")
  }
}

/// 256 random bits from the kernel, in hexadecimal.
enum Secret {
  static let make: @Sendable () -> String = {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let word = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }.joined()
  }
}
