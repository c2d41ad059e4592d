// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Host
import JSONText
import LocationModel
import ServiceContract

// Ending an app whose keeper can no longer do it.
//
// The state file names the keeper's processes. Members are found by three signs, each of which holds only for this app:
// its cgroup, whose name carries the keeper's pid and start time; its process group within the keeper's session, as
// long as neither number has passed to another process; and the mark in the environment, which also finds those that
// left group and session. A process that left all three, by clearing its environment in a separate session without a
// cgroup, is beyond reach. Signals go through pidfds, so that a reused number is not hit.
//
// A process between two programs (execve) shows no environment for a moment, and a forking one may
// be missed by a scan of /proc. So nothing counts as gone before two consecutive scans have found
// nothing, and a process without any environment is given 2 s to show one.

/// The supervisor's work, all of it on `queue`.
///
/// Unchecked, since only `queue` touches its mutable state.
final class Supervision: @unchecked Sendable {
  let queue = DispatchQueue(label: "milepost.supervisor")
  private let directory: String
  private let sink: @Sendable (ProcessEvent) -> Void

  private let keeper: String
  private let means: FreezeMeans
  private let holdsFrozen: Double
  private let logLimit: Int
  private var links: [String: KeeperLink] = [:]
  /// Keepers whose app has ended, until that end is stored.
  private var finished: [String: KeeperLink] = [:]
  /// Apps whose remains are being ended.
  private var sweeping: Set<String> = []
  /// The unsettled apps of the current adoption, its results, and the waiting callers.
  private var unsettled: Set<String> = []
  private var adopted: [String] = []
  private var waiting: [([String]) -> Void] = []

  /// Seconds for which a keeper may be silent when it is adopted.
  private static let patience = 5.0

  init(
    directory: String, keeper: String, means: FreezeMeans, holdsFrozen: Double, logLimit: Int,
    sink: @escaping @Sendable (ProcessEvent) -> Void
  ) {
    self.directory = directory
    self.keeper = keeper
    self.means = means
    self.holdsFrozen = holdsFrozen
    self.logLimit = logLimit
    self.sink = sink
  }

  func letGo() {
    for link in links.values { link.cancel() }
    for link in finished.values { link.cancel() }
    // A sweep under way ends with its next look: the next daemon continues it.
    (links, finished, sweeping, unsettled) = ([:], [:], [], [])
    finishAdoption()
  }

  func send(order: Order, to app: String) {
    guard let link = links[app], !link.send(order: order) else { return }
    sink(.warning(app: app, "its keeper takes no orders; it is ended with the app"))
    link.cancel()
    lost(link)
  }

  // Starting --------------------------------------------------------------------------------------

  func start(_ start: ProcessStart) {
    let app = start.app
    if let reason = objection(to: start) {
      return sink(.failedToStart(app: app, reason: reason))
    }
    if let record = storedRecord(of: app), record.boot == Boot.id {
      // A keeper whose app has ended is about to leave, and touches nothing any more.
      if record.ending == nil, record.keeper.isAlive {
        let reason = "the keeper of an earlier daemon holds it (process \(record.keeper.pid))"
        return sink(.failedToStart(app: app, reason: reason))
      }
      if record.main != nil, record.ending == nil {
        return sweep(record) { [self] in
          // Its end was told; the record would be swept again.
          removeFiles(of: app)
          self.start(start)
        }
      }
    }
    letGoFinished(app)
    removeFiles(of: app)
    var environment = Surroundings.own
    environment.merge(start.environment) { $1 }
    let order = KeeperStart(
      app: app, command: start.command, environment: environment, directory: start.directory,
      means: means, timeLimit: start.timeLimit, holdsFrozen: holdsFrozen, logLimit: logLimit)
    guard order.text.utf8.count < SmallFile.limit else {
      let reason = "its command and environment are longer than \(SmallFile.limit) bytes"
      return sink(.failedToStart(app: app, reason: reason))
    }
    do throws(Complaint) {
      let spawn = try KeeperSpawn(
        keeper: keeper, directory: directory, start: order, input: start.input)
      let link = makeLink(app: app, keeper: spawn.pid, descriptor: spawn.descriptor)
      link.isSettled = true
    } catch {
      sink(.prevented(app: app, reason: error.description))
    }
  }

  private func objection(to start: ProcessStart) -> String? {
    let app = start.app
    if !Self.isName(app) {
      return "\"\(app)\" is no name of an app: \(AppName.words)"
    }
    if links[app] != nil { return "it runs already" }
    if sweeping.contains(app) { return "its last processes are still being ended" }
    if start.command.first?.isEmpty != false { return "its command is empty" }
    if let count = start.input?.count, count > AppSupervisor.inputLimit {
      return "its input has \(count) bytes; \(AppSupervisor.inputLimit) is the limit"
    }
    let words = start.command + start.environment.flatMap { [$0.key, $0.value] }
    if (words + [start.directory]).contains(where: { $0.utf8.contains(0) }) {
      return "its command or environment holds a zero byte"
    }
    if let name = start.environment.keys.first(where: { $0.isEmpty || $0.contains("=") }) {
      return "\"\(name)\" is no name of an environment variable"
    }
    return nil
  }

  private static func isName(_ app: String) -> Bool {
    let marks = Set("._-".utf8)
    return (1...64).contains(app.utf8.count) && app.utf8.first != UInt8(ascii: ".")
      && app.utf8.allSatisfy {
        marks.contains($0) || (48...57).contains($0) || (65...90).contains($0)
          || (97...122).contains($0)
      }
  }

  private func makeLink(app: String, keeper: Int32, descriptor: Int32) -> KeeperLink {
    let link = KeeperLink(app: app, keeper: keeper, descriptor: descriptor, queue: queue) {
      [weak self] link, report in self?.takeReport(report, from: link)
    }
    links[app] = link
    return link
  }

  // Messages of keepers ----------------------------------------------------------------------------

  private func takeReport(_ report: Report?, from link: KeeperLink) {
    let app = link.app
    switch report {
    case .started(let pid):
      link.record = storedRecord(of: app)
      sink(.started(app: app, pid: pid))
    case .holds(let pid, let isFrozen):
      link.isSettled = true
      adopted.append(app)
      sink(.adopted(app: app, pid: pid, isFrozen: isFrozen))
      settle(app: app)
    case .frozen: AppMemory.whenFrozen(app, link.record).forEach(sink)
    case .thawed: sink(.thawed(app: app))
    case .warning(let text): sink(.warning(app: app, text))
    case .ended(let ending): ended(link, ending)
    case .superseded:
      forget(link: link)
      sink(.warning(app: app, "another daemon has taken it over"))
      settle(app: app)
    case nil: lost(link)
    }
  }

  private func forget(link: KeeperLink) {
    link.cancel()
    if links[link.app] === link { links[link.app] = nil }
  }

  private func ended(_ link: KeeperLink, _ ending: KeeperMachine.Ending) {
    if links[link.app] === link { links[link.app] = nil }
    letGoFinished(link.app)
    finished[link.app] = link
    reportEnding(of: link.app, ending)
    settle(app: link.app)
  }

  /// Forgets an app whose end is stored: its keeper is released, and its records are deleted.
  func forget(app: String) {
    // An app that runs again, or is being swept, has its own files. So has one of which something is left: it was swept
    // until its daemon let go, or a keeper holds it for another daemon. The next adoption needs them.
    if links[app] == nil, !sweeping.contains(app), storedRecord(of: app)?.hasRemains != true {
      removeFiles(of: app)
    }
    letGoFinished(app)
  }

  /// Releases a keeper whose app has ended: it need not wait any longer.
  private func letGoFinished(_ app: String) {
    guard let link = finished.removeValue(forKey: app) else { return }
    _ = link.send(order: .done)
    link.cancel()
    reap(link.keeper)
  }

  private func reportEnding(of app: String, _ ending: KeeperMachine.Ending?) {
    switch ending {
    case .exited(let status): sink(.ended(app: app, .exited(status: status)))
    case .signalled(let signal): sink(.ended(app: app, .signalled(signal)))
    case .failed(let reason): sink(.failedToStart(app: app, reason: reason))
    case .prevented(let reason): sink(.prevented(app: app, reason: reason))
    case nil: sink(.ended(app: app, .unknown))
    }
  }

  /// Handles a lost connection without a reported end: the keeper is dead or unusable.
  private func lost(_ link: KeeperLink) {
    if finished[link.app] === link {
      // It has reported its app's outcome, and has left with that noted.
      link.cancel()
      return reap(link.keeper)
    }
    forget(link: link)
    guard let record = storedRecord(of: link.app) ?? link.record else {
      removeFiles(of: link.app)
      reap(link.keeper)
      settle(app: link.app)
      return sink(.prevented(app: link.app, reason: "its keeper ended before it had begun"))
    }
    sweep(record) { [self] in
      reap(link.keeper)
      let stored = storedRecord(of: link.app) ?? record
      reportEnding(of: link.app, stored.ending)
      settle(app: link.app)
    }
  }

  /// Reaps a keeper that this process started; it stays a zombie until then.
  private func reap(_ keeper: Int32, pauses: Backoff = Backoff(first: 0.002, longest: 1)) {
    var status: Int32 = 0
    guard waitpid(keeper, &status, WNOHANG) == 0 else { return }
    var pauses = pauses
    let pause = pauses.failed()
    queue.asyncAfter(deadline: .now() + pause) { [self, pauses] in reap(keeper, pauses: pauses) }
  }

  // Adopting --------------------------------------------------------------------------------------

  func adopt(_ done: @escaping ([String]) -> Void) {
    waiting.append(done)
    var apps: Set<String> = []
    for name in Directory.names(in: "\(directory)/keepers") {
      for ending in [".state", ".sock"] where name.hasSuffix(ending) {
        apps.insert(String(name.dropLast(ending.count)))
      }
    }
    apps = apps.filter { Self.isName($0) && links[$0] == nil && !sweeping.contains($0) }
    unsettled.formUnion(apps)
    for app in apps.sorted() { adopt(app) }
    finishAdoption()
  }

  private func adopt(_ app: String) {
    guard let record = storedRecord(of: app) else {
      // Nothing ran yet; a keeper that is about to begin sees that its file is gone, and does not.
      removeFiles(of: app)
      return settle(app: app)
    }
    if record.ending == nil, record.boot == Boot.id, record.keeper.isAlive,
      let (descriptor, pid) = KeeperLink.connect(folder: "\(directory)/keepers", app: app)
    {
      let link = makeLink(app: app, keeper: pid, descriptor: descriptor)
      link.record = record
      queue.asyncAfter(deadline: .now() + Self.patience) { [weak self, weak link] in
        guard let self, let link, !link.isSettled, links[app] === link else { return }
        sink(.warning(app: app, "its keeper (process \(pid)) does not answer; both are ended"))
        link.cancel()
        lost(link)
      }
      return
    }
    sweep(record) { [self] in
      let stored = storedRecord(of: app) ?? record
      reap(record.keeper.pid)
      // An unreported failed start, or an app that had not begun, has ended too.
      reportEnding(of: app, stored.ending)
      settle(app: app)
    }
  }

  private func settle(app: String) {
    guard unsettled.remove(app) != nil else { return }
    finishAdoption()
  }

  private func finishAdoption() {
    guard unsettled.isEmpty, !waiting.isEmpty else { return }
    let (apps, waiting) = (adopted.sorted(), waiting)
    (self.adopted, self.waiting) = ([], [])
    for done in waiting { done(apps) }
  }

  // Sweeping --------------------------------------------------------------------------------------

  /// The progress of ending a keeper's remains.
  private struct Course {
    var record: KeeperRecord
    let began = Boot.seconds
    /// Between two looks.
    var pauses = Backoff(first: 0.005, longest: 5)
    var emptyLooks = 0
    var isWarned = false

    var seconds: Double { Boot.seconds - began }
  }

  /// Ends the remains of an app, and calls `done` when nothing is left. Looks again after 5, 10, 20 … ms, at most every
  /// 5 s, and warns after 5 s of it.
  private func sweep(_ record: KeeperRecord, _ done: @escaping @Sendable () -> Void) {
    guard record.boot == Boot.id else { return done() }
    sweeping.insert(record.app)
    if record.keeper.isAlive, let keeper = ProcessTable.entry(record.keeper.pid) {
      ProcessTable.signal(keeper, SIGKILL)
    }
    sweep(Course(record: record), done)
  }

  private func sweep(_ course: Course, _ done: @escaping @Sendable () -> Void) {
    guard sweeping.contains(course.record.app) else { return }
    var course = course
    // Read again: the keeper may have noted its app after the first look, before it was killed.
    course.record = storedRecord(of: course.record.app) ?? course.record
    let record = course.record
    let left = record.remains
    let members = left.processes.members
    if !members.isEmpty || left.processes.group != nil {
      left.processes.kill()
      record.group?.remove()
    }
    let isGone = members.isEmpty && (left.unknown.isEmpty || course.seconds > 2)
    let isGroupGone = record.group.map { access($0.path, F_OK) != 0 } ?? true
    let isEmpty = isGone && isGroupGone && !record.keeper.isAlive
    course.emptyLooks = isEmpty ? course.emptyLooks + 1 : 0
    if course.emptyLooks == 2 {
      sweeping.remove(record.app)
      return done()
    }
    if course.seconds > 5, !course.isWarned {
      course.isWarned = true
      let names = members.map { "\($0.pid) (\($0.name))" }.joined(separator: ", ")
      sink(
        .warning(
          app: record.app, "its keeper is dead, and something of it does not end: [\(names)]"))
    }
    let pause = course.pauses.failed()
    let next = course
    queue.asyncAfter(deadline: .now() + pause) { [self] in sweep(next, done) }
  }

  // Files -----------------------------------------------------------------------------------------

  private func storedRecord(of app: String) -> KeeperRecord? {
    SmallFile.text(of: "\(directory)/keepers/\(app).state").flatMap(KeeperRecord.init(text:))
  }

  private func removeFiles(of app: String) {
    for ending in ["sock", "state"] { unlink("\(directory)/keepers/\(app).\(ending)") }
  }
}
