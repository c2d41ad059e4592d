// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import Replay

enum CurveTables {
  /// `curves`: everything that the report draws of a run, equally bounded.
  static let record = JSONTable<CurveRecord> { record in
    record.value("start", \.start)
    record.object("energy", \.energy) { $0.series("energy_j", decimals: 6) }
    record.object("distance", \.distance) { $0.series("distance_m", decimals: 1) }
    record.objects("track", \.track.vertices) { vertex in
      vertex.place(\.place)
      vertex.value("leg") { "\($0.leg)" }
    }
    record.value("delivered_at", .array(of: .array(of: .number(decimals: 7)))) {
      $0.places.map { [$0.latitude, $0.longitude] }
    }
    record.value("rouse_count", \.wakeupCount)
    record.objects("rouses", \.wakeups) { wakeup in
      wakeup.value("time", \.time)
      wakeup.value("launch", \.isLaunch)
      wakeup.value("reason", \.reason)
      wakeup.place(\.place)
      wakeup.known("distance_m", decimals: 1, \.distance)
      wakeup.number("moved_m", decimals: 1, \.moved)
      wakeup.number("since_s", decimals: 3, \.since)
      wakeup.number("accuracy_m", decimals: 1, \.accuracy)
    }
    record.value("crossing_count", \.crossingCount)
    record.value("answered_count", \.answeredCount)
    record.objects("crossings", \.crossings) { crossing in
      crossing.known("at_s", decimals: 3, \.at)
      crossing.value("time", \.time)
      crossing.known("lasted_s", decimals: 3, \.lasted)
      crossing.known("distance_m", decimals: 1, \.distance)
      crossing.known("furthest_m", decimals: 1, \.furthest)
      crossing.value("ending", .words(["delivered", "returned", "unknown"])) { "\($0.ending)" }
    }
    record.known("days_utc_offset_h", in: -12...12, decimals: 0) {
      Double($0.clock.minutes / 60)
    }
    record.objects("days", \.days) { day in
      day.value("date") {
        String(UTCInstant(date: $0.date, microsecondOfDay: 0).rfc3339.prefix(10))
      }
      day.known("judged_s", decimals: 3, \.judged)
      day.known("energy_j", decimals: 6, \.joules)
      day.value("deliveries", \.deliveries)
      day.value("wakes", \.wakes)
      day.value("launches", \.launches)
      day.known("blind_s", decimals: 3, \.blindSeconds)
      day.known("blind_m", decimals: 1, \.blindMetres)
    }
  }
}

extension JSONTable<Curve> {
  fileprivate mutating func series(_ unit: String, decimals: Int) {
    known("step_s", decimals: 6) { Double($0.step) / 1e6 }
    value(unit, .array(of: .nullable(.number(in: 0...1e15, decimals: decimals))), { $0.values })
  }
}

extension JSONTable {
  /// Degrees.
  mutating func place(_ place: @escaping @Sendable (Root) -> Coordinate) {
    known("latitude", in: -90...90, decimals: 7) { place($0).latitude }
    known("longitude", in: -180...180, decimals: 7) { place($0).longitude }
  }
}
