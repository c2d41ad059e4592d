// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

struct RouteTests {
  @Test func aPlannedRouteIsTheTraceOnlyWithoutATrack() throws {
    let route = "<rte><rtept lat='40' lon='2'/><rtept lat='41' lon='2'/></rte>"
    let track =
      "<trk><trkseg><trkpt lat='5' lon='6'><time>2026-05-04T07:08:09Z</time></trkpt></trkseg></trk>"
    let beside = try readGPX("<gpx><wpt lat='1' lon='2'/>\(route)\(track)\(route)</gpx>")
    #expect(fixes(beside.events).map(\.coordinate.latitude) == [5])
    #expect(
      beside.ledger.skipped == ["waypoint beside a track": 1, "route beside a track": 4])
    var options = DecodingOptions()
    options.allowsUndated = true
    let alone = try readGPX(
      "<gpx><wpt lat='1' lon='2'/>\(route)\(route)</gpx>", options: options)
    #expect(
      alone.events.map { if case .segmentEnd = $0 { "end" } else { "point" } }
        == ["point", "point", "end", "point", "point", "end"])
    #expect(alone.ledger.skipped == ["waypoint beside a track": 1])
  }
}
