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

  @Option(file: "Also write the answer as one picture to be shared: an SVG of 1200 by 630.")
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

/// A file of `compare --json`: one document per line.
struct Baselines {
  private let path: String
  private let documents: [Baseline]

  init(path: String) throws {
    self.path = path
    let lines = try WholeFile.read(path, as: .baseline).split(separator: 0x0A)
    documents = try zip(1..., lines).map { number, line in
      let bytes = Array(line)
      do {
        return try Baseline(try JSONValue.parse(bytes.span))
      } catch let error as InputError {
        throw Complaint(error, in: "\(path):\(number)")
      } catch {
        throw Complaint("\(path):\(number): not a document of milepost compare --json")
      }
    }
    if documents.isEmpty {
      throw Complaint("\(path): empty; milepost compare --json writes such files")
    }
  }

  /// The changes of each trace; throws if no document concerns a trace.
  func changes(
    _ traces: [ComparedTrace], _ options: ReplayOptions, style: TextStyle
  ) throws -> String {
    try traces.map { trace in
      guard let baseline = documents.first(where: { $0.isOf(trace) }) else {
        let nearest = documents.first { $0.name == trace.name } ?? documents.first
        let reason = nearest?.mismatch(trace) ?? "it is empty"
        throw Complaint(
          "\(path): not a comparison of \(trace.name): \(reason); save one with milepost compare --json"
        )
      }
      return "\n" + BaselineText.text(trace, against: baseline, options: options, style: style)
    }.joined()
  }
}
