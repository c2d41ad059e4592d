// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSONText

/// A command has answered, and the answer is no.
struct NegativeAnswer: Error {}

/// The end of the program: its message and its code.
///
/// 0 done, 1 a negative answer, 2 an error. ArgumentParser's own code for a wrong command line (64)
/// becomes 2, and its `Error:` our prefix.
struct Exit {
  private enum Way {
    case said(String)
    case failed(String)
    case silent(Int32)
  }

  private let way: Way

  init(_ error: any Error, of root: any ParsableCommand.Type) {
    way =
      switch error {
      case let complaint as Complaint: .failed(complaint.message)
      case is NegativeAnswer: .silent(1)
      case let code as ExitCode: .silent(code.rawValue)
      default:
        if root.exitCode(for: error) == .success {
          .said(root.fullMessage(for: error))
        } else {
          .failed(Self.withoutPrefix(root.fullMessage(for: error)))
        }
      }
  }

  /// What a fault is said in; `nil` if there is none.
  var complaint: String? {
    if case .failed(let message) = way { message } else { nil }
  }

  func exit() -> Never {
    switch way {
    case .said(let text):
      do {
        try Console.standardOutput(text.hasSuffix("\n") ? text : text + "\n")
      } catch {
        Exit(error, of: Milepost.self).exit()
      }
      Glibc.exit(0)
    case .failed(let message):
      Console.complain(message)
      Glibc.exit(2)
    case .silent(let code): Glibc.exit(code)
    }
  }

  private static func withoutPrefix(_ message: String) -> String {
    message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message
  }
}
