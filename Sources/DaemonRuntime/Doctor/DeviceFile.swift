// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file of a receiver, and whether gpsd may use it.
///
/// gpsd opens devices as the user `gpsd` once it has given up root's rights; what counts is that user and
/// its groups, not who runs this. Where there is no such user the rights of others decide.
enum DeviceFile {
  static func look(at path: String) -> DoctorFacts.File {
    guard path.hasPrefix("/") else { return .notAFile }
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    let user = getpwnam("gpsd").map {
      (name: "gpsd", id: $0.pointee.pw_uid, group: $0.pointee.pw_gid)
    }
    let groups = user.map { memberships(of: $0.name, primary: $0.group) } ?? []
    if mayUse(
      mode: UInt32(status.st_mode), owner: status.st_uid, group: status.st_gid, user: user?.id,
      groups: groups)
    {
      return .usable
    }
    let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) }
    return .forbidden(user: user?.name ?? "nobody", group: group ?? String(status.st_gid))
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

  /// Serial ports by the names that receivers usually get.
  static func serialPorts(except used: [String]) -> [String] {
    guard let folder = opendir("/dev") else { return [] }
    defer { closedir(folder) }
    var ports: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if ["ttyACM", "ttyUSB", "ttyAMA", "gps"].contains(where: { name.hasPrefix($0) }) {
        ports.append("/dev/\(name)")
      }
    }
    return Array(ports.filter { !used.contains($0) }.sorted().prefix(16))
  }

  private static func memberships(of user: String, primary: UInt32) -> [UInt32] {
    var count: Int32 = 64
    var groups = [gid_t](repeating: 0, count: Int(count))
    getgrouplist(user, primary, &groups, &count)
    return Array(groups.prefix(max(0, min(Int(count), groups.count))))
  }
}
