// SPDX-License-Identifier: Apache-2.0

import Glibc

/// libFuzzer's main program, with its command line (LLVM, "libFuzzer – a library for coverage-guided fuzz testing").
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ read: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

// The manifest defines the family that this program has.
#if Traces
  private let family = HostileReader.traces
#elseif JSON
  private let family = HostileReader.documents
#elseif Settings
  private let family = HostileReader.settings
#elseif Protocols
  private let family = HostileReader.protocols
#elseif Energy
  private let family = HostileReader.energy
#elseif Answers
  private let family = HostileReader.answers
#elseif Machine
  private let family = HostileReader.machine
#elseif Kept
  private let family = HostileReader.kept
#elseif Partials
  private let family = HostileReader.partials
#elseif Surveys
  private let family = HostileReader.surveys
#elseif Ground
  private let family = HostileReader.ground
#endif

/// The reader that `MILEPOST_READER` names: libFuzzer has the command line to itself, and runs this program again with it.
private let reader: HostileReader = {
  let name = getenv("MILEPOST_READER").map { String(cString: $0) } ?? ""
  guard let reader = family.first(where: { $0.name == name }) else {
    let names = family.map(\.name).joined(separator: " ")
    fatalError("MILEPOST_READER is '\(name)'; there are \(names)")
  }
  return reader
}()

@main
enum HostileInput {
  /// With the argument `--list`: a line for each reader, with its limit of bytes and its sources.
  static func main() {
    if CommandLine.arguments.dropFirst().first == "--list" {
      for reader in family {
        print(reader.name, reader.limit, reader.sources.joined(separator: ","))
      }
      return
    }
    var (count, words) = (CommandLine.argc, CommandLine.unsafeArgv)
    _ = reader
    exit(
      runFuzzer(&count, &words) { start, count in
        do {
          try reader.read([UInt8](UnsafeBufferPointer(start: start, count: count)))
        } catch {
          fatalError("\(reader.name) broke a promise: \(error)")
        }
        return 0
      })
  }
}
