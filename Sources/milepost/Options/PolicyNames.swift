// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocationEngine
import RadioPower
import Replay
import ServiceCore

/// Strategies of significant change as they are named on the command line: one, or several with commas.
struct PolicyNames: ExpressibleByArgument {
  let names: [String]

  static let help =
    "known: " + SignificantPolicy.names.joined(separator: ", ")
    + "; periodic=N and receiver=N have N seconds between sessions"

  init(parsing text: String) throws {
    var names: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = try Self.name(Self.trimmed(part))
      guard !names.contains(name) else {
        throw ValidationError("the policy '\(name)' is given twice")
      }
      names.append(name)
    }
    self.names = names
  }

  /// Without the blanks around it.
  private static func trimmed(_ text: Substring) -> String {
    let front = text.drop(while: \.isWhitespace)
    return String(front.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// A name, or a name with the seconds between its sessions, written in one way: `periodic=60`.
  private static func name(_ text: String) throws -> String {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard SignificantPolicy.names.contains(parts[0]) else {
      throw ValidationError("there is no policy '\(text)'; \(help)")
    }
    guard parts.count > 1 else { return text }
    guard ["periodic", "receiver"].contains(parts[0]) else {
      throw ValidationError("the policy '\(parts[0])' has no interval to set; \(help)")
    }
    guard parts.count == 2, let seconds = Double(parts[1]), (1...86_400).contains(seconds) else {
      throw ValidationError(
        "'\(text)': the seconds between sessions are a number from 1 to 86400")
    }
    return "\(parts[0])=" + Number.words(seconds)
  }

  init?(argument: String) {
    guard let names = try? PolicyNames(parsing: argument) else { return nil }
    self = names
  }

  /// The policies, fitted to a device.
  func policies(for options: ReplayOptions) -> [SignificantPolicy] {
    names.compactMap {
      SignificantPolicy.named(
        $0, for: options.device, seed: options.seed, receiverHold: options.receiverHold)
    }
  }
}
