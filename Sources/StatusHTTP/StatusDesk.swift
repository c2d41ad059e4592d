// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Glibc
import LocationModel
import NIOCore
import ServiceContract

// Theory
// ======
//
// One value on one event loop, which all connections share. The page is a client of the control protocol like
// any other: what it shows is what `OVERVIEW` and `HISTORY` answer, and nothing else.
//
//   first connection ─► `connected` ─► questions, answers ─► last one closed ─► `disconnected`
//
// Who looks (`/events`) is told of what happens:
//
//   the daemon took a batch ─► stirred ─┬─ within 1 s of the last look ─► a timer ─┐
//                                       └─ else ───────────────────────────────────┴─► ask OVERVIEW ─► all
//
// 15 s without an event a comment goes out, so that a line that is dead is noticed; both timers are there only
// while somebody looks.

/// What all connections share.
final class StatusDesk {
  /// Connections at once, and of them those that look.
  static let connectionLimit = 32
  static let watcherLimit = 16
  /// Questions that wait for their answers.
  static let questionLimit = 64
  /// Between two looks at the service.
  static let pause = TimeAmount.seconds(1)
  /// Without an event a comment follows after this.
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
  private var lastLook = NIODeadline.distantPast
  private var look: Scheduled<Void>?
  private var comment: Scheduled<Void>?

  /// What lies under the page's map: read while the page is served already, since a country takes minutes.
  enum Ground {
    case awaited
    case laid([UInt8])
    /// It could not be read; the daemon's log says why.
    case missing
  }

  /// Why there is no document.
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

  var hasRoom: Bool { connections.count < Self.connectionLimit }

  func judge(_ request: WebRequest) -> WebGuard.Answer {
    let answer = gate.judge(request)
    // Where it cannot be written, the next one who asks for it is told so by `milepost web`.
    if case .admit = answer { try? writeURL() }
    return answer
  }

  private func writeURL() throws {
    let host =
      address.hasPrefix("0.0.0.0:") || address.hasPrefix("[::]:")
      ? "localhost:\(gate.port)" : address
    try file.write("http://\(host)/?token=\(gate.token)\n")
  }

  // MARK: Connections

  func opened(_ handler: WebHandler) {
    if connections.isEmpty {
      sink(
        .connected(
          StatusServer.client, .socket(pid: getpid(), group: getpgid(0), uid: geteuid())))
    }
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
    for handler in connections.values { handler.end() }
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

  /// `false` where too many do.
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
        tell(log.add("overview", json).text)
      }
    }
  }

  private func tell(_ text: String) {
    for handler in Array(watchers.values) { handler.stream(text) }
    planComment()
  }

  private func planComment() {
    comment?.cancel()
    let desk = NIOLoopBound(self, eventLoop: loop)
    comment = loop.scheduleTask(in: Self.silence) { desk.value.tell(": still here\n\n") }
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

/// 256 random bits of the kernel's, in hexadecimal.
enum Secret {
  static let make: @Sendable () -> String = {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let word = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }.joined()
  }
}
