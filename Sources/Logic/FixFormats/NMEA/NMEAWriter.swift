// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import LocationModel

/// Writes events as NMEA 0183 with checksums and CR LF: RMC and GGA for each fix, and GST if its
/// accuracy is known; RMC with status V for a "no fix" epoch.
package struct NMEAWriter: TraceEncoder {
  package static let needsTimes = true
  package static let loses: [String] = [
    "positions are rounded to 0.000001 minutes (2 mm)",
    "speed is rounded to 0.001 knots, course to 0.01 degrees, heights and accuracy to 1 mm",
    "a known HDOP without a known accuracy comes back with an accuracy that is estimated from it",
    "an accuracy below 1 mm is lost",
    "how far off speed and course may be is lost",
  ]

  package private(set) var dropped: [String: Int] = [:]
  private var body: [UInt8] = []
  private var last: UTCInstant?

  package init() { body.reserveCapacity(120) }

  /// Appends the sentences of `event`; nothing for values that NMEA cannot express.
  package mutating func write(_ event: TraceEvent, into output: inout [UInt8]) {
    switch event {
    case .fix(let fix, _):
      guard let time = fix.time else { return drop("fixes without a time") }
      account(fix, time)
      writeRMC(fix, time, into: &output)
      writeGGA(fix, time, into: &output)
      if fix.horizontalAccuracy != nil || fix.verticalAccuracy != nil {
        writeGST(fix, time, into: &output)
      }
    case .noFix(let time, _):
      begin("GPRMC")
      if let time { add(time: time) }
      add(text: ",V,,,,,,,")
      if let time { add(date: time.date) }
      add(text: ",,,N")
      end(into: &output)
    case .segmentEnd: drop("ends of segments")
    }
  }

  /// Counts values that come back changed, or not at all.
  private mutating func account(_ fix: Fix, _ time: UTCInstant) {
    if time == last { drop("fixes with the time of the one before, which come back as one") }
    last = time
    if !(1980...2079).contains(time.date.year) { drop("centuries of times") }
    if fix.source == .network { drop("sources of fixes from the network") }
    if fix.altitude == nil, fix.ellipsoidalHeight != nil { drop("heights above the ellipsoid") }
  }

  private mutating func drop(_ what: String) { dropped[what, default: 0] += 1 }

  private mutating func writeRMC(_ fix: Fix, _ time: UTCInstant, into output: inout [UInt8]) {
    begin("GPRMC")
    add(time: time)
    add(text: ",A,")
    add(fix.coordinate)
    add(text: ",")
    add(fix.speed.map { $0 * 3_600 / 1_852 }, decimals: 3)
    add(text: ",")
    // 359.996 must not become 360.00.
    add(fix.course.map { $0 >= 359.995 ? 0 : $0 }, decimals: 2)
    add(text: ",")
    add(date: time.date)
    add(text: ",,,A")
    end(into: &output)
  }

  private mutating func writeGGA(_ fix: Fix, _ time: UTCInstant, into output: inout [UInt8]) {
    begin("GPGGA")
    add(time: time)
    add(text: ",")
    add(fix.coordinate)
    add(text: ",1,")
    if let satellites = fix.satellites { add(Int64(satellites), digits: 2) }
    add(text: ",")
    add(fix.hdop, decimals: 2)
    add(text: ",")
    add(fix.altitude, decimals: 3)
    add(text: ",M,")
    if let altitude = fix.altitude, let height = fix.ellipsoidalHeight {
      add(height - altitude, decimals: 3)
    }
    add(text: ",M,,")
    end(into: &output)
  }

  /// Equal sigmas in both directions, so that sqrt(σ² + σ²) is the accuracy.
  private mutating func writeGST(_ fix: Fix, _ time: UTCInstant, into output: inout [UInt8]) {
    let sigma = fix.horizontalAccuracy.map { $0 / 2.0.squareRoot() }
    begin("GPGST")
    add(time: time)
    add(text: ",,,,,")
    add(sigma, decimals: 4)
    add(text: ",")
    add(sigma, decimals: 4)
    add(text: ",")
    add(fix.verticalAccuracy, decimals: 3)
    end(into: &output)
  }

  // MARK: - Sentences

  private mutating func begin(_ address: StaticString) {
    body.removeAll(keepingCapacity: true)
    add(text: address)
    add(text: ",")
  }

  private mutating func end(into output: inout [UInt8]) {
    var sum: UInt8 = 0
    for byte in body { sum ^= byte }
    output.append(UInt8(ascii: "$"))
    output.append(contentsOf: body)
    output.append(UInt8(ascii: "*"))
    output.append(Self.hexadecimal(sum >> 4))
    output.append(Self.hexadecimal(sum & 15))
    output.append(13)
    output.append(10)
  }

  private static func hexadecimal(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }

  private mutating func add(text: StaticString) {
    for byte in text.description.utf8 { body.append(byte) }
  }

  // MARK: - Fields

  private mutating func add(_ value: Int64, digits: Int) {
    var scale: Int64 = 1
    for _ in 1..<digits { scale *= 10 }
    while value / scale >= 10 { scale *= 10 }
    while scale > 0 {
      body.append(48 + UInt8(value / scale % 10))
      scale /= 10
    }
  }

  /// Adds nothing if `value` is unknown or too large for a field.
  private mutating func add(_ value: Double?, decimals: Int) {
    guard let value, value.magnitude < 1e9 else { return }
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int64((value.magnitude * Double(scale)).rounded())
    if value < 0 && scaled > 0 { body.append(UInt8(ascii: "-")) }
    add(scaled / scale, digits: 1)
    body.append(UInt8(ascii: "."))
    add(scaled % scale, digits: decimals)
  }

  /// `ddmm.mmmmmm,N,dddmm.mmmmmm,E`.
  private mutating func add(_ coordinate: Coordinate) {
    add(angle: coordinate.latitude, degreeDigits: 2)
    add(text: coordinate.latitude < 0 ? ",S," : ",N,")
    add(angle: coordinate.longitude, degreeDigits: 3)
    add(text: coordinate.longitude < 0 ? ",W" : ",E")
  }

  private mutating func add(angle: Double, degreeDigits: Int) {
    let scaled = Int64((angle.magnitude * 60e6).rounded())
    add(scaled / 60_000_000, digits: degreeDigits)
    add(scaled / 1_000_000 % 60, digits: 2)
    body.append(UInt8(ascii: "."))
    add(scaled % 1_000_000, digits: 6)
  }

  /// `hhmmss.ss`, with as many further decimals as the time has.
  private mutating func add(time: UTCInstant) {
    let micros = time.microsecondOfDay
    let seconds = micros / 1_000_000
    add(seconds / 3_600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60, digits: 6)
    body.append(UInt8(ascii: "."))
    let fraction = micros % 1_000_000
    if fraction % 10_000 == 0 {
      add(fraction / 10_000, digits: 2)
    } else if fraction % 1_000 == 0 {
      add(fraction / 1_000, digits: 3)
    } else {
      add(fraction, digits: 6)
    }
  }

  private mutating func add(date: CivilDate) {
    add(Int64(date.day), digits: 2)
    add(Int64(date.month), digits: 2)
    add(Int64(date.year.magnitude % 100), digits: 2)
  }
}
