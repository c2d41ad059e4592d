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
      json.key("track")
      json.array { json in for vertex in record.track.vertices { json.vertex(vertex) } }
      json.key("delivered_at")
      json.array { json in for place in record.places { json.place(place) } }
      json.member("rouse_count", record.wakeupCount)
      json.key("rouses")
      json.array { json in for wakeup in record.wakeups { json.wakeup(wakeup) } }
      json.member("crossing_count", record.crossingCount)
      json.member("answered_count", record.answeredCount)
      json.key("crossings")
      json.array { json in for crossing in record.crossings { json.crossing(crossing) } }
      json.key("days")
      json.array { json in for day in record.days { json.day(day) } }
    }
  }

  private mutating func series(_ name: String, _ curve: Curve, unit: String, decimals: Int) {
    key(name)
    object { json in
      json.member("step_s", Double(curve.step) / 1e6, decimals: 6)
      json.key(unit)
      json.array { json in for value in curve.values { json.number(value, decimals: decimals) } }
    }
  }

  private mutating func place(_ place: Coordinate) {
    array { json in
      json.number(place.latitude, decimals: 7)
      json.number(place.longitude, decimals: 7)
    }
  }

  private mutating func vertex(_ vertex: TrackLine.Vertex) {
    object { json in
      json.member("latitude", vertex.place.latitude, decimals: 7)
      json.member("longitude", vertex.place.longitude, decimals: 7)
      json.member("leg", "\(vertex.leg)")
    }
  }

  private mutating func wakeup(_ wakeup: CurveRecord.Wakeup) {
    object { json in
      json.member("time", wakeup.time.rfc3339)
      json.member("launch", wakeup.isLaunch)
      json.member("reason", wakeup.reason.rawValue)
      json.member("latitude", wakeup.place.latitude, decimals: 7)
      json.member("longitude", wakeup.place.longitude, decimals: 7)
      json.member("distance_m", wakeup.distance, decimals: 1)
      json.member("moved_m", wakeup.moved, decimals: 1)
      json.member("since_s", wakeup.since, decimals: 3)
      json.member("accuracy_m", wakeup.accuracy, decimals: 1)
    }
  }

  private mutating func crossing(_ crossing: CurveRecord.Crossing) {
    object { json in
      json.member("at_s", crossing.at, decimals: 3)
      json.member("time", crossing.time.rfc3339)
      json.member("lasted_s", crossing.lasted, decimals: 3)
      json.member("distance_m", crossing.distance, decimals: 1)
      json.member("furthest_m", crossing.furthest, decimals: 1)
      json.member("ending", "\(crossing.ending)")
    }
  }

  private mutating func day(_ day: CurveRecord.DayTotal) {
    object { json in
      let midnight = UTCInstant(date: day.date, microsecondOfDay: 0)
      json.member("date", String(midnight.rfc3339.prefix(10)))
      json.member("judged_s", day.judged, decimals: 3)
      json.member("energy_j", day.joules, decimals: 6)
      json.member("deliveries", day.deliveries)
      json.member("wakes", day.wakes)
      json.member("launches", day.launches)
      json.member("blind_s", day.blindSeconds, decimals: 3)
      json.member("blind_m", day.blindMetres, decimals: 1)
    }
  }
}
