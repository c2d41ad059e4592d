// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import CUnix
import Glibc
import Host

/// Performs the decisions of `KeeperMachine`: the descriptors, the processes, the files.
final class Keeper {
  static let daemonDescriptor: Int32 = 3
  static let startDescriptor: Int32 = 4
  static let inputDescriptor: Int32 = 5

  let app: String
  let start: KeeperStart
  var record: KeeperRecord
  var recordDescriptor: Int32 = -1
  var mainPID: Int32 = 0
  var isMainReaped = false
  /// Whether the last attempt failed because the cgroup accepted no process.
  var groupIsClosed = false
  /// The reading end of the app's output.
  var output: Int32 = -1
  var machine: KeeperMachine

  private var log: AppLog
  /// Seconds for which the machine had slept at the last input.
  private var slept = Boot.slept
  private var daemon = Keeper.daemonDescriptor
  private var listener: Int32 = -1
  private let signals: Int32
  private let timer: Int32
  private var lines = LineBuffer.ofWords
  /// The bytes that the daemon has not taken yet; beyond `outboxLimit` it counts as gone.
  private var outbox: [UInt8] = []
  private static let outboxLimit = 65_536
  /// The messages from times without a daemon; the oldest are dropped first.
  private var warnings: [String] = []
  private static let warningLimit = 8
  private var chunk = [UInt8](repeating: 0, count: 16_384)

  /// `nil` if the daemon has not sent the start order.
  init?(app: String, directory: String) {
    Self.closeStrangers()
    Self.fillInput()
    guard let bytes = SmallFile.bytes(from: Self.startDescriptor),
      let start = KeeperStart(text: String(decoding: bytes, as: UTF8.self)), start.app == app,
      let me = KeeperRecord.ProcessName(of: getpid()), chdir("\(directory)/keepers") == 0
    else { return nil }
    close(Self.startDescriptor)
    self.app = app
    self.start = start
    record = KeeperRecord(app: app, boot: Boot.id, keeper: me)
    machine = KeeperMachine(holdsFrozen: start.holdsFrozen)
    log = AppLog(path: "\(directory)/logs/\(app).log", limit: start.logLimit)
    _ = adopt_orphans()
    signals = keeper_signals()
    timer = boot_timer()
    Self.prepare(daemon)
    _ = fcntl(Self.inputDescriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Makes it close on exec, and non-blocking.
  static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Closes descriptors that the daemon left open by mistake: they would be held for days.
  private static func closeStrangers() {
    for name in Directory.names(in: "/proc/self/fd") {
      if let descriptor = Int32(name), descriptor > inputDescriptor { close(descriptor) }
    }
  }

  /// Occupies the input's number if there is none, so that no other descriptor gets it.
  private static func fillInput() {
    guard fcntl(inputDescriptor, F_GETFD) < 0 else { return }
    let nothing = open("/dev/null", O_RDONLY)
    guard nothing >= 0, nothing != inputDescriptor else { return }
    dup2(nothing, inputDescriptor)
    close(nothing)
  }

  /// The current processes: every descendant is the app's.
  var processes: AppProcesses {
    AppProcesses(group: record.group) { ProcessTable.descendants(of: getpid()) }
  }

  // The loop --------------------------------------------------------------------------------------

  func run() -> Never {
    handle(.daemonCame)
    if let ending = launch() {
      handle(.couldNotStart(ending))
    } else {
      say(.started(pid: mainPID))
      handle(.started(limit: start.timeLimit))
      reap()
    }
    while true {
      _ = set_boot_timer(timer, machine.nextDeadline ?? 0)
      var waits = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: daemon, events: Int16(outbox.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
        pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waits, nfds_t(waits.count), -1) > 0 else { continue }
      if waits[2].revents != 0 { takeOutput() }
      if waits[0].revents != 0 { takeSignals() }
      if waits[1].revents != 0 {
        var count: UInt64 = 0
        read(timer, &count, 8)
        handle(.timePassed)
      }
      if waits[3].revents != 0 { takeOrders() }
      if waits[4].revents != 0 { admit() }
    }
  }

  private func takeSignals() {
    var isToEnd = false
    while true {
      let number = next_signal(signals)
      if number == 0 { break }
      if number == SIGTERM { isToEnd = true }
    }
    // Everything is being stopped, as at a shutdown: the app gets its grace from here.
    if isToEnd { handle(.end(grace: KeeperMachine.limitGrace)) }
    reap()
  }

  private func reap() {
    while true {
      var status: Int32 = 0
      let pid = waitpid(-1, &status, WNOHANG)
      if pid == mainPID {
        isMainReaped = true
        let signal = status & 0x7F
        handle(.mainEnded(signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)))
      }
      if pid < 0, errno == ECHILD { handle(.allGone) }
      if pid <= 0 { return }
    }
  }

  private func takeOutput() {
    let count = read(output, &chunk, chunk.count)
    if count > 0 {
      if let warning = log.record(chunk[..<count]) { say(.warning(warning)) }
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      close(output)
      output = -1
    }
  }

  private func drainOutput() {
    while output >= 0 {
      let count = read(output, &chunk, chunk.count)
      if count <= 0 { break }
      _ = log.record(chunk[..<count])
    }
  }

  // What is decided and done ----------------------------------------------------------------------

  private func handle(_ input: KeeperMachine.Input) {
    var inputs = [input]
    // Less than that is the time between two readings of the clocks.
    let asleep = Boot.slept
    if asleep - slept > 0.1 {
      inputs.insert(.slept(asleep - slept), at: 0)
      slept = asleep
    }
    while !inputs.isEmpty {
      var actions: [KeeperMachine.Action] = []
      machine.handle(inputs.removeFirst(), at: Boot.seconds, into: &actions)
      for action in actions { inputs += perform(action: action) }
    }
  }

  private func perform(action: KeeperMachine.Action) -> [KeeperMachine.Input] {
    switch action {
    case .freeze:
      for warning in processes.freeze(processGroup: mainPID) { say(.warning(warning)) }
    case .checkFrozen: return [.checked(isFrozen: processes.isFrozen)]
    case .thaw:
      let warning = processes.thaw(processGroup: isMainReaped ? nil : mainPID)
      if let warning { say(.warning(warning)) }
    case .terminate: processes.terminate()
    case .kill: processes.kill()
    case .report(let report): say(report)
    case .record(let ending):
      drainOutput()
      record.group?.remove()
      record.ending = ending
      _ = record.write(to: recordDescriptor)
    case .leave: exit(0)
    }
    return []
  }

  // The daemon ------------------------------------------------------------------------------------

  /// Makes the socket by which later daemons find this keeper.
  func openSocket() {
    listener = listen()
  }

  private func listen() -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    Self.prepare(descriptor)
    let mask = umask(0o177)
    // A relative name, so that the length of the directory's path does not matter.
    let isBound = SocketAddress.with("\(app).sock".utf8) { bind(descriptor, $0, $1) == 0 }
    umask(mask)
    if isBound, Glibc.listen(descriptor, 4) == 0 { return descriptor }
    let reason = SystemError.text()
    close(descriptor)
    say(.warning("its keeper has no socket and cannot be adopted later: \(reason)"))
    return -1
  }

  /// Whether the daemon's end is closed, without consuming its earlier messages.
  var isDaemonGone: Bool {
    var wait = pollfd(fd: daemon, events: 0, revents: 0)
    return daemon < 0 || poll(&wait, 1, 0) > 0 && Int32(wait.revents) & POLLHUP != 0
  }

  private func admit() {
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0 else { return }
    Self.prepare(descriptor)
    var (pid, uid) = (pid_t(0), uid_t(0))
    guard unix_peer(descriptor, &pid, &uid) == 0, uid == geteuid() || uid == 0 else {
      close(descriptor)
      return
    }
    if daemon >= 0 {
      say(.superseded)
      close(daemon)
    }
    (daemon, lines, outbox) = (descriptor, LineBuffer.ofWords, [])
    if let ending = machine.ending {
      say(.ended(ending))
    } else {
      say(.holds(pid: mainPID, isFrozen: machine.isFrozen))
    }
    for warning in warnings { say(.warning(warning)) }
    warnings = []
    handle(.daemonCame)
  }

  private func takeOrders() {
    flush()
    guard daemon >= 0 else { return }
    let count = read(daemon, &chunk, chunk.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return loseDaemon() }
    lines.append(chunk[..<count])
    while let line = lines.nextWords() {
      guard let order = Order(line: line) else { return loseDaemon() }
      switch order {
      case .freeze: handle(.freeze)
      case .thaw: handle(.thaw)
      case .end(let grace): handle(.end(grace: grace))
      case .kill: handle(.kill)
      case .done: handle(.receipt)
      }
    }
    if lines.isOverlong { loseDaemon() }
  }

  private func loseDaemon() {
    guard daemon >= 0 else { return }
    close(daemon)
    (daemon, lines, outbox) = (-1, LineBuffer.ofWords, [])
    handle(.daemonLeft)
  }

  func say(_ report: Report) {
    guard daemon >= 0 else {
      if case .warning(let text) = report {
        if warnings.count == Self.warningLimit { warnings.removeFirst() }
        warnings.append(text)
      }
      return
    }
    // The limit exposes a daemon that does not read; the loop then sees its end.
    if outbox.count > Self.outboxLimit {
      shutdown(daemon, Int32(SHUT_RDWR))
      return
    }
    outbox += report.line.utf8
    flush()
  }

  private func flush() {
    while daemon >= 0, !outbox.isEmpty {
      let count = outbox.withUnsafeBytes { write(daemon, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // The next read sees a failed write as the connection's end.
      if count < 0, errno != EAGAIN { outbox = [] }
      guard count > 0 else { return }
      outbox.removeFirst(count)
    }
  }
}
