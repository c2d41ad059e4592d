// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocationEngine
import RadioPower
import Replay

/// Strategies of significant change as they are named on the command line: one, or several with commas.
struct PolicyNames: ExpressibleByArgument {
  let names: [String]

  static let help = "known: " + SignificantPolicy.names.joined(separator: ", ")

  init(parsing text: String) throws {
    var names: [String] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard SignificantPolicy.names.contains(name) else {
        throw ValidationError("there is no policy '\(name)'; \(Self.help)")
      }
      guard !names.contains(name) else {
        throw ValidationError("the policy '\(name)' is given twice")
      }
      names.append(name)
    }
    self.names = names
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
