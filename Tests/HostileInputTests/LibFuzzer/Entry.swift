// SPDX-License-Identifier: Apache-2.0

import Glibc

// libFuzzer's main program calls these two (LLVM, "libFuzzer – a library for coverage-guided fuzz testing"). Its
// command line is reserved for libFuzzer, so the environment names the reader.

/// The reader that `MILEPOST_READER` names.
private let reader: HostileReader = {
  let name = getenv("MILEPOST_READER").map { String(cString: $0) } ?? ""
  guard let reader = HostileReader.all.first(where: { $0.name == name }) else {
    let names = HostileReader.all.map(\.name).joined(separator: " ")
    fatalError("MILEPOST_READER is '\(name)'; there are \(names)")
  }
  return reader
}()

/// With `MILEPOST_READER=--list`: a line for each reader, with its limit of bytes and its sources.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ words: UnsafeMutableRawPointer?)
  -> CInt
{
  if getenv("MILEPOST_READER").map({ String(cString: $0) }) == "--list" {
    for reader in HostileReader.all {
      print(reader.name, reader.limit, reader.sources.joined(separator: ","))
    }
    exit(0)
  }
  _ = reader
  return 0
}

/// One input.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try reader.read([UInt8](UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("\(reader.name) broke a promise: \(error)")
  }
  return 0
}
