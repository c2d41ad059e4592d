// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Testing

/// An object with a member of each kind.
private struct Parcel: Sendable, Equatable {
  var name = ""
  var count = 0
  var weight = 0.0
  var depth: Double?
  var label: String?
  var isUrgent = false
  var sent: UTCInstant?
  var tags: [String] = []
  var service = Service.standard
  var contents: [Content] = []
  var reason: String?

  struct Content: Sendable, Equatable {
    var what = ""
    var pieces = 0

    static let table = JSONTable<Self> { content in
      content.field("what", \.what)
      content.field("pieces", \.pieces, .whole(in: 1...99))
    }
  }

  static let table = JSONTable<Self> { parcel in
    parcel.field("name", \.name)
    parcel.field("count", \.count)
    parcel.field("weight_kg", \.weight, .number(in: 0...30, decimals: 3))
    parcel.field("depth_m", \.depth, .number(in: 0...2))
    parcel.option("label", \.label, String.json)
    parcel.field("is_urgent", \.isUrgent)
    parcel.field("sent", \.sent)
    parcel.field("tags", \.tags)
    parcel.field("service", \.service)
    parcel.field("contents", \.contents, .array(of: Content.table.form(reading: Content())))
    parcel.option(
      "reason", \.reason, String?.json, where: \.isUrgent, else: "is only of what is urgent")
  }

  /// A drawn one, with numbers as its table writes them.
  init(_ dice: inout SplitMix64) {
    func whole(_ most: Int) -> Int { Int(dice.next() % UInt64(most + 1)) }
    let texts = [
      "", "a", "ä \"b\"", "\\/\n\t\u{1}", "🏠", "null", String(repeating: "x", count: 70),
    ]
    name = texts[whole(texts.count - 1)]
    count = whole(1) == 0 ? whole(3) : 9_007_199_254_740_991
    weight = Double(whole(30_000)) / 1_000
    depth = whole(2) == 0 ? nil : 2 * SplitMix64.uniform(dice.next())
    label = whole(1) == 0 ? nil : texts[whole(texts.count - 1)]
    isUrgent = whole(1) == 0
    sent = whole(2) == 0 ? nil : UTCInstant(microseconds: Int64(whole(4_000_000_000_000)) * 1_000)
    tags = (0..<whole(3)).map { _ in texts[whole(texts.count - 1)] }
    service = Service.allCases[whole(Service.allCases.count - 1)]
    for _ in 0..<whole(2) {
      var content = Content()
      (content.what, content.pieces) = (texts[whole(texts.count - 1)], 1 + whole(98))
      contents.append(content)
    }
    reason = isUrgent ? texts[whole(texts.count - 1)] : nil
  }

  init() {}
}

@Suite("A table writes an object, reads it back, and refuses what it does not say")
struct JSONTableTests {
  private static func read(_ text: String) -> Result<Parcel, InputError> {
    do {
      let object = try JSONObjectReader(try JSONValue.parse(text), name: "PARCEL")
      return .success(try Parcel.table.read(object: object, into: Parcel()))
    } catch let error as InputError {
      return .failure(error)
    } catch {
      return .failure(InputError("\(error)"))
    }
  }

  private static func members(_ parcel: Parcel) throws -> [JSONValue.Member] {
    try #require(try JSONValue.parse(Parcel.table.document(parcel).span).members)
  }

  @Test("What is written, word for word")
  func text() throws {
    var parcel = Parcel()
    parcel.name = "a \"b\""
    parcel.weight = 1.23456
    parcel.depth = 0.1
    parcel.sent = UTCInstant(microseconds: 1_777_878_489_500_000)
    parcel.tags = ["x", "y"]
    parcel.contents = [.init(what: "cups", pieces: 6)]
    #expect(
      String(decoding: Parcel.table.document(parcel), as: UTF8.self) == #"""
        {"name":"a \"b\"","count":0,"weight_kg":1.235,"depth_m":0.1,"is_urgent":false,\#
        "sent":"2026-05-04T07:08:09.500Z","tags":["x","y"],"service":"standard",\#
        "contents":[{"what":"cups","pieces":6}]}
        """#)
    #expect(
      Parcel.table.names == [
        "name", "count", "weight_kg", "depth_m", "label", "is_urgent", "sent", "tags", "service",
        "contents", "reason",
      ])
  }

  @Test("What is written is read as the same, 2,000 drawn objects", arguments: [1, 20_260_504])
  func roundTrip(seed: UInt64) throws {
    var dice = SplitMix64(seed: seed)
    for number in 0..<1_000 {
      let parcel = Parcel(&dice)
      let text = String(decoding: Parcel.table.document(parcel), as: UTF8.self)
      #expect(Self.read(text) == .success(parcel), "number \(number) of seed \(seed): \(text)")
    }
  }

  @Test(
    "Each required member that is missing is named; one that may be null or missing is not needed")
  func missing() throws {
    var dice = SplitMix64(seed: 7)
    let members = try Self.members(Parcel(&dice))
    let optional = ["depth_m", "sent", "label", "reason"]
    for name in Parcel.table.names {
      let rest = JSONValue.object(members.filter { $0.key != name }).text
      switch Self.read(rest) {
      case .success: #expect(optional.contains(name), "\(name)")
      case .failure(let error):
        #expect(error.message == "PARCEL needs the member '\(name)'")
        #expect(!optional.contains(name))
      }
    }
  }

  @Test(
    "A wrong value is refused with its place, itself, and what is allowed",
    arguments: [
      ("name", "7", "PARCEL: name is 7, not a string"),
      ("count", "-1", "PARCEL: count is -1, not a whole number from 0 to 9007199254740991"),
      ("count", "1.5", "PARCEL: count is 1.5, not a whole number from 0 to 9007199254740991"),
      ("count", "1e16", "PARCEL: count is 1e+16, not a whole number from 0 to 9007199254740991"),
      ("weight_kg", "30.5", "PARCEL: weight_kg is 30.5, not a number from 0 to 30"),
      ("weight_kg", "null", "PARCEL needs the member 'weight_kg'"),
      ("depth_m", "\"deep\"", "PARCEL: depth_m is \"deep\", not a number from 0 to 2"),
      ("is_urgent", "1", "PARCEL: is_urgent is 1, not true or false"),
      (
        "sent", "\"yesterday\"",
        "PARCEL: sent is \"yesterday\", not a time as 2026-05-04T07:08:09.000Z"
      ),
      ("tags", "\"x\"", "PARCEL: tags is \"x\", not an array of strings"),
      ("tags", "[\"x\",2]", "PARCEL: tags is 2, not a string"),
      (
        "service", "\"fast\"",
        "PARCEL: service is \"fast\", not one of standard, significant, continuous"
      ),
      ("contents", "[7]", "PARCEL.contents[0] is 7, not an object"),
      ("contents", "[{\"what\":\"x\"}]", "PARCEL.contents[0] needs the member 'pieces'"),
      (
        "contents", "[{\"what\":\"x\",\"pieces\":2},{\"what\":\"x\",\"pieces\":100}]",
        "PARCEL.contents[1]: pieces is 100, not a whole number from 1 to 99"
      ),
      ("reason", "\"late\"", "PARCEL: reason is only of what is urgent"),
    ])
  func wrong(name: String, value: String, message: String) throws {
    var members = try Self.members(Parcel()).filter { $0.key != name }
    members.append(.init(name, try JSONValue.parse(value)))
    #expect(Self.read(JSONValue.object(members).text) == .failure(InputError(message)))
  }

  @Test("Something else than an object, and a misspelt member where only known ones are allowed")
  func objects() throws {
    #expect(Self.read("[]") == .failure(InputError("PARCEL is an array, not an object")))
    let object = try JSONObjectReader(try JSONValue.parse(#"{"nme":1,"id":2}"#), name: "PARCEL")
    let error = #expect(throws: InputError.self) { try object.allow(["name"], and: "id") }
    #expect(error?.message == "PARCEL has no member 'nme'; it has name")
    // A table alone skips what it does not know: a newer sender may say more.
    #expect(
      Self.read(
        String(decoding: Parcel.table.document(Parcel()), as: UTF8.self)
          .replacing("{\"name\"", with: "{\"new\":[],\"name\"")) == .success(Parcel()))
  }
}

@Suite("Computed members are written and not read")
struct ComputedMemberTests {
  private struct Trip: Sendable {
    var metres = 1_234.5
    var stops = ["b": 2, "a": 1]
    var hours: Double?
  }

  private static let document = JSONDocument<Trip>("milepost.trip/1", "A trip.") { trip in
    trip.known("km", in: 0...1e6, decimals: 2, about: "Kilometres.") { $0.metres / 1_000 }
    trip.number("h", decimals: 1, { $0.hours })
    trip.counts("stops") { $0.stops }
    trip.object("sum", { $0 }) { sum in sum.value("far") { $0.metres > 1_000 } }
    trip.optionalObject("rest", { _ in Trip?.none }) { rest in
      rest.known("m", decimals: 0) { $0.metres }
    }
    trip.objects("legs", { [$0, $0] }) { leg in leg.known("m", decimals: 0) { $0.metres.rounded() }
    }
    trip.optionalValue("note", String.json) { _ in nil }
  }

  @Test("A document on one line, its schema first, counts in the order of their names")
  func line() {
    #expect(
      String(decoding: Self.document.line(Trip()), as: UTF8.self) == """
        {"schema":"milepost.trip/1","km":1.23,"h":null,"stops":{"a":1,"b":2},"sum":{"far":true},\
        "rest":null,"legs":[{"m":1235},{"m":1235}]}

        """)
  }

  /// By hand from the rules of JSON Schema, draft 2020-12.
  @Test("Its schema")
  func schema() throws {
    let schema = Self.document.schema
    #expect(schema.name == "trip" && schema.title == "milepost.trip/1")
    let expected = """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "milepost.trip/1",
        "description": "A trip.",
        "type": "object",
        "properties": {
          "schema": {"const": "milepost.trip/1"},
          "km": {"type": "number", "minimum": 0, "maximum": 1000000, "description": "Kilometres."},
          "h": {"type": ["number", "null"], "minimum": 0},
          "stops": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
          "sum": {
            "type": "object", "properties": {"far": {"type": "boolean"}}, "required": ["far"],
            "additionalProperties": false
          },
          "rest": {
            "type": ["object", "null"], "properties": {"m": {"type": "number", "minimum": 0}},
            "required": ["m"], "additionalProperties": false
          },
          "legs": {
            "type": "array",
            "items": {
              "type": "object", "properties": {"m": {"type": "number", "minimum": 0}},
              "required": ["m"], "additionalProperties": false
            }
          },
          "note": {"type": "string"}
        },
        "required": ["schema", "km", "h", "stops", "sum", "rest", "legs"],
        "additionalProperties": false
      }
      """
    #expect(try JSONValue.parse(schema.text) == JSONValue.parse(expected))
  }

  @Test("A form that is only written refuses to be read")
  func onlyWritten() throws {
    let form = JSONForm<Int>(.whole(0...9)) { $1.integer($0) }
    let place = try JSONObjectReader(.object([]), name: "TRIP").place("km")
    let error = #expect(throws: InputError.self) { _ = try form.read(.number(1), place) }
    #expect(error?.message == "TRIP.km is written by this release and not read")
  }
}
