// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Directories by their paths.
package enum Directory {
  /// The names in it, without `.` and `..`; none if it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The directory that contains a file: `.` if its path names none.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes a directory with a new name in `folder`, only for this user; `nil` with errno.
  package static func makeTemporary(in folder: String) -> String? {
    var path = Array("\(folder)/milepost-XXXXXX".utf8CString)
    return mkdtemp(&path).map { String(cString: $0) }
  }

  /// Syncs its entries to the disk; returns the error number on failure.
  package static func sync(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? nil : errno
  }

  /// Makes it and those above it, mode 0700, if they are missing; returns the one that cannot be made, with errno.
  package static func make(_ path: String) -> String? {
    if access(path, F_OK) == 0 || mkdir(path, 0o700) == 0 { return nil }
    let parent = parent(of: path)
    if errno == ENOENT, parent != path {
      if let unmade = make(parent) { return unmade }
      if mkdir(path, 0o700) == 0 { return nil }
    }
    return errno == EEXIST ? nil : path
  }
}
