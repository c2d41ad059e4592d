// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// One TPV report of gpsd, field by field; unstated fields are `nil`.
///
/// Units are gpsd's own (gpsd_json(5)): degrees, metres, metres per second. Nothing is judged yet:
/// `FixDraft` decides that an accuracy of 0 is none.
package struct GPSDPosition: Sendable, Equatable {
  package var device = ""
  package var time: UTCInstant?
  /// 0 unknown, 1 no fix, 2 a fix without height, 3 with height.
  package var mode: Int?
  package var latitude: Double?
  package var longitude: Double?
  package var ellipsoidalHeight: Double?
  package var altitude: Double?
  /// The old `alt`: above mean sea level until gpsd 3.20, undefined since.
  package var plainAltitude: Double?
  package var geoidHeight: Double?
  package var speed: Double?
  package var course: Double?
  package var accuracy: Double?
  package var eastError: Double?
  package var northError: Double?
  package var verticalAccuracy: Double?
  package var speedAccuracy: Double?
  package var courseAccuracy: Double?

  package init() {}

  /// A stated time that cannot be parsed.
  package struct UnknownTime: Error, Equatable {
    /// At most 40 characters of the text.
    package let text: String
  }

  /// Reads a report whose class is `TPV`.
  package init(_ report: JSONValue) throws(UnknownTime) {
    device = report["device"]?.string ?? ""
    switch report["time"] {
    case .string(let text)?:
      guard let parsed = RFC3339.parse(text) else {
        throw UnknownTime(text: String(text.prefix(40)))
      }
      time = parsed.instant
    // Until gpsd 2.96 times were seconds since 1970.
    case .number(let seconds)?: time = UTCInstant(readableMicroseconds: seconds * 1e6)
    default: time = nil
    }
    for member in report.members ?? [] {
      guard let value = member.value.number else { continue }
      if member.key == "mode" {
        mode = value >= 0 && value < 10 ? Int(value) : nil
      } else if let field = Field(rawValue: member.key) {
        self[field] = value
      }
    }
  }

  /// The stated fields of a report that are not numbers.
  static func unread(in report: JSONValue) -> [UnreadValue] {
    (report.members ?? []).compactMap { member in
      guard member.value.number == nil, member.value != .null,
        member.key == "mode" || Field(rawValue: member.key) != nil
      else { return nil }
      let quoted = member.value.string.map { Double($0) == nil ? $0 : "\"\($0)\"" }
      let text = String((quoted ?? "an object or a list").prefix(40))
      return UnreadValue.isUnknown(text) ? nil : UnreadValue(member.key, text)
    }
  }

  /// The fields that are numbers, by gpsd's names.
  package enum Field: String, Sendable, CaseIterable {
    case lat, lon, altHAE, altMSL, alt, geoidSep, speed, track, eph, epx, epy, epv, eps, epd
  }

  /// The stated ones of these fields.
  package var fields: FieldSet {
    var fields = FieldSet()
    for (place, field) in Field.allCases.enumerated() where self[field] != nil {
      fields.insert(FieldSet(rawValue: 1 << UInt16(place)))
    }
    return fields
  }

  /// A set of fields: a bit for each, in the order of `Field.allCases`.
  package struct FieldSet: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }
  }

  package subscript(field: Field) -> Double? {
    get {
      switch field {
      case .lat: latitude
      case .lon: longitude
      case .altHAE: ellipsoidalHeight
      case .altMSL: altitude
      case .alt: plainAltitude
      case .geoidSep: geoidHeight
      case .speed: speed
      case .track: course
      case .eph: accuracy
      case .epx: eastError
      case .epy: northError
      case .epv: verticalAccuracy
      case .eps: speedAccuracy
      case .epd: courseAccuracy
      }
    }
    set {
      switch field {
      case .lat: latitude = newValue
      case .lon: longitude = newValue
      case .altHAE: ellipsoidalHeight = newValue
      case .altMSL: altitude = newValue
      case .alt: plainAltitude = newValue
      case .geoidSep: geoidHeight = newValue
      case .speed: speed = newValue
      case .track: course = newValue
      case .eph: accuracy = newValue
      case .epx: eastError = newValue
      case .epy: northError = newValue
      case .epv: verticalAccuracy = newValue
      case .eps: speedAccuracy = newValue
      case .epd: courseAccuracy = newValue
      }
    }
  }
}
