// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import Testing

@testable import JSONText

/// Logs are one for each app; put together by time, their rows stand as they happened.
@Suite("Times of log rows")
struct LogTimesTests {
  private func given(_ instants: [Int64]) -> [Int64] {
    var times = LogTimes()
    return instants.map { times.next(at: UTCInstant(microseconds: $0)).microseconds }
  }

  @Test("Rows of one instant are a microsecond apart, in their order")
  func apart() {
    #expect(given([100, 100, 100, 200]) == [100, 101, 102, 200])
    // The next instant may come before the rows of the last one have run out.
    #expect(given([100, 100, 100, 101, 102, 200]) == [100, 101, 102, 103, 104, 200])
  }

  @Test("A clock that was set back is believed")
  func back() {
    #expect(given([1_000, 1_000, 50, 50, 1_000]) == [1_000, 1_001, 50, 51, 1_000])
  }

  @Test("The difference survives the protocol: milliseconds alone would lose it")
  func kept() throws {
    for (microseconds, text) in [
      (1_777_878_489_500_001, "2026-05-04T07:08:09.500001Z"),
      (1_777_878_489_500_000, "2026-05-04T07:08:09.500Z"),
    ] {
      let entry = LogDocument.Entry(
        at: UTCInstant(microseconds: Int64(microseconds)), kind: "launched", text: "launched")
      var writer = JSONWriter()
      LogDocument.Entry.json.write(entry, &writer)
      let written = String(decoding: writer.bytes, as: UTF8.self)
      #expect(written == #"{"at":"\#(text)","kind":"launched","text":"launched"}"#)
      let value = try JSONValue.parse(written)
      #expect(
        try LogDocument.Entry.json.read(value, JSONPlace(object: "LOG", key: "entries", index: 0))
          == entry)
    }
  }
}
