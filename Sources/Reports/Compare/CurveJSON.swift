// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import Replay

extension JSONWriter {
  /// `curves`: all that the report draws of a run, as bounded as it is there.
  mutating func curves(_ record: CurveRecord) {
    key("curves")
    object { json in
      json.member("start", record.start?.rfc3339)
      json.series("energy", record.energy, unit: "energy_j", decimals: 6)
      json.series("distance", record.distance, unit: "distance_m", decimals: 1)
      json.objects("track", record.track.vertices, Self.vertex)
      json.array("delivered_at", record.places) { $1.place($0) }
      json.member("rouse_count", record.rouseCount)
      json.objects("rouses", record.rouses, Self.rouse)
      json.member("crossing_count", record.crossingCount)
      json.member("answered_count", record.answeredCount)
      json.objects("crossings", record.crossings, Self.crossing)
      json.objects("days", record.days, Self.day)
    }
  }

  private mutating func series(_ name: String, _ curve: Curve, unit: String, decimals: Int) {
    key(name)
    object { json in
      json.member("step_s", Double(curve.step) / 1e6, decimals: 6)
      json.array(unit, curve.values) { $1.number($0, decimals: decimals) }
    }
  }

  private mutating func place(_ place: Coordinate) {
    array { json in
      json.number(place.latitude, decimals: 7)
      json.number(place.longitude, decimals: 7)
    }
  }

  private static func vertex(_ vertex: TrackLine.Vertex) -> Members {
    members(vertex.place) + ["leg": .text("\(vertex.leg)")]
  }

  private static func rouse(_ rouse: CurveRecord.Rouse) -> Members {
    [
      "time": .text(rouse.time.rfc3339), "launch": .flag(rouse.isLaunch),
      "reason": .text(rouse.reason.rawValue),
    ] + members(rouse.place) + [
      "distance_m": .metres(rouse.distance),
      "moved_m": .metres(rouse.moved), "since_s": .seconds(rouse.since),
      "accuracy_m": .metres(rouse.accuracy),
    ]
  }

  private static func crossing(_ crossing: CurveRecord.Crossing) -> Members {
    [
      "at_s": .seconds(crossing.at), "time": .text(crossing.time.rfc3339),
      "lasted_s": .seconds(crossing.lasted),
      "distance_m": .metres(crossing.distance),
      "furthest_m": .metres(crossing.furthest),
      "ending": .text("\(crossing.ending)"),
    ]
  }

  private static func day(_ day: CurveRecord.DayTotal) -> Members {
    let midnight = UTCInstant(date: day.date, microsecondOfDay: 0)
    return [
      "date": .text(String(midnight.rfc3339.prefix(10))),
      "judged_s": .seconds(day.judged), "energy_j": .joules(day.joules),
      "deliveries": .count(day.deliveries), "wakes": .count(day.wakes),
      "launches": .count(day.launches),
      "blind_s": .seconds(day.blindSeconds),
      "blind_m": .metres(day.blindMetres),
    ]
  }

  private static func members(_ place: Coordinate) -> Members {
    [
      "latitude": .number(place.latitude, decimals: 7),
      "longitude": .number(place.longitude, decimals: 7),
    ]
  }
}
