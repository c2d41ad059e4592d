// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import CUnix
import Glibc
import Host

extension Keeper {
  /// Starts the app; returns `nil` once its program runs, else the failure, the app's or ours.
  ///
  /// The note precedes the action: the record names keeper, cgroup and process before each of them can do anything, so
  /// that a kill at any point leaves nothing unknown.
  func launch() -> KeeperMachine.Ending? {
    recordDescriptor = open("\(app).state", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard recordDescriptor >= 0 else {
      return .prevented("its state file cannot be made: \(SystemError.text())")
    }
    if let reason = record.write(to: recordDescriptor) { return unwritten(reason) }
    // Only the creator of the state file may bind the socket's name.
    openSocket()
    if start.means != .signals, let failure = enterGroup() {
      record.group = nil
      say(warning: failure)
    }
    guard record.group != nil else { return attempt() }
    if let ending = attempt() {
      guard groupIsClosed, case .failed(let reason) = ending else { return ending }
      // It is not a member after all: the delegation may have ended. Signals always work.
      say(warning: reason)
      record.group?.remove()
      record.group = nil
      return attempt()
    }
    return nil
  }

  private func unwritten(_ reason: String) -> KeeperMachine.Ending {
    .prevented("its state file cannot be written: \(reason)")
  }

  private func say(warning text: String) {
    say(.warning(text + "; its processes are stopped by signals"))
  }

  /// Makes the app's cgroup; returns the reason for a failure, in words.
  private func enterGroup() -> String? {
    guard let parent = ControlGroup.own(isVersion1: start.means == .cgroup1) else {
      return "there is no \(start.means.rawValue) here any more"
    }
    // The keeper's mark makes the name unique: processes found under it are this app's.
    let name = "milepost-\(app)-\(record.mark)"
    record.group = ControlGroup(
      path: "\(parent.path)/\(name)", isVersion1: start.means == .cgroup1)
    if let reason = record.write(to: recordDescriptor) {
      return "its state file cannot be written: \(reason)"
    }
    switch parent.makeChild(name) {
    case .success: return nil
    case .failure(let failure):
      return "\(failure.path) is not writable: \(SystemError.text(failure.code))"
    }
  }

  /// Forks, notes the process, and opens the gate; returns `nil` once the program runs.
  private func attempt() -> KeeperMachine.Ending? {
    groupIsClosed = false
    guard let gate = Pipe(), let failures = Pipe(), let out = Pipe() else {
      return .prevented("no descriptors are left: \(SystemError.text())")
    }
    let pid = fork(output: out.writing, gate: gate, report: failures.writing)
    let forkError = errno
    close(gate.reading)
    close(failures.writing)
    close(out.writing)
    defer { close(failures.reading) }
    guard pid > 0 else {
      close(gate.writing)
      close(out.reading)
      return .prevented("no process could be made: \(SystemError.text(forkError))")
    }
    setpgid(pid, pid)
    record.main = KeeperRecord.ProcessName(of: pid)
    let refusal =
      record.write(to: recordDescriptor).map(unwritten) ?? disowned.map { .prevented($0) }
    var go: UInt8 = 1
    if refusal == nil { write(gate.writing, &go, 1) }
    close(gate.writing)

    var failure = app_start_failure()
    let size = MemoryLayout<app_start_failure>.size
    var count = read(failures.reading, &failure, size)
    while count < 0, errno == EINTR { count = read(failures.reading, &failure, size) }
    if count == 0, refusal == nil {
      mainPID = pid
      output = out.reading
      Self.prepare(output)
      close(Self.inputDescriptor)
      return nil
    }
    close(out.reading)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    record.main = nil
    if let refusal { return refusal }
    groupIsClosed = failure.step == Int32(app_start_cgroup)
    return .failed(reason(failure))
  }

  /// The reason why nothing may run any more, determined when the record is written and the gate still closed.
  ///
  /// A next daemon either comes after this and finds the record, or the one that asked is gone by now: so no app begins
  /// that no daemon knows. And a daemon that finds an incomplete record removes it.
  private var disowned: String? {
    if isDaemonGone { return "the daemon that asked for it is gone" }
    var status = stat()
    let isThere = fstat(recordDescriptor, &status) == 0 && status.st_nlink > 0
    return isThere ? nil : "its state file was removed meanwhile"
  }

  private func reason(_ failure: app_start_failure) -> String {
    let text = SystemError.text(failure.code)
    switch failure.step {
    case Int32(app_start_cgroup):
      return "\(record.group?.processesFile ?? "its cgroup") is not writable: \(text)"
    case Int32(app_start_directory): return "its directory \(start.directory): \(text)"
    default:
      let advice = failure.code == ENOEXEC ? " (a script begins with #! and its interpreter)" : ""
      return "\(start.command[0]): \(text)\(advice)"
    }
  }

  private func fork(output: Int32, gate: Pipe, report: Int32) -> pid_t {
    var variables = start.environment
    variables[KeeperRecord.variable] = record.mark
    let arguments = CStrings(start.command)
    let environment = CStrings(variables.map { "\($0.key)=\($0.value)" })
    let search = ProgramSearch(
      start.command[0], directory: start.directory, path: start.environment["PATH"])
    let candidates = CStrings(search.candidates)
    let directory = CStrings([start.directory])
    let group = CStrings(record.group.map { [$0.processesFile] } ?? [])
    return withExtendedLifetime((arguments, environment, candidates, directory, group)) {
      var order = app_start(
        candidates: candidates.pointers, arguments: arguments.pointers,
        environment: environment.pointers, directory: directory.pointers[0],
        cgroup: group.pointers[0], input: Self.inputDescriptor, output: output, gate: gate.reading,
        gate_keeper: gate.writing, report: report)
      return start_app(&order)
    }
  }
}

/// Both ends of a pipe; they close on exec.
private struct Pipe {
  let reading: Int32
  let writing: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }
}

/// Strings in C's form, with a null pointer at the end; freed with the last reference.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      (pointers + index).initialize(to: strdup(string))
    }
    (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}
