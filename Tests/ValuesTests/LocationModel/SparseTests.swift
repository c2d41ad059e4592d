// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@Suite("Members that are left out where they have their usual value")
struct SparseTests {
  private enum Limit: UsualValue { static let usual = 10.0 }

  private struct Rules: Codable, Equatable {
    var name = "a"
    @Sparse<Limit> var limit
    @Sparse<[Int]> var rows
    @Sparse<Bool> var isOn
  }

  private func text(_ rules: Rules) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(rules), as: UTF8.self)
  }

  private func read(_ text: String) throws -> Rules {
    try JSONDecoder().decode(Rules.self, from: Data(text.utf8))
  }

  @Test("Usual values are not written, and are read where they are missing")
  func usual() throws {
    #expect(try text(Rules()) == #"{"name":"a"}"#)
    #expect(try read(#"{"name":"a"}"#) == Rules())
    #expect(try read(#"{"name":"a","limit":10,"rows":[],"isOn":false}"#) == Rules())
  }

  @Test("Others are written under the property's name, and come back")
  func unusual() throws {
    var rules = Rules()
    (rules.limit, rules.rows, rules.isOn) = (2.5, [3, 4], true)
    let written = #"{"isOn":true,"limit":2.5,"name":"a","rows":[3,4]}"#
    #expect(try text(rules) == written)
    #expect(try read(written) == rules)
  }

  @Test("A value of another kind is an error, not the usual value")
  func wrong() {
    #expect(throws: DecodingError.self) { try read(#"{"name":"a","limit":"many"}"#) }
  }
}
