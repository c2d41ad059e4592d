// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText

/// An output: a file that appears complete or not at all, or a stream.
///
/// A file is written without a name, in the folder of its final one, which it gets at `commit`. Without `commit`, also
/// if a signal ends the program, nothing is left, and an existing file stays. A file system without nameless files
/// gives it a temporary name. A symbolic link keeps its target. Anything but a regular file (`/dev/null`, a pipe) and
/// stdout are written directly. A reader that has gone away (`| head`) is no error: `isClosed` turns true and later
/// bytes are dropped.
package final class OutputFile {
  /// Its name in messages.
  private let name: String
  /// The final path of the file; `nil` for a stream.
  private let final: String?
  /// Its name until then; `nil` for a stream and for a file without a name.
  private var temporary: String?
  private var descriptor: Int32
  private var pending: [UInt8] = []
  private var isCommitted = false
  /// Whether the stream's reader has gone, so that further writing is useless.
  package private(set) var isClosed = false

  private static let bufferLength = 65_536
  /// The number of bytes that may wait before they are written.
  private let held: Int

  /// Opens `path`; `nil` and `-` are stdout. With `isLive` nothing is buffered. Throws `Complaint`.
  package init(path: String?, isLive: Bool = false) throws {
    held = isLive ? 0 : Self.bufferLength
    // A closed pipe then is an error of write() instead of the program's end.
    signal(SIGPIPE, SIG_IGN)
    guard let path, path != "-" else {
      (name, final, temporary, descriptor) = ("stdout", nil, nil, dup(STDOUT_FILENO))
      return
    }
    try Complaint.refuseUnreadable(path, writing: true)
    name = path
    var status = stat()
    let exists = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR {
      throw Complaint("\(path): a directory; name a file in it")
    }
    if exists, kind != S_IFREG {
      (final, temporary, descriptor) = (nil, nil, open(path, O_WRONLY | O_CLOEXEC))
      guard descriptor >= 0 else { throw Complaint(errno, path, writing: true) }
      return
    }
    let target = exists ? Self.resolved(path) : path
    final = target
    descriptor = Self.nameless(in: Directory.parent(of: target))
    if descriptor < 0 {
      var template = Array("\(target).XXXXXX".utf8CString)
      descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw Complaint(errno, path, writing: true) }
      temporary = String(
        decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, exists ? status.st_mode & 0o7777 : 0o666 & ~mask)
  }

  /// Throws `Complaint` if `path` is an input file: the output would replace it.
  ///
  /// Files are compared by device and inode, so other spellings and symbolic links are recognized. `nil`, and anything
  /// but a regular file, is never the same; `-` among the inputs is the file to which stdin was redirected.
  package static func refuse(_ path: String?, amongInputs inputs: [String?]) throws {
    guard let path, path != "-", let identity = identity(of: path) else { return }
    for case .some(let input) in inputs where Self.identity(of: input) == identity {
      let same = input == path ? "" : "the same file as \(InputName.full(input)), which "
      throw Complaint(
        "\(path): \(same)is read and would be overwritten; name another file to write to")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if let temporary, !isCommitted { unlink(temporary) }
  }

  /// Writes bytes; they may wait in a buffer until `commit`. Throws `Complaint`.
  package func write(_ bytes: [UInt8]) throws {
    pending.append(contentsOf: bytes)
    if pending.count >= held { try flush() }
  }

  /// Writes text as UTF-8; see `write(_:)`.
  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes the buffered bytes, and gives the file its name. Throws `Complaint`.
  package func commit() throws {
    try flush()
    guard let final else { return }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Complaint(errno, name, writing: true)
    }
    let temporary = try temporary ?? named(beside: final)
    self.temporary = temporary
    let isWritten = close(descriptor) == 0
    descriptor = -1
    guard isWritten, rename(temporary, final) == 0 else {
      throw Complaint(errno, name, writing: true)
    }
    isCommitted = true
  }

  /// Writes the buffered bytes, so that a reader of a stream sees them now.
  package func flush() throws {
    defer { pending.removeAll(keepingCapacity: true) }
    guard !isClosed, let error = WholeWrite.write(pending[...], to: descriptor).error else {
      return
    }
    guard error == EPIPE, final == nil else { throw Complaint(error, name, writing: true) }
    isClosed = true
  }

  /// Opens a file without a name; −1 if that is not possible.
  private static func nameless(in folder: String) -> Int32 {
    // This is O_TMPFILE of fcntl.h, which Swift does not see.
    let flags = 0o20_000_000 | O_DIRECTORY
    let descriptor = open(folder, flags | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0, access("/proc/self/fd/\(descriptor)", F_OK) != 0 else {
      return descriptor
    }
    // Without /proc it could not be given a name.
    close(descriptor)
    return -1
  }

  /// Gives the nameless file a name beside `final`, since a link replaces nothing; returns it.
  private func named(beside final: String) throws -> String {
    for number in 0..<1_000 {
      let name = "\(final).\(getpid())-\(number)"
      let result = linkat(
        AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW)
      if result == 0 { return name }
      if errno != EEXIST { break }
    }
    throw Complaint(errno, self.name, writing: true)
  }

  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t
  }

  private static func identity(of path: String) -> Identity? {
    var status = stat()
    let result = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
    guard result == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Identity(device: status.st_dev, inode: status.st_ino)
  }

  /// The target of a symbolic link.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
