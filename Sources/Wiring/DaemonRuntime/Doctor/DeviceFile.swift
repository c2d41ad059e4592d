// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Glibc
import Host

/// The files of receivers, and whether gpsd may use them.
///
/// gpsd opens devices after it has given up root's rights, so its user and groups count, not those of the caller. If
/// gpsd does not run, the user `gpsd` is assumed; without such a user the permissions of others decide.
struct DeviceFile {
  /// The user that gpsd runs as; `nil` if there is no such user.
  private let user: (name: String, id: UInt32)?
  private let groups: [UInt32]

  init(of process: GPSDProcess?) {
    if let process {
      let name = getpwuid(process.user).map { String(cString: $0.pointee.pw_name) }
      user = (name ?? String(process.user), process.user)
      groups = process.groups
    } else {
      let entry = getpwnam("gpsd").map { (id: $0.pointee.pw_uid, group: $0.pointee.pw_gid) }
      user = entry.map { ("gpsd", $0.id) }
      groups = entry.map { Self.memberships(of: "gpsd", primary: $0.group) } ?? []
    }
  }

  func look(at path: String) -> DoctorFacts.File {
    guard path.hasPrefix("/") else { return .notAFile }
    var status = stat()
    guard stat(path, &status) == 0 else {
      return Presence(of: path) == .absent ? .missing : .notAFile
    }
    let mode = UInt32(status.st_mode)
    if Self.mayUse(
      mode: mode, owner: status.st_uid, group: status.st_gid, user: user?.id, groups: groups)
    {
      return .usable
    }
    let name = user?.name ?? "nobody"
    // Joining the group does not help its members or the file's owner.
    guard mode & 0o060 == 0o060, user?.id != status.st_uid else {
      return .closed(user: name, mode: Self.words(mode))
    }
    let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) }
    return .forbidden(user: name, group: group ?? String(status.st_gid))
  }

  /// Whether `user` of `groups` may read and write a file; the first class that fits decides, as in
  /// Unix.
  static func mayUse(
    mode: UInt32, owner: UInt32, group: UInt32, user: UInt32?, groups: [UInt32]
  ) -> Bool {
    if user == 0 { return true }
    if let user, user == owner { return mode & 0o600 == 0o600 }
    if groups.contains(group) { return mode & 0o060 == 0o060 }
    return mode & 0o006 == 0o006
  }

  /// `rw-rw----`, as ls(1) writes it.
  static func words(_ mode: UInt32) -> String {
    let letters = Array("rwxrwxrwx")
    return String((0..<9).map { mode & (0o400 >> UInt32($0)) != 0 ? letters[$0] : "-" })
  }

  /// Serial ports with the usual names of receivers, each with its persistent names.
  func ports() -> [DoctorFacts.Port] {
    var lasting: [String: [String]] = [:]
    for name in Directory.names(in: Self.lastingFolder).sorted() {
      let path = "\(Self.lastingFolder)/\(name)"
      if let target = RealPath.resolved(path) { lasting[target, default: []].append(path) }
    }
    let names = Directory.names(in: "/dev").filter { name in
      Self.prefixes.contains { name.hasPrefix($0) }
    }
    // A link like /dev/gps0, which udev makes, is another name of its port.
    var paths = Set(lasting.keys)
    for name in names.sorted() {
      let path = "/dev/\(name)"
      let target = RealPath.resolved(path) ?? path
      paths.insert(target)
      if target != path { lasting[target, default: []].append(path) }
    }
    return paths.sorted().prefix(DoctorFacts.portLimit).map {
      .init(path: $0, names: lasting[$0] ?? [], file: look(at: $0))
    }
  }

  static let prefixes = ["ttyACM", "ttyUSB", "ttyAMA", "gps"]
  private static let lastingFolder = "/dev/serial/by-id"

  private static func memberships(of user: String, primary: UInt32) -> [UInt32] {
    var count: Int32 = 64
    var groups = [gid_t](repeating: 0, count: Int(count))
    getgrouplist(user, primary, &groups, &count)
    return Array(groups.prefix(max(0, min(Int(count), groups.count))))
  }
}
