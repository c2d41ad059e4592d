// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Host
import JSONText

/// A keeper as a new process, and this end of its connection.
struct KeeperSpawn {
  let pid: Int32
  let descriptor: Int32

  /// Throws `Complaint`.
  init(
    keeper: String, directory: String, start: KeeperStart, input: [UInt8]?
  ) throws(Complaint) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw Complaint("no connection to a keeper: \(SystemError.text())")
    }
    var files = [ends[1]]
    var isStarted = false
    defer {
      for file in files { close(file) }
      if !isStarted { close(ends[0]) }
    }
    files.append(try Self.file(Array(start.text.utf8)))
    if let input { files.append(try Self.file(input)) }
    // The numbers are above the keeper's own ones, so that none is overwritten on the way.
    for index in files.indices {
      let high = fcntl(files[index], F_DUPFD_CLOEXEC, 16)
      guard high >= 0 else { throw Complaint("no descriptors: \(SystemError.text())") }
      close(files[index])
      files[index] = high
    }
    pid = try Self.spawn([keeper, start.app, directory], files: files)
    descriptor = ends[0]
    isStarted = true
  }

  /// A nameless file with these bytes, positioned at its beginning.
  private static func file(_ bytes: [UInt8]) throws(Complaint) -> Int32 {
    let file = nameless_file("milepost")
    guard file >= 0 else {
      throw Complaint("no room for what is to start: \(SystemError.text())")
    }
    if let code = WholeWrite.write(bytes[...], to: file).error {
      close(file)
      throw Complaint("no room for what is to start: \(SystemError.text(code))")
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  private static func spawn(
    _ arguments: [String], files: [Int32]
  ) throws(Complaint) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, mode) in [(0, O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
      posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", mode, 0)
    }
    for (number, file) in files.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file, Int32(3 + number))
    }
    for number in (3 + files.count)..<6 {
      posix_spawn_file_actions_addclose(&actions, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let flags = spawn_in_new_session | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, flags)
    var set = sigset_t()
    sigemptyset(&set)
    posix_spawnattr_setsigmask(&attributes, &set)
    sigfillset(&set)
    posix_spawnattr_setsigdefault(&attributes, &set)

    var words = arguments.map { strdup($0) } + [nil]
    var variables = Surroundings.own.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var pid = pid_t()
    let failure = posix_spawn(&pid, arguments[0], &actions, &attributes, &words, &variables)
    guard failure == 0 else {
      throw Complaint("\(arguments[0]): \(SystemError.text(failure))")
    }
    return pid
  }
}

/// The inherited part of this process's environment for apps.
enum Surroundings {
  /// The variables that systemd sets only for this service (systemd.exec(5)), and an outer keeper's mark.
  private static let serviceOnly: Set<String> = [
    "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS",
    "LISTEN_FDNAMES", "LISTEN_PIDFDID", "JOURNAL_STREAM", "INVOCATION_ID", "MAINPID", "MANAGERPID",
    "SYSTEMD_EXEC_PID", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE", KeeperRecord.variable,
  ]

  static var own: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        let name = String(text[..<equals])
        if !serviceOnly.contains(name) {
          variables[name] = String(text[text.index(after: equals)...])
        }
      }
      next += 1
    }
    return variables
  }
}
