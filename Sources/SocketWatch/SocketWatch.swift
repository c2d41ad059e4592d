// SPDX-License-Identifier: Apache-2.0

import CUnix
import Files
import Glibc
import Synchronization
import Threads

// Theory
// ======
//
// An app hands its signalling socket over on a Unix socket of its own beside the control socket, with one byte that
// carries the descriptor (SCM_RIGHTS, unix(7)); not on the control socket itself, since NIO reads that with
// read(2), which throws descriptors away. The kernel says whose process sent it, and the descriptor belongs to
// that process' group: the newest one of a group counts.
//
//              handed over                 armed: its app is frozen           data, or the end of the line
//    (none) ──────────────────► kept ◄──────────────────────────────► watched ─────────────────────────► told once
//       ▲                        │ ▲          disarmed: it runs                                             │
//       └──── forgotten: ────────┘ └────────────────────────────────────────────────────────────────────────┘
//             it has ended
//
// Only the descriptors of frozen apps are in `poll`: an app that runs reads for itself. `poll` looks at levels, so what
// came in while the app was being frozen is seen as soon as it is watched, and nothing is lost. One thread does all
// that and blocks without a timeout.

/// Keeps the sockets that apps hand over, and tells when something comes in on those of frozen ones.
package final class SocketWatch: Sendable {
  /// What an app is known by here: the leader of its process group.
  package typealias Group = Int32

  private struct State {
    var listener: Int32 = -1
    var kept: [Group: Int32] = [:]
    /// Groups of frozen apps of which nothing was told since they were frozen; also those that have handed nothing
    /// over, or whose descriptor is still on its way.
    var armed: Set<Group> = []
    var hasThread = false
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// Descriptors that the thread closes when it is not in `poll` with them.
    var given: [Int32] = []
  }

  /// Sockets that are kept, and connections that have not sent theirs yet.
  private static let keptLimit = 1_024
  private static let comingLimit = 64

  private let state = Mutex(State())
  private let bell = Bell()
  private let sink: @Sendable (Group) -> Void

  /// `sink` is told of a group on whose socket something came in; it is called on the watch's thread and must
  /// not block.
  package init(sink: @escaping @Sendable (Group) -> Void) { self.sink = sink }

  /// Listens at `path`, for this user alone; answers why that cannot be, in words. Called once.
  package func listen(at path: String) -> String? {
    guard bell.isThere else { return "\(path): this process has no descriptor left" }
    guard path.utf8.count <= SocketAddress.pathLimit else {
      return
        "\(path): longer than the \(SocketAddress.pathLimit) bytes that a socket's path may have"
    }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let listener = socket(AF_UNIX, kind, 0)
    guard listener >= 0 else { return "\(path): \(SystemError.text())" }
    // The runtime directory is locked by this daemon: what is there is an earlier one's.
    unlink(path)
    let mask = umask(0o177)
    let bound = SocketAddress.with(path.utf8) { bind(listener, $0, $1) }
    let code = errno
    umask(mask)
    guard bound == 0, Glibc.listen(listener, 64) == 0 else {
      let words = SystemError.text(bound == 0 ? errno : code)
      Glibc.close(listener)
      return "\(path): \(words)"
    }
    state.withLock { ($0.listener, $0.hasThread) = (listener, true) }
    guard BlockingThread.start({ self.run() }) != 0 else { return nil }
    state.withLock { ($0.listener, $0.hasThread) = (-1, false) }
    Glibc.close(listener)
    return "\(path): no thread could be started"
  }

  /// Its app is frozen from now on: what comes in is told, once.
  package func arm(_ group: Group) {
    if state.withLock({ $0.armed.insert(group).inserted }) { bell.ring() }
  }

  /// Its app runs, and reads for itself.
  package func disarm(_ group: Group) {
    if state.withLock({ $0.armed.remove(group) != nil }) { bell.ring() }
  }

  /// Its app has ended: its socket is closed.
  package func forget(_ group: Group) {
    let isKept = state.withLock { state in
      state.armed.remove(group)
      guard let descriptor = state.kept.removeValue(forKey: group) else { return false }
      state.given.append(descriptor)
      return true
    }
    if isKept { bell.ring() }
  }

  /// How many are kept.
  package var count: Int { state.withLock { $0.kept.count } }

  /// Closes all of them. Nothing is told any more.
  package func close() async {
    await withCheckedContinuation { waiter in
      let isOver = state.withLock { state in
        state.isClosed = true
        if state.hasThread { state.waiters.append(waiter) }
        return !state.hasThread
      }
      if isOver { waiter.resume() } else { bell.ring() }
    }
  }

  // MARK: The thread

  private func run() {
    let listener = state.withLock { $0.listener }
    var coming: [Int32] = []
    while true {
      let (isClosed, watched, given) = state.withLock { state in
        defer { state.given = [] }
        let watched = state.armed.compactMap { group in state.kept[group].map { (group, $0) } }
        return (state.isClosed, watched, state.given)
      }
      for descriptor in given { Glibc.close(descriptor) }
      if isClosed { break }
      // One that is full waits in the kernel's own queue.
      let isOpen = coming.count < Self.comingLimit
      var entries = [bell.entry, Self.entry(isOpen ? listener : -1)]
      entries += coming.map(Self.entry)
      entries += watched.map { Self.entry($0.1) }
      guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      bell.answer(entries[0])
      for (place, (group, _)) in watched.enumerated()
      where entries[2 + coming.count + place].revents != 0 {
        tell(of: group)
      }
      let ready = coming.indices.filter { entries[2 + $0].revents != 0 }.map { coming[$0] }
      for connection in ready { take(from: connection) }
      coming.removeAll { ready.contains($0) }
      if entries[1].revents != 0 {
        let connection = unix_accept(listener)
        if connection >= 0 { coming.append(connection) }
      }
    }
    finish(coming, listener)
  }

  private static func entry(_ descriptor: Int32) -> pollfd {
    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }

  /// It is told only while it is still armed: its app may have been thawed meanwhile.
  private func tell(of group: Group) {
    if state.withLock({ $0.armed.remove(group) != nil }) { sink(group) }
  }

  /// Takes the descriptor that a connection brings, answers with a line, and closes it.
  private func take(from connection: Int32) {
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
      return state.kept.updateValue(descriptor, forKey: group)
    }
    if let old { Glibc.close(old) }
    answer(old == descriptor ? "too many sockets are kept\n" : "ok\n", connection)
  }

  private func answer(_ text: String, _ connection: Int32) {
    _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  private func finish(_ coming: [Int32], _ listener: Int32) {
    let (left, waiters) = state.withLock { state in
      state.hasThread = false
      defer { (state.kept, state.armed, state.waiters, state.given) = ([:], [], [], []) }
      return (Array(state.kept.values) + state.given, state.waiters)
    }
    for descriptor in left + coming + [listener] { Glibc.close(descriptor) }
    for waiter in waiters { waiter.resume() }
  }
}
