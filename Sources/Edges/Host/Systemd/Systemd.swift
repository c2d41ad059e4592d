// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The interface to the service manager: its inputs for a service, and its notifications.
///
/// All of it goes through the environment. It is read here, and variables for this process only are removed, so that no
/// child uses them. Changing the environment is not safe while other threads read it: call these at the program's
/// start.
package enum Systemd {
  /// The reason why systemd was not notified. A service continues anyway.
  package enum NotifyFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// `NOTIFY_SOCKET` is neither an absolute path nor `@` and a name, or longer than 107 bytes.
    case address(String)
    /// errno of the system's call.
    case system(Int32, address: String)

    package var description: String {
      switch self {
      case .address(let text):
        "NOTIFY_SOCKET is \"\(text)\": a path or @NAME of at most 107 bytes is expected"
      case .system(let code, let address):
        "NOTIFY_SOCKET \"\(address)\": \(SystemError.text(code))"
      }
    }
  }

  /// Reports the service's state: assignments by line, for example `READY=1` (sd_notify(3)). Does
  /// nothing without `NOTIFY_SOCKET`. The caller logs failures; see `send`.
  package static func notify(_ state: String) { _ = send(state: state) }

  /// As `notify`, returning the failure; `nil` if it was sent or there is no receiver.
  package static func send(state: String) -> NotifyFailure? {
    guard let address = variable("NOTIFY_SOCKET"), !address.isEmpty else { return nil }
    return send(state: state, to: address)
  }

  /// Sends one datagram. `@NAME` is a socket in the abstract namespace.
  package static func send(state: String, to address: String) -> NotifyFailure? {
    var name = Array(address.utf8)
    guard let first = name.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
      (2...107).contains(name.count)
    else { return .address(address) }
    if first == UInt8(ascii: "@") { name[0] = 0 }

    let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return .system(errno, address: address) }
    defer { close(descriptor) }
    let bytes = Array(state.utf8)
    let count = SocketAddress.with(name) { target, length in
      bytes.withUnsafeBytes {
        sendto(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), target, length)
      }
    }
    return count == bytes.count ? nil : .system(errno, address: address)
  }

  /// A socket that systemd listens on for this service.
  package struct ListenDescriptor: Sendable, Equatable {
    package let descriptor: Int32
    /// `FileDescriptorName=` of the socket unit, else the unit's name; `nil` if none is stated.
    package let name: String?
  }

  /// The passed sockets, in the units' order (sd_listen_fds(3)); they begin at 3 and are closed on exec. None if the
  /// variables are absent, are for another process, or are unintelligible. The variables are unset, so that a second
  /// call finds none.
  package static func listenDescriptors() -> [ListenDescriptor] {
    let (pid, count) = (variable("LISTEN_PID"), variable("LISTEN_FDS"))
    let names = variable("LISTEN_FDNAMES")
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"] {
      unsetenv(name)
    }
    let found = listenDescriptors(pid: pid, count: count, names: names, ownPID: getpid())
    for listener in found { _ = fcntl(listener.descriptor, F_SETFD, FD_CLOEXEC) }
    return found
  }

  /// The same from the variables' values.
  package static func listenDescriptors(
    pid: String?, count: String?, names: String?, ownPID: Int32
  ) -> [ListenDescriptor] {
    guard let pid = pid.flatMap({ Int32($0) }), pid == ownPID,
      let count = count.flatMap({ Int32($0) }), (1...1_024).contains(count)
    else { return [] }
    let names = names?.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    return (0..<count).map { index in
      // Too few or too many names mean that they cannot be matched (sd_listen_fds_with_names).
      let name = names.flatMap { $0.count == Int(count) ? $0[Int(index)] : nil }
      return ListenDescriptor(descriptor: 3 + index, name: name)
    }
  }

  /// The priorities of syslog(3) that `journaldPrefix` can state.
  package enum Priority: Int, Sendable, CaseIterable {
    case emergency = 0
    case alert
    case critical
    case error
    case warning
    case notice
    case info
    case debug
  }

  /// The prefix of a line on stderr, so that the journal knows its level: `<3>` is an error
  /// (sd-daemon(3)). Each line of a message needs its own.
  package static func journaldPrefix(_ priority: Priority) -> String { "<\(priority.rawValue)>" }

  /// Whether stderr is a stream of the journal. `JOURNAL_STREAM` names its device and inode; they are compared with
  /// those of the descriptor, since a child may have inherited the variable and not the stream (systemd.exec(5)).
  package static var isJournalOnStderr: Bool {
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return isJournal(
      variable("JOURNAL_STREAM"), device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// The same from the variable's value and the descriptor's numbers.
  package static func isJournal(_ stream: String?, device: UInt64, inode: UInt64) -> Bool {
    guard let parts = stream?.split(separator: ":", omittingEmptySubsequences: false),
      parts.count == 2
    else { return false }
    return UInt64(parts[0]) == device && UInt64(parts[1]) == inode
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
