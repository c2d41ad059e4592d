// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Host
import LocationModel
import Testing

@Suite("What the edges ask of files")
struct FilesTests {
  private static func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/files-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test("A path that cannot be looked at is not one that is not there")
  func presence() throws {
    try Self.withFolder { folder in
      #expect(Presence(of: folder) == .there)
      #expect(Presence(of: folder + "/none") == .absent)
      _ = FileManager.default.createFile(atPath: folder + "/file", contents: nil)
      #expect(Presence(of: folder + "/file/none") == .absent)
      // For root no folder is closed; a link to itself is, for everybody.
      symlink("loop", folder + "/loop")
      #expect(Presence(of: folder + "/loop/file") == .unknown)
    }
  }

  @Test("A second lock on a file is refused until the first is gone; a link is not followed")
  func locks() throws {
    try Self.withFolder { folder in
      var first: FileLock? = try FileLock("\(folder)/lock")
      #expect(throws: FileLock.Failure.isTaken) { try FileLock("\(folder)/lock") }
      withExtendedLifetime(first) {}
      first = nil
      _ = try FileLock("\(folder)/lock")
      symlink("lock", "\(folder)/link")
      #expect(throws: FileLock.Failure.unopened(ELOOP)) { try FileLock("\(folder)/link") }
      #expect(throws: FileLock.Failure.unopened(ENOENT)) { try FileLock("\(folder)/no/lock") }
    }
  }

  @Test(
    "A lock that is let go is free at once, also while a child between fork and exec has the file open"
  )
  func letGo() throws {
    try Self.withFolder { folder in
      // A child's descriptor and one by dup(2) are of the same open file.
      var lock: FileLock? = try FileLock("\(folder)/lock")
      let own = try #require(Self.descriptor(of: "\(folder)/lock"))
      let childs = dup(own)
      defer { close(childs) }
      withExtendedLifetime(lock) {}
      lock = nil
      _ = try FileLock("\(folder)/lock")
    }
  }

  @Test(
    "A lock that is refused closes its own descriptor, and no other that got its number meanwhile")
  func refusedOften() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/files-\(UUID().uuidString)"
    #expect(Directory.make(folder) == nil)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let held = try FileLock("\(folder)/lock")
    async let strangers = Task.detached {
      (0..<20_000).count { _ in close(open("/dev/null", O_RDONLY | O_CLOEXEC)) != 0 }
    }.value
    for _ in 0..<20_000 {
      #expect(throws: FileLock.Failure.isTaken) { try FileLock("\(folder)/lock") }
    }
    #expect(await strangers == 0)
    withExtendedLifetime(held) {}
  }

  /// The descriptor with which this process has the file open.
  private static func descriptor(of path: String) -> Int32? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Directory.names(in: "/proc/self/fd").lazy.compactMap { Int32($0) }.first { number in
      var other = stat()
      return fstat(number, &other) == 0 && other.st_dev == status.st_dev
        && other.st_ino == status.st_ino
    }
  }

  @Test(
    "Directories are made with those above them, for their user alone; what cannot be made is named"
  )
  func directories() throws {
    try Self.withFolder { folder in
      #expect(Directory.make("\(folder)/a/b/c") == nil)
      #expect(Directory.make("\(folder)/a/b/c") == nil)
      var status = stat()
      #expect(stat("\(folder)/a/b", &status) == 0 && status.st_mode & 0o777 == 0o700)
      #expect(Directory.names(in: "\(folder)/a") == ["b"])
      _ = FileManager.default.createFile(atPath: "\(folder)/file", contents: nil)
      #expect(Directory.make("\(folder)/file/x/y") == "\(folder)/file/x/y")
    }
    #expect(Directory.parent(of: "/a/b") == "/a")
    #expect(Directory.parent(of: "/a") == "/" && Directory.parent(of: "a") == ".")
  }

  @Test("Why a file cannot be read is said with what to do")
  func reading() {
    #expect(SystemError.reading(ENOENT) == "no such file; check the path")
    #expect(
      SystemError.reading(EACCES)
        == "permission denied; make the file readable for this user (chmod u+r)")
    #expect(SystemError.reading(EISDIR, "trace") == "a directory, not a trace; name a file in it")
    // errno(3): EIO is Input/output error.
    #expect(SystemError.reading(EIO) == "Input/output error")
  }

  @Test("What is written whole is all there; a full device says how much it took")
  func writes() throws {
    try Self.withFolder { folder in
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
      let file = open("\(folder)/file", O_WRONLY | O_CREAT, 0o600)
      #expect(WholeWrite.write(bytes[...], to: file).error == nil)
      close(file)
      #expect(SmallFile.bytes(of: "\(folder)/file") == bytes)
      // Some more than the limit may come, never less.
      let start = SmallFile.bytes(of: "\(folder)/file", limit: 100_000)
      #expect((100_000..<110_000).contains(start?.count ?? 0))
    }
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let (count, error) = WholeWrite.write([1, 2, 3], to: full)
    #expect(count == 0 && error == ENOSPC)
  }

  @Test("Any cutting of the bytes gives the same lines, and an endless one is noticed at its limit")
  func lines() {
    let bytes = Array("one\n\ntwo\nthree".utf8)
    for chunk in 1...bytes.count {
      var buffer = LineBuffer(limit: 5)
      var found: [String] = []
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        buffer.append(bytes[start..<min(start + chunk, bytes.count)])
        while let line = buffer.next() { found.append(String(decoding: line, as: UTF8.self)) }
      }
      #expect(found == ["one", "", "two"], "chunks of \(chunk)")
      #expect(!buffer.isOverlong && !buffer.isEmpty)
      buffer.append([0x78])
      #expect(buffer.next() == nil && buffer.isOverlong)
    }
  }

  @Test("SplitMix64 gives the numbers of its authors' program, one by one and by counter")
  func random() {
    // splitmix64.c (Vigna), seed 1234567: as Rosetta Code and the JDK's SplittableRandom print them.
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    var generator = SplitMix64(seed: 1_234_567)
    #expect((0..<5).map { _ in generator.next() } == expected)
    #expect((0..<5).map { SplitMix64.mixed(1_234_567 &+ $0 &* SplitMix64.step) } == expected)
  }
}
