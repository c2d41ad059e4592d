// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import Replay

/// Options of earlier releases, and where their wish is heard now.
enum FormerOption {
  /// Throws `Complaint` if one of the words is an option that this command had.
  static func refuse(
    _ words: some Collection<String>, of command: any ParsableCommand.Type
  ) throws {
    let commands: [any ParsableCommand.Type] = [Compare.self, Replay.self, Score.self]
    guard commands.contains(where: { $0 == command }) else { return }
    for (word, next) in zip(words, Array(words.dropFirst()) + [""]) {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard let option = parts.first, option.hasPrefix("--") else { continue }
      if let key = WorldKey.all.first(where: { $0.formerOption == option }) {
        let line = "\(key.name): \(key.value(given: parts.count > 1 ? parts[1] : next))"
        throw Complaint(
          "\(option) is no option any more: write the line '\(line)' into a file, say world.yaml, and give --world "
            + "world.yaml (milepost schema world has all keys)")
      }
      if command == Compare.self, let advice = ofCompare[option] {
        throw Complaint("\(option) is no option any more: \(advice)")
      }
    }
  }

  private static let lab =
    "what proves the filter is in filter-lab, a program for researchers (swift build --product filter-lab)"

  private static let ofCompare = [
    "--optimum": lab, "--known-ahead": lab, "--crossings": lab, "--visits": lab,
    "--eras": "it is --era all",
    "--curves": "--json --details has the curves",
    "--together": "--details has it, and --json --details",
    "--no-map": "it is --map none",
    "--markdown": "put the text between lines of ```, or use --csv",
  ]
}

extension WorldKey {
  /// What to write in a file for what was given to the option, which may have been a flag.
  fileprivate func value(given text: String) -> String {
    guard isFlag else { return text.isEmpty || text.hasPrefix("--") ? "…" : text }
    return formerOption.hasPrefix("--no-") ? "no" : "yes"
  }
}
