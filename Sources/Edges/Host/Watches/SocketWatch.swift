// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Synchronization

// Theory
// ======
//
// An app hands over its signalling socket on a separate Unix socket beside the control socket, with one byte that
// carries the descriptor (SCM_RIGHTS, unix(7)). The control socket itself is unsuitable, since NIO reads it with
// read(2), which discards descriptors. The kernel identifies the sending process, and the descriptor belongs to that
// process' group: the newest one of a group counts. Only groups of apps that we started are useful, since no others are
// frozen. An app may hand over its socket before it is known to have started, so that of an unknown group is kept for a
// while: until its app is known, 5 s have passed without an event, or 16 younger ones have come.
//
//              handed over                 armed: its app is frozen           data, or the end of the line
//    (none) ──────────────────► kept ◄──────────────────────────────► watched ─────────────────────────► told once
//       ▲                        │ ▲          disarmed: it runs                                             │
//       └──── forgotten: ────────┘ └────────────────────────────────────────────────────────────────────────┘
//             it has ended, takes its
//             socket back, or the line
//             has hung up and that was told
//
// Only the descriptors of frozen apps are in `poll`: a running app reads for itself. `poll` is level-triggered, so data
// that arrived during the freeze is seen as soon as the descriptor is watched, and nothing is lost. One thread does all
// that, and blocks without a timeout if there is nothing to clear away.
//
// Odd cases
// - Connections that send nothing: of 64 the oldest yields to a new one, and all are closed after 5 s without an event.
// - No descriptor is left: the listener, which would stay readable forever, is left out of `poll` until one was closed
//   here, or 5 s have passed.

/// Keeps the sockets that apps hand over, and reports data on those of frozen ones.
package final class SocketWatch: Sendable {
  /// The identity of an app here: the leader of its process group.
  package typealias Group = Int32

  private struct State {
    var kept: [Group: Int32] = [:]
    /// Groups of apps that are known.
    var known: Set<Group> = []
    /// Groups of `kept` with unknown apps, oldest first.
    var unknown: [Group] = []
    /// Groups of frozen apps without a report since their freeze; also those that have handed over nothing, or whose
    /// descriptor is still on its way.
    var armed: Set<Group> = []
    /// Descriptors that the thread closes when it is not in `poll` with them.
    var given: [Int32] = []

    /// Drops a group's socket, which the thread closes; returns whether there was one.
    mutating func drop(_ group: Group) -> Bool {
      unknown.removeAll { $0 == group }
      guard let descriptor = kept.removeValue(forKey: group) else { return false }
      given.append(descriptor)
      return true
    }
  }

  /// The limit of kept sockets: a quarter of this process's descriptors, so that the rest of it keeps working.
  private static let keptLimit: Int = {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
    return Int(min(limit.rlim_cur / 4, 1_024))
  }()
  /// The limit of those with an unknown app.
  private static let unknownLimit = 16
  /// The limit of connections that have not sent their socket yet.
  private static let comingLimit = 64

  private let state = Mutex(State())
  private let thread = BellThread()
  private let sink: @Sendable (Group) -> Void
  /// Milliseconds without an event after which stuck connections are cleared away.
  private let patience: Int32

  /// `sink` receives the group whose socket has data; it is called on the watch's thread and must not block.
  package init(patience: Int32 = 5_000, sink: @escaping @Sendable (Group) -> Void) {
    self.patience = patience
    self.sink = sink
  }

  /// Listens at `path`, only for this user; returns the reason for a failure, in words. Called once.
  package func listen(at path: String) -> String? {
    guard path.utf8.count <= SocketAddress.pathLimit else {
      return
        "\(path): longer than the \(SocketAddress.pathLimit) bytes that a socket's path may have"
    }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let listener = socket(AF_UNIX, kind, 0)
    guard listener >= 0 else { return "\(path): \(SystemError.text())" }
    // This daemon has locked the runtime directory: an existing file is an earlier one's.
    unlink(path)
    let code = SocketAddress.listen(listener, at: path, backlog: 64)
    guard code == 0 else {
      Glibc.close(listener)
      return "\(path): \(SystemError.text(code))"
    }
    do throws(BlockingThread.Missing) {
      try thread.start { self.runThread(listener) }
      return nil
    } catch {
      Glibc.close(listener)
      return "\(path): \(error)"
    }
  }

  /// Registers the group of a process that we started, which may hand over a socket.
  package func know(_ group: Group) {
    state.withLock { state in
      state.known.insert(group)
      state.unknown.removeAll { $0 == group }
    }
  }

  /// Arms a group, whose app is now frozen: arriving data is reported once.
  package func arm(_ group: Group) {
    if state.withLock({ $0.armed.insert(group).inserted }) { thread.bell.ring() }
  }

  /// Disarms a group, whose app runs and reads for itself.
  package func disarm(_ group: Group) {
    if state.withLock({ $0.armed.remove(group) != nil }) { thread.bell.ring() }
  }

  /// Releases a socket that its app has taken back: it is closed here.
  package func release(_ group: Group) {
    if state.withLock({ $0.drop(group) }) { thread.bell.ring() }
  }

  /// Forgets a group whose app has ended: its socket is closed.
  package func forget(group: Group) {
    let isKept = state.withLock { state in
      state.armed.remove(group)
      state.known.remove(group)
      return state.drop(group)
    }
    if isKept { thread.bell.ring() }
  }

  /// The number of kept sockets.
  package var count: Int { state.withLock { $0.kept.count } }

  /// Closes all of them. Nothing is reported any more.
  package func close() async { await thread.close() }

  // MARK: The thread

  private func runThread(_ listener: Int32) {
    var coming: [Int32] = []
    var lacksDescriptors = false
    while !thread.isToEnd {
      let (watched, given, hasUnknown) = state.withLock { state in
        defer { state.given = [] }
        let watched = state.armed.compactMap { group in state.kept[group].map { (group, $0) } }
        return (watched, state.given, !state.unknown.isEmpty)
      }
      for descriptor in given { Glibc.close(descriptor) }
      if !given.isEmpty { lacksDescriptors = false }
      var entries = [thread.bell.entry, Self.entry(lacksDescriptors ? -1 : listener)]
      entries += coming.map(Self.entry)
      entries += watched.map { Self.entry($0.1) }
      let isStuck = lacksDescriptors || hasUnknown || !coming.isEmpty
      let ready = poll(&entries, nfds_t(entries.count), isStuck ? patience : -1)
      if ready == 0 {
        for connection in coming { Glibc.close(connection) }
        (coming, lacksDescriptors) = ([], false)
        state.withLock { state in for group in state.unknown { _ = state.drop(group) } }
      }
      guard ready > 0 else { continue }
      thread.bell.answer(entries[0])
      for (place, (group, descriptor)) in watched.enumerated() {
        let events = Int32(entries[2 + coming.count + place].revents)
        if events != 0 { tell(of: group) }
        if events & (POLLHUP | POLLERR | POLLNVAL) != 0 { hungUp(descriptor, of: group) }
      }
      let senders = coming.indices.filter { entries[2 + $0].revents != 0 }.map { coming[$0] }
      for connection in senders { readBytes(from: connection) }
      coming.removeAll { senders.contains($0) }
      if !senders.isEmpty { lacksDescriptors = false }
      if entries[1].revents != 0 { lacksDescriptors = !accept(from: listener, into: &coming) }
    }
    closeSockets(coming, listener)
  }

  /// Accepts a connection, if necessary in place of the oldest silent one. Returns false if no descriptor is left.
  private func accept(from listener: Int32, into coming: inout [Int32]) -> Bool {
    if coming.count >= Self.comingLimit { Glibc.close(coming.removeFirst()) }
    let connection = unix_accept(listener)
    guard connection < 0 else {
      coming.append(connection)
      return true
    }
    return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
  }

  /// Handles a hang-up: the kept socket is closed, unless a newer one is kept meanwhile.
  private func hungUp(_ descriptor: Int32, of group: Group) {
    state.withLock { state in
      if state.kept[group] == descriptor { _ = state.drop(group) }
    }
  }

  private static func entry(_ descriptor: Int32) -> pollfd {
    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }

  /// Reports a group only while it is still armed: its app may have been thawed meanwhile.
  private func tell(of group: Group) {
    if state.withLock({ $0.armed.remove(group) != nil }) { sink(group) }
  }

  /// Takes the descriptor that a connection brings, answers with a line, and closes it.
  private func readBytes(from connection: Int32) {
    defer { Glibc.close(connection) }
    var (pid, uid) = (pid_t(0), uid_t(0))
    guard unix_peer(connection, &pid, &uid) == 0, uid == geteuid() || uid == 0 else { return }
    let descriptor = unix_receive_descriptor(connection)
    guard descriptor >= 0 else { return answer("no descriptor came with it\n", connection) }
    let group = getpgid(pid)
    let old = state.withLock { state -> Int32? in
      guard group > 0, state.kept[group] != nil || state.kept.count < Self.keptLimit else {
        return descriptor
      }
      if !state.known.contains(group) {
        state.unknown.removeAll { $0 == group }
        state.unknown.append(group)
        if state.unknown.count > Self.unknownLimit, let oldest = state.unknown.first {
          _ = state.drop(oldest)
        }
      }
      return state.kept.updateValue(descriptor, forKey: group)
    }
    if let old { Glibc.close(old) }
    answer(old == descriptor ? "too many sockets are kept\n" : "ok\n", connection)
  }

  private func answer(_ text: String, _ connection: Int32) {
    _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  private func closeSockets(_ coming: [Int32], _ listener: Int32) {
    let left = state.withLock { state in
      defer { (state.kept, state.armed, state.given) = ([:], [], []) }
      return state.kept.values + state.given
    }
    for descriptor in left + coming + [listener] { Glibc.close(descriptor) }
  }
}
