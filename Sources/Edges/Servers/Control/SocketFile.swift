// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Host
import JSONText

/// The file of a listening Unix socket, accessible only to its user.
struct SocketFile: Sendable {
  let path: String
  private let device: dev_t
  private let inode: ino_t

  /// Binds and listens at `path`; returns the descriptor too.
  ///
  /// The directory is made with mode 0700 if it is missing. It is locked meanwhile, so that if two daemons start at
  /// once, one finds the other's socket and neither removes it. A file without a listener is replaced.
  static func listen(at path: String) throws(Complaint) -> (SocketFile, Int32) {
    let limit = SocketAddress.pathLimit
    guard (1...limit).contains(path.utf8.count) else {
      throw Complaint(
        "\(path): the path of a socket has 1 to \(limit) bytes, and this has \(path.utf8.count); "
          + "choose a shorter one")
    }
    let directory = Directory.parent(of: path)
    if let unmade = Directory.make(directory) { throw failure(unmade, "cannot make the directory") }
    let lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw failure(directory, "cannot open the directory") }
    defer { Glibc.close(lock) }
    guard FileLock.wait(for: lock) == nil else {
      throw failure(directory, "cannot lock the directory")
    }
    try removeStale(path)
    return try bind(path)
  }

  /// Removes the file, if it is still the one made here.
  func remove() {
    var status = stat()
    if lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode { unlink(path) }
  }

  private static func bind(_ path: String) throws(Complaint) -> (SocketFile, Int32) {
    let descriptor = unixSocket()
    guard descriptor >= 0 else { throw failure(path, "cannot make a socket") }
    var status = stat()
    errno = SocketAddress.listen(descriptor, at: path, backlog: 512)
    guard errno == 0, lstat(path, &status) == 0 else {
      defer { Glibc.close(descriptor) }
      throw failure(path, "cannot listen here")
    }
    return (SocketFile(path: path, device: status.st_dev, inode: status.st_ino), descriptor)
  }

  private static func removeStale(_ path: String) throws(Complaint) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw Complaint(
        "\(path): there is a file that is no socket, and it is left alone; move it away, or choose "
          + "another path")
    }
    let descriptor = unixSocket()
    guard descriptor >= 0 else { throw failure(path, "cannot make a socket") }
    defer { Glibc.close(descriptor) }
    if SocketAddress.with(path.utf8, { connect(descriptor, $0, $1) }) == 0 || errno == EAGAIN {
      throw Complaint(
        "\(path): another milepostd listens here (process \(peer(of: descriptor))); stop it, or choose "
          + "another path")
    }
    guard errno == ECONNREFUSED || errno == ENOENT else {
      throw failure(path, "cannot tell whether somebody listens here")
    }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw failure(path, "cannot remove the socket that an earlier daemon left")
    }
  }

  private static func peer(of descriptor: Int32) -> String {
    var (pid, uid) = (pid_t(0), uid_t(0))
    return unix_peer(descriptor, &pid, &uid) == 0 && pid > 0 ? "\(pid)" : "unknown"
  }

  private static func unixSocket() -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return socket(AF_UNIX, kind, 0)
  }

  private static func failure(_ path: String, _ what: String) -> Complaint {
    Complaint("\(path): \(what): \(SystemError.text())")
  }
}
