// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import LocationModel

// What each sentence adds to what a receiver said. A void sentence adds that it is void, and its date,
// which counts only where nothing else has one.

extension Observation {
  mutating func take(_ sentence: RMC, _ talker: Talker, habit: Talker) {
    day = day ?? sentence.day
    guard sentence.isValid, let position = sentence.position else {
      voidTalker = talker
      return
    }
    take(position, from: talker, rank: 1, habit: habit)
    speed = speed ?? sentence.speed
    course = course ?? sentence.course
  }

  mutating func take(_ sentence: GGA, _ talker: Talker, habit: Talker) {
    guard sentence.isValid, let position = sentence.position else {
      voidTalker = talker
      return
    }
    take(position, from: talker, rank: 4, habit: habit)
    hdop = hdop ?? sentence.hdop
    altitude = altitude ?? sentence.altitude
    separation = separation ?? sentence.separation
    satellites = satellites ?? sentence.satellites
  }

  mutating func take(_ sentence: GNS, _ talker: Talker, habit: Talker) {
    guard let isValid = sentence.isValid else { return }
    guard isValid, let position = sentence.position else {
      voidTalker = talker
      return
    }
    take(position, from: talker, rank: 3, habit: habit)
    hdop = hdop ?? sentence.hdop
    altitude = altitude ?? sentence.altitude
    separation = separation ?? sentence.separation
    // GGA stops at 12 satellites; GNS counts all.
    if let count = sentence.satellites { satellites = max(satellites ?? 0, count) }
  }

  mutating func take(_ sentence: GLL, _ talker: Talker, habit: Talker) {
    guard sentence.isValid, let position = sentence.position else {
      voidTalker = talker
      return
    }
    take(position, from: talker, rank: 2, habit: habit)
  }

  /// The fix of this observation, without its time; `nil` where the position is out of range.
  func fix(rangeError: Double) -> Fix? {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
    let dilution = hdop ?? slowHDOP
    var ellipsoidal: Double?
    if let altitude, let separation { ellipsoidal = altitude + separation }
    return Fix(
      time: nil, coordinate: coordinate,
      horizontalAccuracy: horizontal ?? dilution.map { $0 * rangeError },
      altitude: altitude, ellipsoidalHeight: ellipsoidal, verticalAccuracy: vertical,
      speed: speed ?? slowSpeed, course: course ?? slowCourse, hdop: dilution,
      satellites: satellites)
  }
}
