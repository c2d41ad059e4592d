// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText

/// `milepostd`, which runs the commands that need gpsd: it replaces this process.
enum DaemonProgram {
  private static let name = "milepostd"

  /// Becomes `milepostd` with these arguments; returns only with an error.
  static func become(_ arguments: [String]) throws -> Never {
    var tried: [String] = []
    for path in candidates where access(path, X_OK) == 0 {
      var words = ([path] + arguments).map { strdup($0) } + [nil]
      execv(path, &words)
      tried.append("\(path): \(SystemError.text())")
      for word in words { free(word) }
    }
    guard tried.isEmpty else { throw Complaint("cannot start \(tried.joined(separator: "; "))") }
    throw missing
  }

  /// Its path; throws `Complaint` if there is none.
  static func path() throws -> String {
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else { throw missing }
    return path
  }

  private static var missing: Complaint {
    Complaint(
      "there is no \(name) beside this program or on PATH; install the package \(name), or build it "
        + "(swift build --product \(name))")
  }

  /// The paths beside this program, then in each directory of PATH.
  private static var candidates: [String] {
    var paths: [String] = []
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    if count > 0 {
      let own = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      if let slash = own.lastIndex(of: "/") { paths.append(own[...slash] + name) }
    }
    let directories = getenv("PATH").map { String(cString: $0) } ?? ""
    paths += directories.split(separator: ":").map { "\($0)/\(name)" }
    return paths
  }
}
