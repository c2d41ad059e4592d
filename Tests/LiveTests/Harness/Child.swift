// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A process that a test started; killed when it is released.
final class Child {
  let pid: pid_t
  private(set) var status: Int32?

  struct CannotStart: Error {
    let program: String
    let code: Int32
  }

  /// Output and errors go to `output`.
  init(_ arguments: [String], environment: [String: String] = [:], output: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var variables = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"]
    variables.merge(environment) { $1 }
    var words = arguments.map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in words + settings { free(pointer) } }
    var child = pid_t()
    let failure = posix_spawnp(&child, arguments[0], &actions, nil, &words, &settings)
    guard failure == 0 else { throw CannotStart(program: arguments[0], code: failure) }
    pid = child
  }

  var isRunning: Bool {
    guard status == nil else { return false }
    var code: Int32 = 0
    let answer = waitpid(pid, &code, WNOHANG)
    if answer == pid { status = code }
    // Another waiter has taken its status: it has ended, but its status is unknown.
    if answer < 0, errno == ECHILD { status = -1 }
    return status == nil
  }

  /// Sends a signal and waits for the end; kills after `limit` seconds.
  func end(_ signal: Int32 = SIGTERM, limit: Double = 15) {
    guard isRunning else { return }
    kill(pid, signal)
    let end = Waiting.now + limit
    while isRunning, Waiting.now < end { Waiting.pass(0.01) }
    if isRunning {
      kill(pid, SIGKILL)
      var code: Int32 = 0
      waitpid(pid, &code, 0)
      status = code
    }
  }

  deinit { end(SIGKILL) }
}

/// The kernel's facts about any process.
enum HostProcess {
  /// The state letter of /proc/PID/stat (proc(5)); `nil` if there is no such process.
  static func state(_ pid: Int32) -> Character? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let close = text.lastIndex(of: ")")
    else { return nil }
    return text[text.index(close, offsetBy: 2)...].first
  }

  /// Whether it is stopped, or in a frozen cgroup.
  static func isFrozen(_ pid: Int32) -> Bool {
    if state(pid) == "T" { return true }
    let lines = (try? String(contentsOfFile: "/proc/\(pid)/cgroup", encoding: .utf8)) ?? ""
    let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isUnified = parts[0] == "0"
      guard isUnified || parts[1].split(separator: ",").contains("freezer") else { continue }
      for mount in mounts.split(separator: "\n") {
        let fields = mount.split(separator: " ")
        guard fields.count > 3,
          isUnified
            ? fields[2] == "cgroup2"
            : fields[2] == "cgroup" && fields[3].split(separator: ",").contains("freezer")
        else { continue }
        let folder = "\(fields[1])\(parts[2])"
        let events = try? String(contentsOfFile: "\(folder)/cgroup.events", encoding: .utf8)
        if events?.contains("frozen 1") == true { return true }
        let old = try? String(contentsOfFile: "\(folder)/freezer.state", encoding: .utf8)
        if old?.hasPrefix("FROZEN") == true { return true }
      }
    }
    return false
  }
}
