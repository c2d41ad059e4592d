// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The JSON schemas")
struct SchemaFilesTests {
  @Test("Each is printed as it is kept here, where a change shows in a diff; none is forgotten")
  func files() throws {
    let list = try Program.run(["schema"]).output.split(separator: "\n")
    let names = list.map { String($0.prefix { $0 != " " }) }
    for name in names {
      try Golden.expect(try Program.run(["schema", name]).output, inFile: "Schemas/\(name).json")
    }
    let folder = Package.root.appendingPathComponent("Tests/CommandLineTests/Schemas").path
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(kept == names.map { "\($0).json" }.sorted())
  }

  @Test("A name that is none says which there are")
  func unknown() throws {
    let answer = try Program.run(["schema", "stats"])
    #expect(answer.code == 2)
    #expect(
      answer.errors.hasPrefix("milepost: error: there is no schema 'stats'; schemas: advise, app, ")
    )
  }
}
