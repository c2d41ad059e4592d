// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import LocationModel

// A sentence has at most 82 characters (NMEA 0183, with `$`, CR and LF); some receivers' readers cut a longer one. What is
// written in full nearly always fits. Else its numbers lose decimals, step by step (`Detail`), until it does.

/// Writes events as NMEA 0183 with checksums and CR LF: RMC and GGA for each fix, and GST if its
/// accuracy is known; RMC with status V for a "no fix" epoch.
package struct NMEAWriter: TraceEncoder {
  package static let needsTimes = true
  package static let loses: [String] = [
    "positions are rounded to 0.000001 minutes (2 mm)",
    "speed is rounded to 0.001 knots, course to 0.01 degrees, heights and accuracy to 1 mm",
    "a sentence that would have more than 82 characters is rounded further",
    "a known HDOP without a known accuracy comes back with an accuracy that is estimated from it",
    "an accuracy below 1 mm comes back as up to 1 mm",
    "how far off speed and course may be is lost",
  ]

  /// The greatest length of a sentence, with `$`, CR and LF.
  package static let longest = 82

  package private(set) var dropped: [String: Int] = [:]
  private var body: [UInt8] = []
  private var last: Written?
  private var detail = Detail.full

  /// Time and place of a fix, as a reader tells two apart: to a centimetre.
  private struct Written: Equatable {
    let time: UTCInstant
    let latitude: Int64
    let longitude: Int64
  }

  /// The decimals of a sentence's numbers.
  private struct Detail {
    /// Of minutes of arc.
    let angle: Int
    /// Of metres and knots, at most.
    let number: Int

    static let full = Detail(angle: 6, number: 3)
    /// In this order, as long as the sentence is too long.
    static let all =
      [full] + [(6, 2), (5, 2), (5, 1), (4, 1), (4, 0)].map { Detail(angle: $0, number: $1) }
  }

  package init() { body.reserveCapacity(120) }

  /// Appends the sentences of `event`; nothing for values that NMEA cannot express.
  package mutating func encode(_ event: TraceEvent, into output: inout [UInt8]) {
    switch event {
    case .fix(let fix, _):
      guard let time = fix.time else { return drop("fixes without a time") }
      account(fix, time)
      write(into: &output) { $0.composeRMC(fix, time) }
      let fits = write(into: &output) { $0.composeGGA(fix, time, hasHeights: true) }
      if !fits {
        drop("heights that no sentence has room for")
        write(into: &output) { $0.composeGGA(fix, time, hasHeights: false) }
      }
      if fix.horizontalAccuracy != nil || fix.verticalAccuracy != nil {
        write(into: &output) { $0.composeGST(fix, time) }
      }
    case .noFix(let time, _): write(into: &output) { $0.composeVoid(time) }
    case .segmentEnd: drop("ends of segments")
    }
  }

  /// Counts values that come back changed, or not at all.
  private mutating func account(_ fix: Fix, _ time: UTCInstant) {
    let written = Written(
      time: time, latitude: Self.scaled(fix.coordinate.latitude) / 6,
      longitude: Self.scaled(fix.coordinate.longitude) / 6)
    if written == last {
      drop("fixes with the time and the place of the one before, which come back as one")
    }
    last = written
    if !(1980...2079).contains(time.date.year) { drop("centuries of times") }
    if fix.source == .network { drop("sources of fixes from the network") }
    if fix.altitude == nil, fix.ellipsoidalHeight != nil { drop("heights above the ellipsoid") }
    if let hdop = fix.hdop, hdop >= Self.unknownDilution { drop("dilutions of 99 and more") }
  }

  /// The least dilution that means that it is unknown.
  private static let unknownDilution = 99.0

  private mutating func drop(_ what: String) { dropped[what, default: 0] += 1 }

  private mutating func composeRMC(_ fix: Fix, _ time: UTCInstant) {
    append(text: "GPRMC,")
    append(time: time)
    append(text: ",A,")
    append(coordinate: fix.coordinate)
    append(text: ",")
    append(decimal: fix.speed.map { $0 * 3_600 / 1_852 }, decimals: 3)
    append(text: ",")
    append(decimal: fix.course, decimals: 2, below: 360)
    append(text: ",")
    append(date: time.date)
    append(text: ",,,A")
  }

  private mutating func composeVoid(_ time: UTCInstant?) {
    append(text: "GPRMC,")
    if let time { append(time: time) }
    append(text: ",V,,,,,,,")
    if let time { append(date: time.date) }
    append(text: ",,,N")
  }

  private mutating func composeGGA(_ fix: Fix, _ time: UTCInstant, hasHeights: Bool) {
    append(text: "GPGGA,")
    append(time: time)
    append(text: ",")
    append(coordinate: fix.coordinate)
    append(text: ",1,")
    if let satellites = fix.satellites { append(integer: Int64(satellites), digits: 2) }
    append(text: ",")
    append(decimal: fix.hdop.flatMap { $0 < Self.unknownDilution ? $0 : nil }, decimals: 2)
    append(text: ",")
    if hasHeights { append(decimal: fix.altitude, decimals: 3) }
    append(text: ",M,")
    if hasHeights, let altitude = fix.altitude, let height = fix.ellipsoidalHeight {
      append(decimal: height - altitude, decimals: 3)
    }
    append(text: ",M,,")
  }

  /// Equal sigmas in both directions, so that sqrt(σ² + σ²) is the accuracy. None is 0: that would mean unknown.
  private mutating func composeGST(_ fix: Fix, _ time: UTCInstant) {
    let sigma = fix.horizontalAccuracy.map { max($0 / 2.0.squareRoot(), 0.0001) }
    append(text: "GPGST,")
    append(time: time)
    append(text: ",,,,,")
    append(decimal: sigma, decimals: 4, least: 4)
    append(text: ",")
    append(decimal: sigma, decimals: 4, least: 4)
    append(text: ",")
    append(decimal: fix.verticalAccuracy.map { max($0, 0.001) }, decimals: 3, least: 3)
  }

  // MARK: - Sentences

  /// Composes a sentence with as many decimals as fit, and writes it; `false` if it does not fit with the fewest.
  @discardableResult
  private mutating func write(
    into output: inout [UInt8], _ compose: (inout Self) -> Void
  ) -> Bool {
    // `$`, `*`, two digits, CR and LF.
    let room = Self.longest - 6
    for detail in Detail.all {
      self.detail = detail
      body.removeAll(keepingCapacity: true)
      compose(&self)
      if body.count <= room { break }
    }
    guard body.count <= room else { return false }
    var sum: UInt8 = 0
    for byte in body { sum ^= byte }
    output.append(UInt8(ascii: "$"))
    output.append(contentsOf: body)
    output.append(UInt8(ascii: "*"))
    output.append(Self.hexadecimal(sum >> 4))
    output.append(Self.hexadecimal(sum & 15))
    output.append(13)
    output.append(10)
    return true
  }

  private static func hexadecimal(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }

  private mutating func append(text: StaticString) {
    for byte in text.description.utf8 { body.append(byte) }
  }

  // MARK: - Fields

  private mutating func append(integer value: Int64, digits: Int) {
    var scale: Int64 = 1
    for _ in 1..<digits { scale *= 10 }
    while value / scale >= 10 { scale *= 10 }
    while scale > 0 {
      body.append(48 + UInt8(value / scale % 10))
      scale /= 10
    }
  }

  /// Adds nothing if `value` is unknown or too large for a field. It has `decimals` at most, and `least` at least; one
  /// that would round to `limit` is 0, as 360.00 degrees are.
  private mutating func append(
    decimal value: Double?, decimals most: Int, least: Int = 0, below limit: Double? = nil
  ) {
    guard let value, value.magnitude < 1e9 else { return }
    let decimals = max(least, min(most, detail.number))
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    var scaled = Int64((value.magnitude * Double(scale)).rounded())
    if let limit, scaled >= Int64(limit) * scale { scaled = 0 }
    if value < 0 && scaled > 0 { body.append(UInt8(ascii: "-")) }
    append(integer: scaled / scale, digits: 1)
    guard decimals > 0 else { return }
    body.append(UInt8(ascii: "."))
    append(integer: scaled % scale, digits: decimals)
  }

  /// `ddmm.mmmmmm,N,dddmm.mmmmmm,E`.
  private mutating func append(coordinate: Coordinate) {
    append(angle: coordinate.latitude, degreeDigits: 2)
    append(text: coordinate.latitude < 0 ? ",S," : ",N,")
    append(angle: coordinate.longitude, degreeDigits: 3)
    append(text: coordinate.longitude < 0 ? ",W" : ",E")
  }

  /// An angle in degrees in the written unit, 0.000001 minutes.
  private static func scaled(_ angle: Double) -> Int64 { Int64((angle * 60e6).rounded()) }

  private mutating func append(angle: Double, degreeDigits: Int) {
    var scale: Int64 = 1
    for _ in 0..<detail.angle { scale *= 10 }
    let unit = 1_000_000 / scale
    let scaled = (Self.scaled(angle.magnitude) + unit / 2) / unit
    append(integer: scaled / (60 * scale), digits: degreeDigits)
    append(integer: scaled / scale % 60, digits: 2)
    body.append(UInt8(ascii: "."))
    append(integer: scaled % scale, digits: detail.angle)
  }

  /// `hhmmss.ss`, with as many further decimals as the time has.
  private mutating func append(time: UTCInstant) {
    let micros = time.microsecondOfDay
    let seconds = micros / 1_000_000
    append(integer: seconds / 3_600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60, digits: 6)
    body.append(UInt8(ascii: "."))
    let fraction = micros % 1_000_000
    if fraction % 10_000 == 0 {
      append(integer: fraction / 10_000, digits: 2)
    } else if fraction % 1_000 == 0 {
      append(integer: fraction / 1_000, digits: 3)
    } else {
      append(integer: fraction, digits: 6)
    }
  }

  private mutating func append(date: CivilDate) {
    append(integer: Int64(date.day), digits: 2)
    append(integer: Int64(date.month), digits: 2)
    append(integer: Int64(date.year.magnitude % 100), digits: 2)
  }
}
