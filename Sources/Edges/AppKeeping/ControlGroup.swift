// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host

/// A control group of the freezer, version 1 or 2 (cgroups(7)), as a directory.
package struct ControlGroup: Sendable, Equatable {
  package var path: String
  package var isVersion1: Bool

  package init(path: String, isVersion1: Bool) {
    self.path = path
    self.isVersion1 = isVersion1
  }

  package var processesFile: String { "\(path)/cgroup.procs" }

  /// The group of the calling process, from its mounts and membership; `nil` if there is none of
  /// this version.
  package static func own(isVersion1: Bool) -> ControlGroup? {
    guard let mounts = SmallFile.text(of: "/proc/self/mountinfo"),
      let memberships = SmallFile.text(of: "/proc/self/cgroup")
    else { return nil }
    return own(isVersion1: isVersion1, mounts: mounts, memberships: memberships)
  }

  /// The same from the texts of /proc/self/mountinfo and /proc/self/cgroup.
  package static func own(
    isVersion1: Bool, mounts: String, memberships: String
  ) -> ControlGroup? {
    var membership: Substring?
    for line in memberships.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isFreezer = parts[1].split(separator: ",").contains("freezer")
      if isVersion1 ? isFreezer : parts[0] == "0" && parts[1].isEmpty { membership = parts[2] }
    }
    guard let membership else { return nil }
    for line in mounts.split(separator: "\n") {
      // ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [FIELDS…] - TYPE SOURCE SUPER-OPTIONS
      let words = line.split(separator: " ")
      guard words.count > 6, let dash = words.firstIndex(of: "-"), words.count > dash + 3,
        words[dash + 1] == (isVersion1 ? "cgroup" : "cgroup2")
      else { continue }
      if isVersion1, !words[dash + 3].split(separator: ",").contains("freezer") { continue }
      let (root, point) = (octal(words[3]), octal(words[4]))
      // A group outside the mounted part (another namespace, a bind mount) cannot be reached.
      guard let inside = relative(String(membership), to: root) else { continue }
      return ControlGroup(path: inside.isEmpty ? point : point + inside, isVersion1: isVersion1)
    }
    return nil
  }

  /// "" or "/a/b"; `nil` if `path` is not in `root`.
  private static func relative(_ path: String, to root: String) -> String? {
    if path == root || path == "/" && root == "/" { return "" }
    if root == "/" { return path.hasPrefix("/..") ? nil : path }
    return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count)) : nil
  }

  /// Mountinfo writes spaces and the like as `\040`.
  private static func octal(_ word: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), let value = UInt8(digits, radix: 8) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Makes a child of this group with everything that an app's group needs; returns the fault otherwise.
  package func makeChild(_ name: String) -> Result<ControlGroup, ControlGroupFailure> {
    let child = ControlGroup(path: "\(path)/\(name)", isVersion1: isVersion1)
    guard mkdir(child.path, 0o755) == 0 else {
      return .failure(ControlGroupFailure(path: child.path, code: errno))
    }
    for file in [child.freezeFile, child.processesFile, processesFile]
    where access(file, W_OK) != 0 {
      let failure = ControlGroupFailure(path: file, code: errno)
      rmdir(child.path)
      return .failure(failure)
    }
    return .success(child)
  }

  /// Whether apps can be given groups under this one, determined by making one and removing it.
  package var canHoldApps: Bool {
    switch makeChild("milepost-probe-\(getpid())") {
    case .success(let child):
      child.remove()
      return true
    case .failure: return false
    }
  }

  private var freezeFile: String { isVersion1 ? "\(path)/freezer.state" : "\(path)/cgroup.freeze" }

  package func freeze() -> Bool {
    eachBelow { $0.set(isFrozen: true) }
  }

  /// Thaws the group and those below it, which the app's processes may have made.
  package func thaw() -> Bool {
    eachBelow { $0.set(isFrozen: false) }
  }

  private func set(isFrozen: Bool) -> Bool {
    if isVersion1 { return SmallFile.write(isFrozen ? "FROZEN" : "THAWED", to: freezeFile) }
    return SmallFile.write(isFrozen ? "1" : "0", to: freezeFile)
  }

  /// Whether the kernel reports that all its processes are frozen.
  package var isFrozen: Bool {
    if isVersion1 { return SmallFile.text(of: freezeFile) == "FROZEN\n" }
    let events = SmallFile.text(of: "\(path)/cgroup.events") ?? ""
    return events.split(separator: "\n").contains("frozen 1")
  }

  /// The processes in the group and below it.
  package var processes: [Int32] {
    var all: [Int32] = []
    _ = eachBelow { group in
      let text = SmallFile.text(of: group.processesFile) ?? ""
      all += text.split(separator: "\n").compactMap { Int32($0) }
      return true
    }
    return all
  }

  /// Sends SIGKILL to all at once if the kernel can (`cgroup.kill`, Linux 5.14); false otherwise.
  package func killAtOnce() -> Bool {
    !isVersion1 && SmallFile.write("1", to: "\(path)/cgroup.kill")
  }

  /// Removes the group and those below it; a group with processes in it stays.
  package func remove() {
    for name in below { ControlGroup(path: "\(path)/\(name)", isVersion1: isVersion1).remove() }
    rmdir(path)
  }

  private var below: [String] {
    Directory.names(in: path).filter { name in
      var status = stat()
      return lstat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
  }

  private func eachBelow(_ body: (ControlGroup) -> Bool) -> Bool {
    var isDone = body(self)
    for name in below {
      let group = ControlGroup(path: "\(path)/\(name)", isVersion1: isVersion1)
      isDone = group.eachBelow(body) && isDone
    }
    return isDone
  }
}

/// The reason why there is no group for an app.
package struct ControlGroupFailure: Error, Sendable, Equatable {
  package var path: String
  package var code: Int32
}
