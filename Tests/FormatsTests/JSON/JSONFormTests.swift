// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Testing

/// Each form alone: what it writes, and what it reads of it.
@Suite("A value's form in JSON")
struct JSONFormTests {
  private static func written<Value>(_ value: Value, _ form: JSONForm<Value>) -> String {
    var json = JSONWriter()
    form.write(value, &json)
    return json.text
  }

  private static func read<Value>(_ text: String, _ form: JSONForm<Value>) throws -> Value {
    let place = try JSONObjectReader(.object([]), name: "O").place("m")
    return try form.read(try JSONValue.parse(text), place)
  }

  private static func refusal<Value>(_ text: String, _ form: JSONForm<Value>) -> String? {
    #expect(throws: InputError.self) { _ = try read(text, form) }?.message
  }

  @Test("Numbers: with decimals, or with as many digits as it takes; a range includes its ends")
  func numbers() throws {
    let rounded = JSONForm<Double>.number(in: -1...1, decimals: 2)
    #expect(Self.written(0.125, rounded) == "0.13" || Self.written(0.125, rounded) == "0.12")
    #expect(Self.written(-0.5, rounded) == "-0.5")
    let exact = JSONForm<Double>.number()
    for value in [0, 0.1 + 0.2, 1e-7, -123.456, 1e14] {
      #expect(try Self.read(Self.written(value, exact), exact) == value)
    }
    #expect(
      Self.written(.leastNonzeroMagnitude, exact) == "0", "nine decimals at most below 0.0001")
    #expect(try Self.read("-1", rounded) == -1 && Self.read("1", rounded) == 1)
    #expect(Self.refusal("1.0001", rounded) == "O: m is 1.0001, not a number from -1 to 1")
    #expect(Self.refusal("-3", .number(in: 0...1e15)) == "O: m is -3, not a number of 0 or more")
    #expect(Self.refusal("true", exact) == "O: m is true, not a number")
  }

  @Test("Whole numbers: only those that JSON carries exactly, and the type holds")
  func wholes() throws {
    let most = JSONForm<UInt64>.whole()
    #expect(try Self.read("9007199254740991", most) == 9_007_199_254_740_991)
    #expect(Self.refusal("9007199254740992", most) != nil)
    #expect(Self.refusal("-1", most) != nil, "not of the type")
    #expect(try Self.read("2147483647", Int32.json) == .max)
    #expect(
      Self.refusal("2147483648", Int32.json)
        == "O: m is 2147483648, not a whole number from 0 to 2147483647")
    #expect(try Self.read("5.0", Int.json) == 5)
  }

  @Test("Words, and words of a type")
  func words() throws {
    #expect(Self.written(Service.significant, Service.json) == #""significant""#)
    #expect(try Self.read(#""continuous""#, Service.json) == .continuous)
    let few = JSONForm<Service>.word(among: [.standard])
    #expect(Self.refusal(#""continuous""#, few) == #"O: m is "continuous", not one of standard"#)
    #expect(
      Self.refusal("null", JSONForm<String>.words(["a", "b"])) == "O: m is null, not one of a, b")
  }

  @Test("Null is nothing where that may be, and only there")
  func nullable() throws {
    #expect(Self.written(nil, Int?.json) == "null")
    #expect(try Self.read("null", Int?.json) == nil)
    #expect(try Self.read("3", Int?.json) == 3)
    #expect(Self.refusal("null", Int.json) != nil)
  }

  @Test("Arrays say which element is wrong; counts and texts by name say which name")
  func collections() throws {
    let nested = JSONForm<[[Int]]>.array(of: .array(of: .count))
    #expect(Self.written([[1], []], nested) == "[[1],[]]")
    #expect(try Self.read("[[1],[2,3]]", nested) == [[1], [2, 3]])
    #expect(Self.refusal("{}", nested) == "O: m is an object, not an array")
    let counts = JSONForm<[String: Int]>.counts
    #expect(Self.written(["b": 1, "a": 2], counts) == #"{"a":2,"b":1}"#)
    #expect(try Self.read(#"{"a":2,"b":1}"#, counts) == ["a": 2, "b": 1])
    #expect(Self.refusal(#"{"a":-2}"#, counts)?.hasPrefix("O.m: a is -2, not") == true)
    let texts = JSONForm<[(name: String, value: String)]>.texts
    #expect(Self.written([("b", "1"), ("a", "")], texts) == #"{"b":"1","a":""}"#)
    #expect(try Self.read(#"{"b":"1","a":""}"#, texts).map(\.name) == ["b", "a"])
    #expect(Self.refusal(#"{"b":1}"#, texts) == "O.m: b is 1, not a string")
  }

  @Test("Times are RFC 3339 in UTC with milliseconds; other offsets are read")
  func times() throws {
    let instant = UTCInstant(microseconds: 1_777_878_489_500_000)
    #expect(Self.written(instant, UTCInstant.json) == #""2026-05-04T07:08:09.500Z""#)
    #expect(try Self.read(#""2026-05-04T07:08:09.500Z""#, UTCInstant.json) == instant)
    #expect(Self.refusal(#""2026-05-04""#, UTCInstant.json) != nil)
    #expect(Self.refusal("1777878489", UTCInstant.json) != nil)
  }
}
