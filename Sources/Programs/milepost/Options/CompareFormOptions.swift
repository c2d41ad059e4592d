// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import Replay
import Reports

/// The forms of a comparison as flags.
struct CompareFormFlag: EnumerableFlag {
  let form: CompareForm

  static let allCases = CompareForm.all.map(Self.init)

  static func name(for value: Self) -> NameSpecification { .customLong(value.form.name) }
  static func help(for value: Self) -> ArgumentHelp? {
    ArgumentHelp(stringLiteral: value.form.help)
  }

  static func == (a: Self, b: Self) -> Bool { a.form.name == b.form.name }
}

/// The output forms of a comparison.
struct CompareFormOptions: ParsableArguments {
  @Flag var flags: [CompareFormFlag] = []

  @Option(file: "Also write a report with maps and curves: one HTML file that needs nothing else.")
  var html: String?

  @Option(file: "Also write the answer as one picture: an SVG of 1200 by 630, to be shared.")
  var card: String?

  @OptionGroup var ground: GroundOptions

  @Option(
    file: "Also say what changed since a saved comparison: of the same traces, by --json.")
  var baseline: String?

  /// The form that goes to standard output trace by trace; `nil` if only the page or the card does.
  var form: CompareForm? {
    if html == "-" || card == "-" { return nil }
    return (flags.first { $0.form.name == CompareForm.json.name } ?? flags.first)?.form ?? .text
  }

  /// Whether every figure is asked for; with --json that is more members.
  var isDetailed: Bool { flags.contains { $0.form.name == CompareForm.details.name } }

  /// Whether there is anything to draw.
  var hasPictures: Bool { html != nil || card != nil }

  var isJSON: Bool { form?.name == CompareForm.json.name }

  func validate() throws {
    let names = CompareForm.all.map { "--" + $0.name }
    let outputs = flags.filter { !isJSON || $0.form.name != CompareForm.details.name }
    if outputs.count + [html, card].count(where: { $0 == "-" }) > 1 {
      throw ValidationError(
        "\(names.joined(separator: ", ")), --html - and --card - each need standard output; choose "
          + "one")
    }
    try ground.check(hasPictures: hasPictures)
    if let card, card == html {
      throw ValidationError("--card and --html name the same file, \(card); name two")
    }
    if let card, let ending = card.split(separator: ".").last.map(String.init), card != "-",
      ["png", "jpg", "jpeg", "webp", "pdf"].contains(ending.lowercased())
    {
      throw ValidationError(
        "--card writes an SVG; name the file .svg (rsvg-convert FILE.svg -o FILE.png makes a picture of "
          + "it)")
    }
    guard baseline != nil, form?.isForPeople != true else { return }
    let others = CompareForm.all.filter { !$0.isForPeople }.map { "--" + $0.name }
    throw ValidationError(
      "--baseline prints text; it does not go with \(others.joined(separator: ", ")), --html - or "
        + "--card -")
  }

  /// The saved comparisons; `nil` if none were requested.
  func baselines() throws -> Baselines? { try baseline.map(Baselines.init(path:)) }
}
