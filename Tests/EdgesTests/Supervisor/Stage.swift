// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Foundation
import Glibc
import Host
import ServiceContract
import Synchronization
import Testing

/// A directory with a supervisor in it, and its events. The only place where these tests wait: for a condition, at most
/// `patience` seconds.
final class Stage {
  let directory: String
  private let root: String
  private(set) var supervisor: AppSupervisor?
  private let said = Said()
  private let freezer: FreezeMeans
  private let purgesAfter: Double
  private let logLimit: Int
  /// Whether ends are stored, so that keepers may forget them.
  private let stores: Bool

  static let patience = 15.0

  private final class Said: Sendable {
    let events = Mutex<[ProcessEvent]>([])
  }

  init(
    _ freezer: FreezeMeans = .signals, purgesAfter: Double = 600,
    logLimit: Int = 1 << 20, folder: String? = nil, stores: Bool = true
  ) throws {
    var template = Array(
      "\(FileManager.default.temporaryDirectory.path)/milepost-XXXXXX".utf8CString)
    // As the kernel names it: /proc/PID/cwd knows no symbolic links.
    guard mkdtemp(&template) != nil, let made = realpath(template, nil) else {
      throw CannotRun(what: "no temporary directory")
    }
    defer { free(made) }
    root = String(cString: made)
    directory = folder.map { [root] in "\(root)/\($0)" } ?? root
    if folder != nil { mkdir(directory, 0o700) }
    (self.freezer, self.purgesAfter, self.logLimit) = (freezer, purgesAfter, logLimit)
    self.stores = stores
    try begin()
  }

  struct CannotRun: Error { let what: String }

  static var keeper: String {
    let bundle =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: bundle).deletingLastPathComponent()
      .appendingPathComponent("milepost-keeper").path
  }

  /// A new supervisor on the same directory, as in a restarted daemon.
  func begin() throws {
    let (said, slot, stores) = (said, Slot(), stores)
    let supervisor = try AppSupervisor(
      directory: "\(directory)/run", keeper: Self.keeper, freezer: freezer,
      purgesAfter: purgesAfter, logLimit: logLimit
    ) { event in
      // As the service does once it has stored it.
      switch event {
      case .ended(let app, _), .failedToStart(let app, _), .prevented(let app, _):
        if stores { slot.supervisor.withLock { $0?.supervisor }?.forget(app: app) }
      case .started, .adopted, .frozen, .thawed, .usesMemory, .warning: break
      }
      said.events.withLock { $0.append(event) }
    }
    slot.supervisor.withLock { $0 = Slot.Weak(supervisor: supervisor) }
    self.supervisor = supervisor
  }

  /// The supervisor for its own sink, which must not keep it.
  private final class Slot: Sendable {
    struct Weak: Sendable {
      weak let supervisor: AppSupervisor?
    }

    let supervisor = Mutex<Weak?>(nil)
  }

  /// Drops the supervisor, as the death of a daemon would; its connections are closed on return, as
  /// those of a dead process are before the next one begins.
  func die() async {
    await supervisor?.release()
    supervisor = nil
  }

  /// Drops it without notice.
  func drop() { supervisor = nil }

  func start(
    _ app: String, _ script: String, input: String? = nil, limit: Double? = nil,
    environment: [String: String] = [:]
  ) {
    supervisor?.start(
      .init(
        app: app, command: ["sh", "-c", script], environment: environment, directory: directory,
        input: input.map { Array($0.utf8) }, timeLimit: limit))
  }

  /// Starts and waits until it runs; returns its pid.
  func started(_ app: String, _ script: String, limit: Double? = nil) throws -> Int32 {
    start(app, script, limit: limit)
    return try awaited("\(app) starts") { event in
      if case .started(app, let pid) = event { pid } else { nil }
    }
  }

  var events: [ProcessEvent] { said.events.withLock { $0 } }

  func forgetEvents() { said.events.withLock { $0 = [] } }

  @discardableResult
  func awaited<T>(_ what: String, _ pick: (ProcessEvent) -> T?) throws -> T {
    var found: T?
    try until(what) {
      found = events.lazy.compactMap(pick).first
      return found != nil
    }
    guard let found else { throw CannotRun(what: what) }
    return found
  }

  func expect(_ event: ProcessEvent) throws {
    try awaited("\(event)") { $0 == event ? true : nil }
  }

  func ending(of app: String) throws -> ProcessEvent.Ending {
    try awaited("the end of \(app)") { event in
      if case .ended(app, let ending) = event { ending } else { nil }
    }
  }

  func until(_ what: String, _ condition: () -> Bool) throws {
    let end = Boot.seconds + Self.patience
    while !condition() {
      guard Boot.seconds < end else {
        throw CannotRun(what: "\(what): not so after \(Self.patience) s; \(scene)")
      }
      poll(nil, 0, 3)
    }
  }

  /// The same for an asynchronous condition.
  func untilAwaited(_ what: String, _ condition: () async -> Bool) async throws {
    let end = Boot.seconds + Self.patience
    while await !condition() {
      guard Boot.seconds < end else {
        throw CannotRun(what: "\(what): not so after \(Self.patience) s; \(scene)")
      }
      poll(nil, 0, 3)
    }
  }

  /// Lets `seconds` pass in which `condition` must hold.
  func stays(_ condition: () -> Bool, for seconds: Double) -> Bool {
    let end = Boot.seconds + seconds
    while Boot.seconds < end {
      if !condition() { return false }
      poll(nil, 0, 5)
    }
    return true
  }

  // Looking at what there is ----------------------------------------------------------------------

  func text(_ name: String) -> String { SmallFile.text(of: "\(directory)/\(name)") ?? "" }

  func number(_ name: String) throws -> Int32 {
    try until("a number in \(name)") { text(name).hasSuffix("\n") }
    return Int32(text(name).prefix { $0 != "\n" }) ?? 0
  }

  func record(_ app: String) -> KeeperRecord? {
    KeeperRecord(text: text("run/keepers/\(app).state"))
  }

  static func isAlive(_ pid: Int32) -> Bool {
    ProcessTable.entry(pid).map { !$0.isZombie } ?? false
  }

  /// Whether the kernel reports it as frozen.
  func isFrozen(_ pid: Int32, app: String) -> Bool {
    switch freezer {
    case .signals: ProcessTable.entry(pid)?.isStopped == true
    case .cgroup1: SmallFile.text(of: "\(group(of: pid, app))/freezer.state") == "FROZEN\n"
    case .cgroup2:
      SmallFile.text(of: "\(group(of: pid, app))/cgroup.events")?.contains("frozen 1") == true
    }
  }

  /// The group's folder, if /proc confirms that the process is in it.
  private func group(of pid: Int32, _ app: String) -> String {
    guard let path = record(app)?.group?.path, let name = path.split(separator: "/").last,
      SmallFile.text(of: "/proc/\(pid)/cgroup")?.contains("/\(name)\n") == true
    else { return "" }
    return path
  }

  /// Processes that were started in this directory, and are alive.
  var leftovers: [ProcessEntry] {
    ProcessTable.all().filter { entry in
      guard !entry.isZombie, entry.pid != getpid() else { return false }
      let folder = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(entry.pid)/cwd")
      return folder == directory || folder?.hasPrefix(directory + "/") == true
    }
  }

  /// The same without the keepers: one that has reported its app's end may still be leaving.
  var ofApps: [ProcessEntry] { leftovers.filter { $0.name != "milepost-keeper" } }

  /// For the message of a failure.
  private var scene: String {
    let names = Directory.names(in: "\(directory)/run/keepers")
    return "events: \(events); files: \(names); processes: \(leftovers)"
  }

  /// Ends all remaining processes in any case, and removes the directory.
  func clear() {
    supervisor = nil
    for entry in leftovers { ProcessTable.signal(entry, SIGKILL) }
    for name in Directory.names(in: "\(directory)/run/keepers") where name.hasSuffix(".state") {
      let group = record(String(name.dropLast(6)))?.group
      for _ in 0..<200 where group.map({ access($0.path, F_OK) == 0 }) == true {
        AppProcesses(group: group) { [] }.kill()
        group?.remove()
        poll(nil, 0, 2)
      }
    }
    Self.reapKeepers()
    try? FileManager.default.removeItem(atPath: root)
  }

  /// Keepers are children of this process; those that have ended are taken off the list. Only those:
  /// other tests wait for children of their own.
  private static func reapKeepers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for pid in names.compactMap({ pid_t($0) }) {
      // `PID (NAME) STATE PARENT …` of proc(5); the name is cut to 15 bytes, which this one has.
      let text = SmallFile.text(of: "/proc/\(pid)/stat") ?? ""
      if text.hasPrefix("\(pid) (milepost-keeper) Z \(getpid()) ") { waitpid(pid, nil, WNOHANG) }
    }
  }
}

extension FreezeMeans {
  /// Whether it is available to the user of the tests.
  var isHere: Bool {
    self == .signals || parentGroup != nil
  }

  /// The available ones; an unavailable one is reported once.
  static let here: [FreezeMeans] = allCases.filter { freezer in
    if !freezer.isHere {
      print("The freezer \(freezer.rawValue) is not writable here: its tests are left out.")
    }
    return freezer.isHere
  }
}
