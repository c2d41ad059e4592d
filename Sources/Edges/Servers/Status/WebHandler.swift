// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import NIOCore
import NIOHTTP1

// Theory
// ======
//
// One connection, one request: so the limits need no bookkeeping.
//
//         head within 10 s         answered                  taken within 30 s
//   new ───────────────────▶ asked ─────────▶ answering ────────────────────────▶ closed
//    │                         │                                                    ▲
//    └─ 16 KiB without an end ─┼──── 431 ───────────────────────────────────────────┤
//                              └─ /events ─▶ streaming ── 64 events not taken ──────┘

/// Answers the request of one connection.
final class WebHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  static let patience = TimeAmount.seconds(10)
  static let takingTime = TimeAmount.seconds(30)
  /// The limit of events that wait for a client that does not read.
  static let lag = 64

  private enum Phase {
    case new
    case asked(WebRequest)
    case answering
    case streaming
    case ended
  }

  private let desk: StatusDesk
  private var phase = Phase.new
  private var timer: Scheduled<Void>?
  private var context: ChannelHandlerContext?
  private var waiting = 0
  /// In the order of arrival.
  var number = 0

  init(_ desk: StatusDesk) { self.desk = desk }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    desk.opened(self)
    closeIn(Self.patience)
  }

  /// Called at every end, also at one before the connection was open.
  func handlerRemoved(context: ChannelHandlerContext) {
    phase = .ended
    timer?.cancel()
    self.context = nil
    desk.closed(self)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case is RequestLimit.Exceeded:
      respond(WebResponse(431, "a request has at most \(RequestLimit.bytes) bytes"))
    case is HTTPParserError: respond(WebResponse(400, "this is no request of HTTP/1.1"))
    default: context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), phase) {
    case (.head(let head), .new):
      phase = .asked(
        WebRequest(
          head.method.rawValue, head.uri, headers: head.headers.map { ($0.name, $0.value) }))
    case (.end, .asked(let request)): answerRequest(request)
    case (.head, _), (.body, _), (.end, _): break
    }
  }

  /// Whether its request has not come whole yet.
  var awaitsRequest: Bool {
    switch phase {
    case .new, .asked: true
    case .answering, .streaming, .ended: false
    }
  }

  func endConnection() { context?.close(promise: nil) }

  // MARK: Routes

  private func answerRequest(_ request: WebRequest) {
    switch desk.judge(request) {
    case .refuse(let status, let text): respond(WebResponse(status, text), to: request)
    case .admit(let cookie): respond(.admitted(cookie), to: request)
    case .pass: serve(request)
    }
  }

  private func serve(_ request: WebRequest) {
    let surroundings = desk.surroundings
    switch request.path {
    case "/":
      respond(
        WebResponse("text/html; charset=utf-8", surroundings.page(EmbeddedFiles.pageHTML)),
        to: request)
    case "/page.js": respond(.script(Array(EmbeddedFiles.pageJS.utf8)), to: request)
    case "/page.css": respond(.style(Array(EmbeddedFiles.pageCSS.utf8)), to: request)
    case "/leaflet.js" where surroundings.hasLeaflet:
      respond(.script(surroundings.leaflet?.script ?? []), to: request)
    case "/leaflet.css" where surroundings.hasLeaflet:
      respond(.style(surroundings.leaflet?.style ?? []), to: request)
    case "/ground" where surroundings.hasGround: respond(.ground(desk.ground), to: request)
    case "/status": ask(.status, request)
    case "/overview": ask(.overview, request)
    case "/history": history(request)
    case "/events": events(request)
    default: respond(WebResponse(404, "there is no \(request.path) here"), to: request)
    }
  }

  private func ask(_ message: ClientMessage, _ request: WebRequest) {
    desk.ask(message) { [self] result in
      switch result {
      case .success(let json): respond(.json(json), to: request)
      case .failure(let refusal): respond(WebResponse(refusal.status, refusal.text), to: request)
      }
    }
  }

  /// `/history?from=2026-11-23T10:00:00Z&to=…`
  private func history(_ request: WebRequest) {
    let query = request.query
    let (from, to) = (
      query["from"].flatMap { RFC3339.parse($0)?.instant },
      query["to"].flatMap { RFC3339.parse($0)?.instant }
    )
    guard let from, let to, from < to else {
      return respond(
        WebResponse(
          400,
          "say from when to when, as in /history?from=2026-11-23T00:00:00Z&to=2026-11-24T00:00:00Z"
        ), to: request)
    }
    ask(.history(from: from, to: to, count: Int(HistoryDocument.limit)), request)
  }

  private func events(_ request: WebRequest) {
    guard request.method == "GET" else {
      return respond(WebResponse("text/event-stream", []), to: request)
    }
    var head = HTTPResponseHead(version: .http1_1, status: .ok)
    head.headers = headers(WebResponse("text/event-stream", []))
    head.headers.remove(name: "Connection")
    timer?.cancel()
    timer = nil
    phase = .streaming
    guard let context else { return }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !desk.watch(self, after: request.headers.first(name: "last-event-id")) {
      stream("event: full\ndata: {}\n\n")
      context.close(promise: nil)
    }
  }

  /// Sends a piece of the stream; a client that does not read is closed.
  func stream(_ text: String) {
    guard case .streaming = phase, let context else { return }
    guard waiting < Self.lag else { return context.close(promise: nil) }
    waiting += 1
    let written = context.eventLoop.makePromise(of: Void.self)
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    written.futureResult.whenComplete { _ in handler.value.waiting -= 1 }
    context.writeAndFlush(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: written)
  }

  // MARK: Answers

  private func respond(_ response: WebResponse, to request: WebRequest? = nil) {
    switch phase {
    case .answering, .streaming, .ended: return
    case .new, .asked: phase = .answering
    }
    guard let context else { return }
    closeIn(Self.takingTime)
    var head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: response.status))
    head.headers = headers(response)
    head.headers.add(name: "Content-Length", value: "\(response.body.count)")
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request?.method != "HEAD" {
      context.write(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
    }
    let written = context.eventLoop.makePromise(of: Void.self)
    let channel = context.channel
    written.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
  }

  private func headers(_ response: WebResponse) -> HTTPHeaders {
    var headers: HTTPHeaders = ["Content-Type": response.type]
    headers.add(contentsOf: WebResponse.common(desk.surroundings))
    headers.add(contentsOf: response.more)
    return headers
  }

  private func closeIn(_ time: TimeAmount) {
    timer?.cancel()
    guard let context else { return }
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}

/// Limits the bytes that are read of a request.
final class RequestLimit: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// Bytes of one request, head and body.
  static let bytes = 16_384

  struct Exceeded: Error {}

  private var count = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let wasWithin = count <= Self.bytes
    count += unwrapInboundIn(data).readableBytes
    if count <= Self.bytes {
      context.fireChannelRead(data)
    } else if wasWithin {
      context.fireErrorCaught(Exceeded())
    }
  }
}
