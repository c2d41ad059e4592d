// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocationEngine
import Replay
import ServiceCore

/// Strategies of significant change by their command-line names: one, or several with commas.
struct PolicyNames: ExpressibleByArgument {
  let names: [String]

  static let help = "known: " + PolicyKind.words()

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

  /// A name, or a name with the seconds between its sessions, in canonical form: `periodic=60`.
  private static func name(_ text: String) throws -> String {
    do {
      let request = try PolicyRequest(text)
      guard let interval = request.interval else { return text }
      return "\(request.kind.name)=" + Number.shortest(interval)
    } catch {
      throw ValidationError(error.message(text, known: help))
    }
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
