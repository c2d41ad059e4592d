// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Testing

/// One inverse problem on WGS-84 with its published length.
struct PublishedGeodesic: Sendable, CustomTestStringConvertible {
  let start: Coordinate?
  let end: Coordinate?
  /// Metres.
  let length: Double

  /// Longitudes outside ±180 occur in the published cases and are wrapped here.
  init(
    _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double,
    _ s12: Double
  ) {
    start = Coordinate(latitude: latitude1, longitude: Coordinate.wrapped(longitude1))
    end = Coordinate(latitude: latitude2, longitude: Coordinate.wrapped(longitude2))
    length = s12
  }

  var testDescription: String { "\(length) m" }

  /// The 20 random cases of GeographicLib, tests/geodtest.cpp (C. Karney, MIT licence), lat1 lon1 lat2
  /// lon2 s12.
  static let random: [Self] = [
    Self(35.60777, -139.44815, -11.17491, -69.95921, 8935244.5604818305),
    Self(55.52454, 106.05087, 77.03196, 197.18234, 4105086.1713924406),
    Self(-21.97856, 142.59065, 41.84138, 98.56635, 8394328.894657671),
    Self(-66.99028, 112.2363, -12.70631, 285.90344, 11150344.2312080241),
    Self(-17.42761, 173.34268, -15.84784, 5.93557, 16076603.1631180673),
    Self(32.84994, 48.28919, -56.28556, 202.29132, 16727068.9438164461),
    Self(6.96833, 52.74123, -7.39675, 206.17291, 17102477.2496958388),
    Self(-50.56724, -16.30485, -33.56571, -94.97412, 6455670.5118668696),
    Self(-58.93002, -8.90775, -8.91104, 133.13503, 11756066.0219864627),
    Self(-68.82867, -74.28391, -50.63005, -8.36685, 3956936.926063544),
    Self(-10.62672, -32.0898, 5.883, -134.31681, 11470869.3864563009),
    Self(-21.76221, 166.90563, 48.72884, 213.97627, 9098627.3986554915),
    Self(-19.79938, -174.47484, -11.99349, -154.35109, 2319004.8601169389),
    Self(-11.95887, -116.94513, 4.57352, 7.16501, 13834722.5801401374),
    Self(-87.85331, 85.66836, 66.48646, 16.09921, 17286615.3147144645),
    Self(1.74708, 128.32011, -11.16617, 11.87109, 12942901.1241347408),
    Self(-25.72959, -144.90758, -57.70581, -269.17879, 9413446.7452453107),
    Self(-41.22777, 122.32875, -7.57291, 130.37946, 3812686.035106021),
    Self(11.01307, 138.25278, 6.62726, 247.05981, 11911190.819018408),
    Self(-29.47124, 95.14681, -27.46601, -69.15955, 13487015.8381145492),
  ]

  /// The same file, GeodSolve6, 9, 10, 11, 33, 76 and 78: nearly antipodal points.
  static let nearlyAntipodal: [Self] = [
    Self(88.202499451857, 0, -88.202499451857, 179.981022032992859592, 20003898.214),
    Self(89.262080389218, 0, -89.262080389218, 179.992207982775375662, 20003925.854),
    Self(56.320923501171, 0, -56.320923501171, 179.664747671772880215, 19993558.287),
    Self(52.784459512564, 0, -52.784459512563990912, 179.634407464943777557, 19991596.095),
    Self(48.522876735459, 0, -48.52287673545898293, 179.599720456223079643, 19989144.774),
    Self(0, 0, 0, 179.5, 19980862),
    Self(0, 0, 0, 180, 20003931),
    Self(-(41 + 19 / 60.0), 174 + 49 / 60.0, 40 + 58 / 60.0, -(5 + 30 / 60.0), 19960543.857179),
    Self(27.2, 0, -27.1, 179.5, 19974354.765767),
  ]
}

@Suite("Distance along the geodesic")
struct GeodesicTests {
  @Test("GeographicLib's 20 random cases agree within 1 mm", arguments: PublishedGeodesic.random)
  func random(_ published: PublishedGeodesic) throws {
    let start = try #require(published.start)
    let end = try #require(published.end)
    #expect(abs(start.distance(to: end) - published.length) < 1e-3)
    #expect(abs(end.distance(to: start) - published.length) < 1e-3)
  }

  @Test(
    "Nearly antipodal points are within the stated 0.6 %",
    arguments: PublishedGeodesic.nearlyAntipodal)
  func antipodal(_ published: PublishedGeodesic) throws {
    let start = try #require(published.start)
    let end = try #require(published.end)
    #expect(abs(start.distance(to: end) / published.length - 1) < 0.006)
  }

  @Test("Short legs keep their millimetres (GeodSolve4, 74 and 92)")
  func short() throws {
    let cases = [
      (PublishedGeodesic(36.493349428792, 0, 36.49334942879201, 0.0000008, 0.072), 0.5e-3),
      (PublishedGeodesic(54.1589, 15.3872, 54.1591, 15.3877, 39.527686385), 1e-5),
      (PublishedGeodesic(37.757540000000006, -122.47018, 37.75754, -122.470177, 0.264), 0.5e-3),
    ]
    for (published, tolerance) in cases {
      let start = try #require(published.start)
      let end = try #require(published.end)
      #expect(abs(start.distance(to: end) - published.length) < tolerance)
    }
  }

  @Test("From the equator to either pole it is a quarter of the meridian, whatever the longitude")
  func poles() throws {
    // Quarter meridian of WGS-84, 10,001,965.729 m: ∫ a (1 − e²) (1 − e² sin² φ)^(−3/2) dφ from 0 to π/2,
    // by Simpson's rule with 200,000 steps.
    for longitude in [-180.0, -77, 0, 123.4] {
      let equator = try #require(Coordinate(latitude: 0, longitude: longitude))
      for latitude in [-90.0, 90] {
        let pole = try #require(Coordinate(latitude: latitude, longitude: 11))
        #expect(abs(equator.distance(to: pole) - 10_001_965.729) < 1e-3)
      }
    }
  }

  @Test("A point has distance 0 from itself, and so has a pole from itself on another meridian")
  func zero() throws {
    let point = try #require(Coordinate(latitude: 20.001, longitude: 0))
    #expect(point.distance(to: point) == 0)
    let pole = try #require(Coordinate(latitude: 90, longitude: 0))
    let samePole = try #require(Coordinate(latitude: 90, longitude: 120))
    #expect(pole.distance(to: samePole) < 1e-6)
  }

  @Test("The antimeridian is no edge: the same leg is as long across it as elsewhere")
  func antimeridian() throws {
    // One degree of the equator is a · π/180 = 111,319.4908 m.
    let west = try #require(Coordinate(latitude: 0, longitude: 179.5))
    let east = try #require(Coordinate(latitude: 0, longitude: -179.5))
    #expect(abs(west.distance(to: east) - 111_319.4908) < 1e-3)
  }

  @Test("The mean sphere is within 0.6 % of the ellipsoid", arguments: PublishedGeodesic.random)
  func sphere(_ published: PublishedGeodesic) throws {
    let start = try #require(published.start)
    let end = try #require(published.end)
    #expect(abs(start.sphericalDistance(to: end) / published.length - 1) < 0.006)
  }
}
