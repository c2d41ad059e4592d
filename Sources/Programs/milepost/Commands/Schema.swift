// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import Reports
import TraceFiles

/// `milepost schema [NAME]`
struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of a document, or say which there are.",
    discussion: """
      Each document of --json names its schema and version, as in "schema":"milepost.status/1". A member \
      that is added changes no version; one that is removed or means another thing does.
      """)

  /// The document that milepostd writes; it has the schema too.
  private static let doctor = (name: "doctor", about: "milepost doctor --json.")

  @Argument(
    help: ArgumentHelp("Which, as in status; without it all are listed.", valueName: "name"),
    completion: .list((Schemas.all.map(\.name) + [Self.doctor.name]).sorted()))
  var name: String?

  func run() throws {
    let output = try OutputFile(path: nil)
    guard let name else {
      let all = Schemas.all.map { ($0.name, $0.about) } + [Self.doctor]
      let width = (all.map(\.0.count).max() ?? 0) + 2
      for (name, about) in all.sorted(by: { $0.0 < $1.0 }) {
        try output.write(name + String(repeating: " ", count: width - name.count) + about + "\n")
      }
      return try output.commit()
    }
    if name == Self.doctor.name { try DaemonProgram.become(["doctor", "--schema"]) }
    guard let schema = Schemas.all.first(where: { $0.name == name }) else {
      let names = (Schemas.all.map(\.name) + [Self.doctor.name]).sorted()
      throw Complaint("there is no schema '\(name)'; schemas: \(names.joined(separator: ", "))")
    }
    try output.write(schema.text)
    try output.commit()
  }
}
