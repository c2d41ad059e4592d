// SPDX-License-Identifier: Apache-2.0

import Host
import JSONText
import LocationModel
import NIOCore
import NIOPosix
import ServiceContract

/// Carries out the machine's actions: sockets and timers, all on one loop.
final class GPSDSession {
  private let address: GPSDSource.Address
  private let loop: any EventLoop
  private let sink: @Sendable (GPSDEvent) -> Void
  private var machine: ConnectionMachine<DrawnNumbers>
  private var intake: ReportIntake
  private var channel: (any Channel)?
  private var timer: (task: Scheduled<Void>, deadline: EngineInstant)?
  /// The devices that gpsd has open, and what is known of each.
  private var openDevices: [(path: String, identity: ReceiverIdentity)] = []
  /// For how long a receiver may sleep after the present watch; `nil` leaves it awake.
  private var sleep: RestSpan?
  /// The receivers whose kind is known, also from an earlier look: gpsd 3.22 tells it at its first opening alone.
  private var known: [String: ReceiverIdentity] = [:]
  /// Those whose kind did not come when it was waited for.
  private var unknowable: Set<String> = []
  /// The receivers that were sent to sleep.
  private var asleep: [String: ReceiverFamily] = [:]
  /// The end of a release under way.
  private var releasing: EventLoopFuture<Void>?
  /// The socket's error before it closed.
  private var lastError: String?

  init(
    _ address: GPSDSource.Address, on loop: any EventLoop, passesLines: Bool, passesSky: Bool,
    random: DrawnNumbers, sink: @escaping @Sendable (GPSDEvent) -> Void
  ) {
    self.address = address
    self.loop = loop
    self.sink = sink
    intake = ReportIntake(passesLines: passesLines, passesSky: passesSky)
    machine = ConnectionMachine(random, releases: address.control != nil)
  }

  func watch(_ isOn: Bool, sleep: RestSpan?) {
    self.sleep = isOn ? nil : sleep
    let awaitsKind =
      self.sleep != nil && address.sleep != .off
      && wanted.contains {
        $0.identity.family == nil && !unknowable.contains($0.path)
      }
    perform(
      actions: machine.watch(
        isOn, kindBy: awaitsKind ? now.advanced(bySeconds: Self.identifyingTime) : nil))
  }

  /// Seconds for which a receiver's kind is waited for [ours]: gpsd 3.22 asks for it by its seventh report.
  private static let identifyingTime = 8.0

  /// Returns when gpsd has its devices back: one that was told to close them is told to open them, too.
  func endSession() -> EventLoopFuture<Void> {
    perform(actions: machine.endForGood())
    return releasing ?? loop.makeSucceededVoidFuture()
  }

  private var now: EngineInstant {
    EngineInstant(microseconds: Int64(NIODeadline.now().uptimeNanoseconds / 1_000))
  }

  // Events of the socket ----------------------------------------------------------------------

  func received(_ bytes: borrowing Span<UInt8>, attempt: Int) {
    guard attempt == machine.attempt, channel != nil else { return }
    var events: [GPSDEvent] = []
    let now = now
    let isSound = intake.read(bytes: bytes, at: now, into: &events)
    for event in events {
      if case .device(let device) = event {
        note(device: device)
      } else if !machine.isHeard {
        continue
      }
      sink(event)
    }
    if wanted.allSatisfy({ $0.identity.family != nil }) { perform(actions: machine.identified()) }
    if intake.hasReceiverReport { machine.proved() }
    if !isSound {
      perform(
        actions: machine.lost(
          "it sends a line without an end; what listens there is no gpsd", at: now))
    } else if intake.hasGreeting {
      perform(actions: machine.greeted(at: now))
    } else {
      setTimer()
    }
  }

  func failed(_ error: any Error, attempt: Int) {
    guard attempt == machine.attempt else { return }
    if case .other(let text) = ReachFailure(error) { lastError = text }
  }

  func ended(attempt: Int) {
    guard attempt == machine.attempt, channel != nil else { return }
    let reason = lastError.map { "the connection broke (\($0))" } ?? "it closed the connection"
    perform(actions: machine.lost(reason, at: now))
  }

  private func attemptEnded(_ result: Result<any Channel, any Error>, attempt: Int) {
    let isOurs = attempt == machine.attempt && machine.state == .connecting
    switch result {
    case .success(let channel) where isOurs:
      self.channel = channel
      lastError = nil
      intake.beginConnection()
      machine.connected(at: now)
      channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
      setTimer()
    case .success(let channel): channel.close(promise: nil)
    case .failure(let error) where isOurs:
      perform(actions: machine.failed(ReachFailure(error).words(address), at: now))
    case .failure: break
    }
  }

  // Actions of the machine --------------------------------------------------------------------

  private func perform(actions: [ConnectionMachine<DrawnNumbers>.Action]) {
    for action in actions {
      switch action {
      case .connect(let attempt): connect(attempt)
      case .enableWatch: send(text: Self.watchCommand(enable: true, device: address.device))
      case .disableWatch: send(text: Self.watchCommand(enable: false, device: nil))
      case .hangUp: hangUp()
      case .release: release()
      case .tell(let link): sink(.link(link))
      }
    }
    setTimer()
  }

  private func connect(_ attempt: Int) {
    let bound = NIOLoopBound(self, eventLoop: loop)
    // Reading begins when the attempt is known to be ours, so that no byte comes before that.
    let connecting = ClientBootstrap(group: loop)
      .connectTimeout(GPSDSource.connectTimeout)
      .channelOption(.autoRead, value: false)
      // One read for each report: a second one would only find that there is nothing more.
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            GPSDChannelHandler(bound.value, attempt: attempt))
        }
      }
      .connect(host: address.host, port: address.port)
    connecting.whenComplete { bound.value.attemptEnded($0, attempt: attempt) }
  }

  /// gpsd's watch command; `device` limits the watch to one.
  static func watchCommand(enable: Bool, device: String?) -> String {
    var json = JSONWriter()
    json.object {
      $0.key("enable")
      $0.bool(enable)
      if enable {
        $0.key("json")
        $0.bool(true)
        if let device {
          $0.key("device")
          $0.string(device)
        }
      }
    }
    return "?WATCH=\(json.text);\n"
  }

  private func send(text: String) {
    channel?.writeAndFlush(ByteBuffer(string: text), promise: nil)
  }

  private func hangUp() {
    var events: [GPSDEvent] = []
    intake.flush(at: now, into: &events)
    events.forEach(sink)
    let open = channel
    channel = nil
    // A starting process may hold the socket for a moment: shutdown lets gpsd see its end now.
    open?.close(mode: .output, promise: nil)
    open?.close(promise: nil)
  }

  // Devices --------------------------------------------------------------------------------------

  private func note(device: GPSDEvent.Device) {
    switch device {
    case .none: openDevices = []
    case .opened(let path, let driver):
      wake(path)
      if !openDevices.contains(where: { $0.path == path }) {
        openDevices.append((path, known[path] ?? ReceiverIdentity(driver: driver)))
      }
      if known[path] == nil { ask(path) }
    case .identified(let path, let identity):
      if identity.family != nil { known[path] = identity }
      guard let index = openDevices.firstIndex(where: { $0.path == path }) else { return }
      openDevices[index].identity = known[path] ?? identity
    // Unplugged, or another one comes in its place.
    case .closed(let path):
      (known[path], asleep[path]) = (nil, nil)
      unknowable.remove(path)
      openDevices.removeAll { $0.path == path }
    case .released(let path), .asleep(let path, _): openDevices.removeAll { $0.path == path }
    }
  }

  /// The time for the answer, which a receiver gives within a second (UBX-13003221).
  private static let answerTime = TimeAmount.seconds(1)

  /// The open devices that are watched.
  private var wanted: [(path: String, identity: ReceiverIdentity)] {
    openDevices.filter { address.device == nil || $0.path == address.device }
  }

  /// Asks a receiver what it is; gpsd reads the answer, and is asked for it, for it tells it by itself only once.
  private func ask(_ path: String) {
    guard address.sleep != .off, let control = address.control, path.hasPrefix("/") else { return }
    let release = DeviceRelease(control: control, port: address.port)
    let bound = NIOLoopBound(self, eventLoop: loop)
    let asked = machine.attempt
    NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
      release.send(ReceiverFamily.question, to: path)
    }.whenSuccess { _ in
      bound.value.loop.scheduleTask(in: Self.answerTime) {
        let session = bound.value
        if session.machine.attempt == asked { session.send(text: "?DEVICES;\n") }
      }
    }
  }

  /// Wakes a receiver that was sent to sleep: its timer may have longer to go, and not every gpsd writes to a device as
  /// it opens it.
  private func wake(_ path: String) {
    guard let family = asleep.removeValue(forKey: path), let control = address.control else {
      return
    }
    let release = DeviceRelease(control: control, port: address.port)
    _ = NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
      release.send(family.wake, to: path)
    }
  }

  /// Releases the devices off this loop, since it waits for gpsd's answers.
  private func release() {
    let open = wanted
    openDevices = []
    for device in open where device.identity.family == nil { unknowable.insert(device.path) }
    guard let control = address.control, !open.isEmpty else {
      return perform(actions: machine.released())
    }
    let release = DeviceRelease(control: control, port: address.port)
    let devices = open.map { device in
      DeviceRelease.Device(path: device.path, sleep: sleep.flatMap { order(device, $0) })
    }
    let bound = NIOLoopBound(self, eventLoop: loop)
    let work = NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
      release.releaseDevices(devices)
    }
    releasing = work.map { _ in }.recover { _ in }
    work.whenComplete { bound.value.released($0) }
  }

  /// The order to sleep for a rest; `nil` for a receiver that is left alone.
  private func order(
    _ device: (path: String, identity: ReceiverIdentity), _ rest: RestSpan
  ) -> DeviceRelease.Sleep? {
    var identity = device.identity
    identity.file = RealPath.resolved(device.path)
    guard case .sleeps(let family) = identity.rest(by: address.sleep) else { return nil }
    return .init(family: family, rest: rest)
  }

  private func released(_ result: Result<DeviceRelease.Outcome, any Error>) {
    if case .success(let outcome) = result {
      for device in outcome.released {
        asleep[device.path] = device.sleep?.family
        guard machine.state != .ended else { continue }
        sink(
          .device(
            device.sleep.map { .asleep(path: device.path, by: $0.family) }
              ?? .released(path: device.path)))
      }
      if machine.state != .ended { outcome.troubles.forEach { sink(.trouble($0)) } }
    }
    releasing = nil
    perform(actions: machine.released())
  }

  private func setTimer() {
    let deadline = [machine.nextDeadline, intake.nextDeadline].compactMap { $0 }.min()
    if timer?.deadline == deadline { return }
    timer?.task.cancel()
    timer = nil
    guard let deadline else { return }
    let bound = NIOLoopBound(self, eventLoop: loop)
    let instant = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline.microseconds)) * 1_000)
    let task = loop.scheduleTask(deadline: instant) { bound.value.timePassed() }
    timer = (task, deadline)
  }

  private func timePassed() {
    timer = nil
    let now = now
    var events: [GPSDEvent] = []
    intake.advance(to: now, into: &events)
    events.forEach(sink)
    perform(actions: machine.advance(to: now))
  }
}

/// Passes on what one channel receives, with the number of its attempt.
private final class GPSDChannelHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let session: GPSDSession
  private let attempt: Int

  init(_ session: GPSDSession, attempt: Int) {
    self.session = session
    self.attempt = attempt
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    session.received(buffer.readableBytesUInt8Span, attempt: attempt)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    session.failed(error, attempt: attempt)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    session.ended(attempt: attempt)
    context.fireChannelInactive()
  }
}
