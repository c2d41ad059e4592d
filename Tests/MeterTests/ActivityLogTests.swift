// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import RadioPower
import Testing

struct ActivityLogTests {
  @Test func `The lines of the issue are read`() throws {
    let log = """
      {"at_s":0,"component":"gnss","state":"acquire_cold"}
      {"at_s":12,"component":"cell","upload_bytes":10240,"download_bytes":0,"rate_mbps":2}
      {"at_s":60,"component":"wifi","scan":true}
      {"at_s":120,"end":true}
      """
    #expect(
      try activities(log) == [
        Activity(at: .zero, .gnss(.acquireCold)),
        Activity(
          at: EngineInstant(microseconds: 12_000_000),
          .cellTransfer(uploadBytes: 10_240, downloadBytes: 0, rateMbps: 2)),
        Activity(at: EngineInstant(microseconds: 60_000_000), .wifiScan),
        Activity(at: EngineInstant(microseconds: 120_000_000), .end),
      ])
  }

  @Test(arguments: [
    (
      "{\"at_s\":0,\"component\":\"gps\",\"state\":\"off\"}",
      "line 1: the component \"gps\" is not known; allowed: gnss, cell, wifi, soc, sensor, device, flash"
    ),
    (
      "\n{\"at_s\":0,\"component\":\"soc\",\"state\":\"asleep\"}",
      "line 2: the state \"asleep\" of soc is not known; allowed: suspended, awake_idle, active"
    ),
    (
      "{\"at_s\":5,\"metering\":true}\n{\"at_s\":4.5,\"end\":true}",
      "line 2: at_s runs backwards, from 5 to 4.5"
    ),
    (
      "{\"at_s\":0,\"component\":\"cell\",\"upload_byte\":3}",
      "line 1: the key \"upload_byte\" is not known here; allowed: at_s, upload_bytes, "
        + "download_bytes, rate_mbps"
    ),
    (
      "{\"at_s\":0,\"component\":\"cell\",\"upload_bytes\":3,\"rate_mbps\":0}",
      "line 1: \"rate_mbps\" must be a number above 0"
    ),
    (
      "{\"at_s\":\"0\",\"end\":true}",
      "line 1: \"at_s\" must be a number of seconds from 0 to 1000000000"
    ),
    (
      "{\"at_s\":0,\"end\":true}\n{\"at_s\":1,\"end\":true}",
      "line 2: a record follows after \"end\""
    ),
    (
      "{\"at_s\":0}",
      "line 1: \"component\" is missing (gnss, cell, wifi, soc, sensor, device, flash); only \"end\" and "
        + "\"metering\" go without"
    ),
    ("{\"at_s\":0,", "line 1: this is not JSON: byte 11, a key was expected"),
  ])
  func `What is wrong is said in words`(_ log: String, _ message: String) {
    let error = #expect(throws: InputError.self) { try activities(log) }
    #expect(error.map { "line \($0.line ?? 0): \($0.message)" } == message)
  }

  @Test func `A log without an end is read, and says so`() throws {
    var reader = ActivityLogReader()
    var read: [Activity] = []
    let bytes = Array("{\"at_s\":0,\"component\":\"soc\",\"event\":\"launch\"}".utf8)
    try reader.decode(bytes.span, into: &read)
    try reader.finish(into: &read)
    #expect(read.count == 1 && !reader.hasEnd)
  }

  @Test(arguments: [
    (0, "0"), (1, "0.000001"), (120_000_000, "120"), (1_500_000, "1.5"),
    (86_399_999_999, "86399.999999"),
  ])
  func `Instants are written to the microsecond`(_ microseconds: Int64, _ text: String) {
    var bytes: [UInt8] = []
    ActivityLogWriter().write(
      activity: Activity(at: EngineInstant(microseconds: microseconds), .end), into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "{\"at_s\":\(text),\"end\":true}\n")
  }
}
