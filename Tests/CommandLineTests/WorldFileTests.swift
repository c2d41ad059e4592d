// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("World files")
struct WorldFileTests {
  private let scratch: Scratch
  private let walk = Package.trace("walk.nmea")

  init() throws { scratch = try Scratch() }

  @Test("A key that does not matter to a policy that was asked for is said")
  func ignored() throws {
    let world = try scratch.write("w.yaml", "significant_distance_m: 900\nmax_late_s: 60\n")
    func errors(_ arguments: String...) throws -> String {
      try Program.run(arguments + ["--world", world, walk]).errors
    }
    #expect(
      try errors("replay", "--policy", "owntracks-significant").contains(
        "milepost: w.yaml: significant_distance_m, max_late_s do not matter to the policy owntracks-significant, "
          + "which has numbers of its own\n"))
    #expect(
      try errors("compare", "--worlds", "1", "--policy", "ios,milepost")
        == "milepost: w.yaml: max_late_s does not matter to the policy ios, which has numbers of its own\n"
    )
    #expect(!(try errors("replay", "--policy", "milepost")).contains("matter"))
  }

  @Test("The example changes nothing, and has every key of the schema, with its default")
  func example() throws {
    let path = Package.trace("world.yaml")
    let usual = try Program.run(["compare", "--worlds", "1", "--json", walk])
    #expect(
      try Program.run(["compare", "--worlds", "1", "--json", "--world", path, walk]).output
        == usual.output)
    let example = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let schema = try #require(try Program.run(["schema", "world"]).json())
    let keys = try #require(schema["properties"] as? [String: [String: Any]])
    #expect(keys.count > 20)
    for (key, rules) in keys {
      let line = example.first { $0.hasPrefix(key + ": ") }
      let comment = example.first { $0.hasPrefix("# \(key): ") }
      let about = try #require(rules["description"] as? String)
      #expect((line == nil) != (comment == nil), "\(key)")
      guard let value = line?.split(separator: " ").last else { continue }
      #expect(about.hasSuffix("(default: \(value))."), "\(key): \(about)")
    }
  }

  @Test(
    "A fault is said with file, line, key, value, and what to do",
    arguments: [
      ("cell_spacing: 300", ":1: cell_spacing: no such key; did you mean 'cell_spacing_m'?"),
      (
        "ttff: mean\ncell_spacing_m: 10",
        ":2: cell_spacing_m: 10 is not a number of metres from 50 to 100000"
      ),
      ("fix_loss: 0.9", ":1: fix_loss: 0.9 is not a number of parts of 1 from 0 to 0.8"),
      ("fix_loss: much", ":1: fix_loss: 'much' is not a number of parts of 1 from 0 to 0.8"),
      ("ttff: men", ":1: ttff: 'men' is not one of drawn, mean; did you mean 'mean'?"),
      ("vbus_off: 1", ":1: vbus_off: 1 where true or false was expected"),
      ("upload_bytes: 1.5", ":1: upload_bytes: 1.5 is not a whole number from 0 to 1000000000"),
      (
        "wifi_islands: most",
        ":1: wifi_islands: 'most' is not auto, on, off or a number from 0 to 1"
      ),
      ("seed: 3", ":1: seed: no key of a world; it is the option --seed"),
      ("- 1", ":1: an array where keys and values were expected"),
    ])
  func faults(keys: String, message: String) throws {
    let path = try scratch.write("world.yaml", keys + "\n")
    for command in ["compare", "replay"] {
      let answer = try Program.run([command, walk, "--world", path])
      #expect(answer.code == 2 && answer.output.isEmpty)
      #expect(answer.errors == "milepost: error: \(path)\(message)\n")
    }
  }

  @Test("All faults are said at once, and a file that is none says why")
  func several() throws {
    let path = try scratch.write("world.yaml", "noise: 0\nloss: 1\n")
    let answer = try Program.run(["compare", walk, "--world", path])
    #expect(answer.errors.split(separator: "\n").count == 2)
    let missing = try Program.run(["compare", walk, "--world", "none.yaml"])
    #expect(missing.errors == "milepost: error: none.yaml: no such file; check the path\n")
    let odd = try scratch.write("world.txt", "")
    #expect(
      try Program.run(["compare", walk, "--world", odd]).errors
        .contains("world.txt: its name does not say its form"))
    // An input is never overwritten, nor what it names.
    let list = try scratch.write("cells.csv", "LTE,262,1,1,1,0,13.4,52.5,1000,5\n")
    let world = try scratch.world("towers: cells.csv")
    for file in [world[1], list] {
      let over = try Program.run(["compare", walk, "--html", file] + world)
      #expect(over.errors.contains("is read and would be overwritten"), "\(over.errors)")
    }
  }
}

extension Program.Answer {
  /// The whole of standard output as one JSON object.
  fileprivate func json() throws -> [String: Any]? {
    try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
  }
}
