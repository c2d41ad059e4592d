// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Testing

@testable import RadioPower

@Suite("Calibration")
struct CalibrationTests {
  /// A power trace with these milliwatts in each tenth of a second.
  private func trace(_ milliwatts: [Double]) throws -> PowerTrace {
    var reader = PowerTraceReader(volts: nil)
    var text = "Time (s),Power (mW)\n"
    for (index, power) in (milliwatts + [0]).enumerated() {
      text += "\(Double(index) / 10),\(power)\n"
    }
    try reader.decode(Array(text.utf8).span)
    return try reader.finishTrace()
  }

  private func calibration(
    _ trace: PowerTrace, _ log: String, _ network: NetworkProfile? = nil, length: Double = 10
  ) throws -> Calibration {
    try Calibration(
      CalibrationEquations(
        trace, try activities(log), device: try device(), network: network, offset: 0,
        length: length))
  }

  private func fitted(_ calibration: Calibration, _ key: String) throws -> Calibration.Fitted {
    try #require(calibration.fitted.first { $0.key.description == key })
  }

  /// Asleep for 100 s, awake for 100 s.
  private let halves = """
    {"at_s":0,"component":"soc","state":"suspended"}
    {"at_s":100,"component":"soc","state":"awake_idle"}
    {"at_s":200,"end":true}

    """

  @Test("Two states by hand: 50 mW asleep and 170 mW awake are a floor of 50 and 120 above it")
  func twoStates() throws {
    let powers = (0..<2_000).map { $0 < 1_000 ? 50.0 : 170 }
    let result = try calibration(try trace(powers), halves)
    #expect(
      result.fitted.map(\.key.description) == ["floor,suspended,power", "soc,awake_idle,power"])
    let floor = try fitted(result, "floor,suspended,power")
    let awake = try fitted(result, "soc,awake_idle,power")
    #expect((floor.value.nominal - 50).magnitude < 1e-6)
    #expect((awake.value.nominal - 120).magnitude < 1e-6)
    #expect(result.windows == 20 && result.leftOut == 0)
    #expect((result.determination - 1).magnitude < 1e-9)
    // 50 mW × 200 s and 120 mW × 100 s of 22 J.
    #expect((floor.share - 10.0 / 22).magnitude < 1e-6)
    #expect((awake.share - 12.0 / 22).magnitude < 1e-6)
    #expect(floor.includes.map(\.description) == ["gnss,backup,power"])
  }

  @Test("Its errors by hand: windows that are 10 mW off to and fro")
  func errors() throws {
    let powers = (0..<2_000).map { index in
      (index < 1_000 ? 50.0 : 170) + ((index / 100) % 2 == 0 ? 10 : -10)
    }
    let result = try calibration(try trace(powers), halves)
    // s² = 20 × 100 / (20 − 2) = 111.1 mW². The floor is a mean of ten windows, what is above it the
    // difference of two such means: √(111.1 / 10) = 3.333 mW and √2 times that, 4.714 mW.
    let floor = try fitted(result, "floor,suspended,power")
    let awake = try fitted(result, "soc,awake_idle,power")
    #expect((floor.standardError - 3.333).magnitude < 1e-3)
    #expect((awake.standardError - 4.714).magnitude < 1e-3)
    #expect((floor.value.low - (50 - 6.667)).magnitude < 1e-2)
    #expect((awake.value.high - (120 + 9.428)).magnitude < 1e-2)
    #expect((result.residual - 10).magnitude < 1e-6)
    // Around the mean of 110 mW: 60² from the states and 10² from the noise.
    #expect((result.determination - (1 - 100.0 / 3_700)).magnitude < 1e-6)
    // Columns (1, 1) and (0, 1): their angle has a cosine of 1/√2.
    let cosine = 0.5.squareRoot()
    #expect(
      (result.condition - ((1 + cosine) / (1 - cosine)).squareRoot()).magnitude < 1e-6)
  }

  @Test("A receiver that never runs without an awake processor leaves one number for both")
  func together() throws {
    let log = halves.replacing(
      "{\"at_s\":200",
      with: "{\"at_s\":100,\"component\":\"gnss\",\"state\":\"track_good\"}\n{\"at_s\":200")
    let powers = (0..<2_000).map { $0 < 1_000 ? 50.0 : 250 }
    let result = try calibration(try trace(powers), log)
    let awake = try fitted(result, "soc,awake_idle,power")
    // 250 − 50 − 78.81, the profile's value for tracking; that may be 40 to 120, so this 80 to 160.
    #expect((awake.value.nominal - 121.19).magnitude < 1e-6)
    #expect((awake.value.low - 80).magnitude < 1e-6)
    #expect((awake.value.high - 160).magnitude < 1e-6)
    #expect(awake.includes.map(\.description) == ["gnss,track_good,power"])
    let tracking = try #require(
      result.kept.first { $0.key.description == "gnss,track_good,power" })
    #expect(tracking.reason == .together([ProfileKey("soc", "awake_idle", "power")]))
    let hot = try #require(result.kept.first { $0.key.description == "gnss,acquire_hot,power" })
    #expect(hot.reason == .neverActive)
  }

  @Test("Nothing in common, and too little of it, are said as what they are")
  func refusals() throws {
    let short = try trace(Array(repeating: 50.0, count: 300))
    let error = #expect(throws: InputError.self) { try calibration(short, halves) }
    #expect(
      error?.message
        == "trace and log have 3 whole windows in common, too few to fit anything (at least 11); record "
        + "for longer, take a shorter --window, or say with --offset how the clocks differ")
  }

  /// An hour of a tracker's life on a phone, drawn: sessions with searches and tracking, uploads, scans,
  /// launches, spells awake.
  private func life(_ random: inout SplitMix64) -> [Activity] {
    var list: [Activity] = []
    var at = 0.0
    func put(_ event: Activity.Event) {
      list.append(Activity(at: EngineInstant.zero.advanced(bySeconds: at), event))
    }
    // Whole seconds, as in the samples: an impulse must not be drawn before it is requested.
    func wait(_ range: ClosedRange<Int>) { at += Double(Int.random(in: range, using: &random)) }
    put(.soc(.suspended))
    while at < 3_600 {
      wait(5...40)
      put(.wifiScan)
      wait(4...20)
      if Bool.random(using: &random) { put(.launch) }
      wait(3...10)
      put(.soc(.awakeIdle))
      wait(10...60)
      put(.gnss(.acquireHot))
      wait(5...30)
      put(.gnss(.trackGood))
      wait(20...60)
      if Bool.random(using: &random) { put(.soc(.suspended)) }
      wait(20...60)
      put(.gnss(.backup))
      if Bool.random(using: &random) {
        put(.cellTransfer(uploadBytes: 2_000, downloadBytes: 0, rateMbps: 10))
      }
      wait(15...40)
      put(.soc(.active))
      wait(2...15)
      put(.soc(.suspended))
    }
    put(.end)
    return list
  }

  @Test(
    "A known profile comes back from its own noisy power trace, within the intervals",
    arguments: 1...3)
  func known(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let activities = life(&random)
    let base = String(
      decoding: try #require(ProfileLibrary.file(named: "phone-2021-lte")), as: UTF8.self)
    let truth = [
      "floor,suspended,power": 22.0, "gnss,track_good,power": 61, "gnss,acquire_hot,power": 120,
      "soc,awake_idle,power": 74, "soc,active,power": 410, "wifi,scan,power": 500,
    ]
    let changed = ProfileRevision(
      truth.map { key, value in
        let parts = key.split(separator: ",").map(String.init)
        return ProfileNumber(
          ProfileKey(parts[0], parts[1], parts[2]),
          Quantity(nominal: value, low: value, high: value), unit: "mW", confidence: .measured,
          source: "the test")
      }, into: base, name: "true", title: "true", origin: [])
    let real = try DeviceProfile.parse(Array(changed.text.utf8).span, name: "true")
    let network = try network("lte-2021-verizon")
    var meter = EnergyMeter(device: real, network: network)
    var powers: [Double] = []
    var joules = 0.0
    var next = 0
    let end = try #require(activities.last?.at)
    // A sample a second, each repeated ten times.
    while Double(powers.count) / 10 < EngineInstant.seconds(from: .zero, to: end) {
      let until = EngineInstant.zero.advanced(bySeconds: Double(powers.count + 10) / 10)
      while next < activities.count, activities[next].at < until {
        meter.record(activities[next])
        next += 1
      }
      meter.finish(at: until)
      let report = meter.report()
      let now = report.total.nominal + report.baselineTotal.nominal
      let noise = Double.random(in: -20...20, using: &random)
      powers += Array(repeating: (now - joules) * 1e3 + noise, count: 10)
      joules = now
    }
    let result = try Calibration(
      CalibrationEquations(
        try trace(powers), activities, device: try device(), network: network, offset: 0, length: 5)
    )
    #expect(result.determination > 0.9)
    for (key, value) in truth {
      let number = try #require(
        result.fitted.first { $0.key.description == key }, "seed \(seed): \(key), \(result.kept)")
      #expect(
        number.value.low <= value && value <= number.value.high,
        "seed \(seed): \(key) is \(value), fitted \(number.value)")
      #expect(number.value.nominal.isWithin(0.15, of: value), "seed \(seed): \(key)")
    }
  }
}
