// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Host
import JSONText
import LocationModel
import ServiceContract
import ServiceCore

// Theory
// ======
//
// A service keeps one clock from its start to its end. So a scenario at a higher speed has a separate service, whose
// clock runs that many times as fast, and which knows no other apps:
//
//   separate folder ─► milepostd ─answers─► the scenario is played ─► SIGTERM ─► folder removed
//                         └─ ends, or is silent ─► a complaint with its last output
//
// - Its configuration has only the scenario's era and gpsd's address: the sinks and pages of the user's own service do
//   not apply, nor do the machine's modem and memory. It applies the user's privacy: the zones of the usual
//   configuration, which `milepostd --time-lapse` reads itself.
// - A signal that ends this program ends the service in an orderly way, too (`EndSignals`).

/// A service that belongs to this program, for as long as it holds it.
final class OwnService: @unchecked Sendable {
  // Nothing changes after `init` except these two, which `lock` guards; `endService` holds it until all is done.

  private let folder: String
  private let pid: pid_t
  private let lock = NSLock()
  private var isOver = false
  /// Whether its status was taken: from then on another process may have its number.
  private var isReaped = false

  /// Its control socket.
  var socket: String { folder + "/run/socket" }

  /// The machine's seconds within which it must answer, and end.
  private static let patience = 20.0

  /// Starts one whose clock is `speed` times as fast as the machine's, and shows the machine's UTC now.
  ///
  /// Throws `Complaint` if it cannot be started, or does not answer.
  init(speed: Double, era: Era?, gpsd: String?) throws {
    let parent = FileManager.default.temporaryDirectory.path
    guard let folder = Directory.makeTemporary(in: parent) else {
      throw Complaint("\(parent): \(SystemError.text()); set TMPDIR")
    }
    self.folder = folder
    var configuration = DaemonConfiguration()
    if let era { configuration.era = era }
    let lines = ["modem: off", "memory_pressure: false", "era: \(configuration.era.text)"]
    let file = folder + "/milepostd.yaml"
    let words =
      [
        try DaemonProgram.path(), "serve", "--config", file, "--state", folder + "/state",
        "--runtime", folder + "/run", "--socket", folder + "/run/socket", "--time-lapse",
        Self.lapse(speed),
      ] + (gpsd.map { ["--gpsd", $0] } ?? [])
    do {
      try lines.map { $0 + "\n" }.joined().write(toFile: file, atomically: true, encoding: .utf8)
      pid = try Self.start(words, saying: folder + "/log")
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
    EndSignals.first { [weak self] in self?.endService() }
  }

  deinit { endService() }

  /// Waits until it answers.
  func awaitAnswer(_ service: ServiceOptions) throws {
    for _ in 0..<Int(Self.patience / 0.05) {
      let status: StatusDocument? = try? service.ask(.status)
      if status != nil { return }
      if lock.withLock({ hasEnded }) { break }
      usleep(50_000)
    }
    let said = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
    let last = said.split(separator: "\n").last ?? "it said nothing"
    throw Complaint("the service of this scenario's own does not answer: \(last)")
  }

  /// Ends it and everything that it runs, and removes its files. A concurrent caller waits until it is done.
  func endService() {
    lock.withLock {
      guard !isOver else { return }
      isOver = true
      if !hasEnded { kill(pid, SIGTERM) }
      for _ in 0..<Int(Self.patience / 0.02) {
        if hasEnded { break }
        usleep(20_000)
      }
      if !hasEnded {
        kill(pid, SIGKILL)
        var code: Int32 = 0
        waitpid(pid, &code, 0)
      }
      try? FileManager.default.removeItem(atPath: folder)
    }
  }

  /// Whether its process is gone; `lock` is held.
  private var hasEnded: Bool {
    var code: Int32 = 0
    if !isReaped, waitpid(pid, &code, WNOHANG) != 0 { isReaped = true }
    return isReaped
  }

  /// The argument of `milepostd --time-lapse`: the rate, the machine's boot-time clock, and UTC at that reading.
  private static func lapse(_ speed: Double) -> String {
    func microseconds(_ clock: clockid_t) -> Int {
      var time = timespec()
      clock_gettime(clock, &time)
      return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
    return "\(speed),\(microseconds(CLOCK_BOOTTIME)),\(microseconds(CLOCK_REALTIME))"
  }

  /// Starts it in a separate process group, with no signal blocked; its output goes to a file.
  private static func start(_ words: [String], saying log: String) throws -> pid_t {
    EndSignals.block()
    var none = sigset_t()
    sigemptyset(&none)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid = pid_t()
    let failure = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, environ)
    guard failure == 0 else {
      throw Complaint("cannot start \(words[0]): \(SystemError.text(failure))")
    }
    return pid
  }
}
