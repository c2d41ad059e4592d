// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSONText

/// The exit code of the program: 0 done, 1 a negative answer, 2 an error.
struct Exit {
  private let text: String
  private let code: Int32
  private let isSaid: Bool

  init(_ error: any Error, of root: any ParsableCommand.Type) {
    switch error {
    case let code as ExitCode: (text, self.code, isSaid) = ("", code.rawValue, true)
    case let complaint as Complaint: (text, code, isSaid) = (complaint.message, 2, false)
    default:
      let message = root.fullMessage(for: error)
      let isSuccess = root.exitCode(for: error) == .success
      // ArgumentParser's prefix is `Error: `; here it is `milepostd: error: `.
      let words = message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message
      (text, code, isSaid) = (isSuccess ? message : words, isSuccess ? 0 : 2, isSuccess)
    }
  }

  func exit() -> Never {
    if isSaid {
      if !text.isEmpty { Terminal.out(text.hasSuffix("\n") ? text : text + "\n") }
    } else {
      Terminal.error("milepostd: error: \(text)\n")
    }
    Glibc.exit(code)
  }
}
