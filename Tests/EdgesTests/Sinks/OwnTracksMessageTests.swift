// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import ServiceContract
import Testing

@testable import Sinks

// Expected texts are written by hand from owntracks.org/booklet/tech/json: 12.5 m/s are 45 km/h, 359.6°
// rounds to north, 1795391999 is 2026-11-22T23:59:59Z.

@Suite("OwnTracks' messages")
struct OwnTracksMessageTests {
  private static let device = OwnTracksDevice(user: "jane", device: "van")

  private static func texts(_ pending: PendingDelivery) -> [String] {
    OwnTracksMessage.messages(for: pending).map {
      String(decoding: $0.json(from: device), as: UTF8.self)
    }
  }

  @Test("A position has whole metres, km/h and degrees, the fix's time and the message's")
  func location() {
    #expect(
      Self.texts(Samples.delivery()) == [
        #"{"_type":"location","lat":48.5,"lon":11.25,"tst":1795391999,"created_at":1795392002,"#
          + #""acc":5,"alt":512,"vac":8,"vel":45,"cog":0,"m":1,"tid":"an","_id":"3-7"}"#
      ])
    #expect(
      Self.texts(Samples.delivery(1, .continuous, received: Samples.moment)) == [
        #"{"_type":"location","lat":48.5,"lon":11.25,"tst":1795391999,"#
          + #""acc":5,"alt":512,"vac":8,"vel":45,"cog":0,"t":"t","m":2,"tid":"an","_id":"3-1"}"#
      ])
  }

  @Test("What the other side asked for says so (t r), and nothing of how often positions come")
  func request() {
    for service in [Service.standard, .continuous] {
      #expect(
        Self.texts(Samples.delivery(1, service, received: Samples.moment, occasion: .request)) == [
          #"{"_type":"location","lat":48.5,"lon":11.25,"tst":1795391999,"#
            + #""acc":5,"alt":512,"vac":8,"vel":45,"cog":0,"t":"r","tid":"an","_id":"3-1"}"#
        ])
    }
  }

  @Test("What is unknown is left out, and an accuracy below half a metre is 1, not 0")
  func unknown() {
    let place = Coordinate(clampingLatitude: -0.0000004, wrappingLongitude: -179.9999996)
    let fix = Fix(time: nil, coordinate: place, horizontalAccuracy: 0.2)
    #expect(
      Self.texts(Samples.delivery(2, .standard, fix: fix)) == [
        #"{"_type":"location","lat":0,"lon":-180,"tst":1795392002,"#
          + #""acc":1,"m":2,"tid":"an","_id":"3-2"}"#
      ])
    let bare = Samples.delivery(fix: Fix(time: Samples.moment, coordinate: place))
    let said = OwnTracksMessage.messages(for: bare, fallbackAccuracy: 50)[0]
    #expect(String(decoding: said.json(from: Self.device), as: UTF8.self).contains(#""acc":50,"#))
    #expect(!Self.texts(bare)[0].contains("acc"))
  }

  @Test("Trap 3: a transition has its region's name and its event, and a position behind it")
  func transition() {
    let texts = Self.texts(Samples.delivery(event: .exited("Work \"1\"")))
    #expect(
      texts == [
        #"{"_type":"transition","event":"leave","desc":"Work \"1\"","lat":48.5,"lon":11.25,"#
          + #""tst":1795391999,"wtst":25712245,"acc":5,"t":"c","tid":"an","_id":"3-7"}"#,
        #"{"_type":"location","lat":48.5,"lon":11.25,"tst":1795391999,"created_at":1795392002,"#
          + #""acc":5,"alt":512,"vac":8,"vel":45,"cog":0,"t":"c","m":1,"tid":"an","_id":"3-7"}"#,
      ])
    let entered = Samples.delivery(event: .entered("home"))
    #expect(
      Self.texts(entered)[0].hasPrefix(#"{"_type":"transition","event":"enter","desc":"home""#))
    #expect(OwnTracksMessage.messages(for: entered).map(\.topicEnding) == ["/event", ""])
    #expect(OwnTracksMessage.messages(for: entered, tellsTransitions: false).count == 1)
  }

  @Test(
    "A stay's begin is its place then, twice since, and now; its end its place then and the position elsewhere"
  )
  func visit() {
    let arrival = Samples.moment.advanced(bySeconds: -900)
    let place = Coordinate(clampingLatitude: 48.51, wrappingLongitude: 11.26)
    var visit = Visit(
      coordinate: place, horizontalAccuracy: 31, arrival: arrival, departure: nil)
    #expect(
      Self.texts(Samples.delivery(event: .arrived(visit))) == [
        #"{"_type":"location","lat":48.51,"lon":11.26,"tst":1795391099,"created_at":1795392002,"#
          + #""acc":31,"t":"v","m":1,"tid":"an","_id":"3-7"}"#,
        #"{"_type":"location","lat":48.51,"lon":11.26,"tst":1795391399,"created_at":1795392002,"#
          + #""acc":31,"t":"v","m":1,"tid":"an","_id":"3-7-2"}"#,
        #"{"_type":"location","lat":48.51,"lon":11.26,"tst":1795391699,"created_at":1795392002,"#
          + #""acc":31,"t":"v","m":1,"tid":"an","_id":"3-7-3"}"#,
        #"{"_type":"location","lat":48.51,"lon":11.26,"tst":1795391999,"created_at":1795392002,"#
          + #""acc":31,"t":"v","m":1,"tid":"an","_id":"3-7-4"}"#,
      ])
    // Three of four that last less than 60 s are no stop to a server: nothing is between.
    visit.arrival = Samples.moment.advanced(bySeconds: -89)
    #expect(Self.texts(Samples.delivery(event: .arrived(visit))).count == 2)
    visit.departure = Samples.moment
    // A second before the position that shows it, which was elsewhere.
    #expect(
      Self.texts(Samples.delivery(event: .departed(visit))) == [
        #"{"_type":"location","lat":48.51,"lon":11.26,"tst":1795391998,"created_at":1795392002,"#
          + #""acc":31,"t":"v","m":1,"tid":"an","_id":"3-7"}"#,
        #"{"_type":"location","lat":48.5,"lon":11.25,"tst":1795391999,"created_at":1795392002,"#
          + #""acc":5,"alt":512,"vac":8,"vel":45,"cog":0,"m":1,"tid":"an","_id":"3-7-2"}"#,
      ])
  }

  /// Members: owntracks.org/booklet/tech/json. The keys are FNV-1a of the names, 32 bits, modulo a year in seconds,
  /// computed by a separate program in Python (the hash of "a" is e40c292c: isthe.com/chongo/tech/comp/fnv).
  @Test(
    "Regions are told as waypoints: a name, a place, whole metres, and a key that transitions bear too"
  )
  func waypoints() {
    let message = OwnTracksMessage.waypoints([
      MonitoredRegion(
        "home", centre: Coordinate(clampingLatitude: 48.1234567, wrappingLongitude: -11.5),
        radius: 99.6),
      MonitoredRegion(
        "Work", centre: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), radius: 1),
    ])
    #expect(
      String(decoding: message.json(from: Self.device), as: UTF8.self)
        == #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"home","lat":48.123457,"#
        + #""lon":-11.5,"rad":100,"tst":4340366},{"_type":"waypoint","desc":"Work","lat":0,"lon":0,"#
        + #""rad":1,"tst":28952704}]}"#)
    #expect(message.topicEnding == "/waypoints")
    #expect(
      Self.texts(Samples.delivery(event: .entered("home")))[0].contains(#""wtst":4340366,"#))
  }

  @Test("A last will and a status have their types, and over HTTP the topic stands within")
  func others() {
    let will = OwnTracksMessage.lastWill(since: Samples.moment).json(from: Self.device)
    #expect(String(decoding: will, as: UTF8.self) == #"{"_type":"lwt","tst":1795391999}"#)
    let status = OwnTracksMessage.status(.init(waiting: 4, time: Samples.moment)).json(
      from: Self.device, topic: "owntracks/jane/van/status")
    #expect(
      String(decoding: status, as: UTF8.self)
        == #"{"_type":"status","milepost":{"version":"\#(Release.version)","tst":1795391999,"waiting":4},"#
        + #""topic":"owntracks/jane/van/status"}"#)
  }

  // Made by PyNaCl 1.6.2: SecretBox(b"correct horse" + 19 zero bytes).encrypt(message, bytes(range(24))).
  private static let message = #"{"_type":"cmd","action":"reportLocation"}"#
  private static let sealed =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXpqy3W/9Rd7vBX+4w1RAqdKwP6tI472fOl80wVMNI0LjZB6c5XPpZyfnaMwmbNbc3dbmCwMy6qHLC"

  @Test("A message is sealed as another implementation seals it, and opened with the key only")
  func encryption() throws {
    let key = try #require(OwnTracksKey(passphrase: "correct horse"))
    let plain = Array(Self.message.utf8)
    let sealed = String(decoding: key.sealed(plain, nonce: Array(0..<24)), as: UTF8.self)
    #expect(sealed == #"{"_type":"encrypted","data":"\#(Self.sealed)"}"#)
    #expect(key.openMessage(Self.sealed) == plain)
    #expect(OwnTracksKey(passphrase: "correct hors")?.openMessage(Self.sealed) == nil)
    #expect(key.openMessage(Self.sealed.replacing("pqy3", with: "pqy4")) == nil)
    #expect(key.openMessage("AAEC") == nil && key.openMessage("?") == nil)
    #expect(key.sealed(plain) != key.sealed(plain))
    #expect(OwnTracksKey(passphrase: "") == nil)
    #expect(OwnTracksKey(passphrase: String(repeating: "x", count: 32)) != nil)
    #expect(OwnTracksKey(passphrase: String(repeating: "x", count: 33)) == nil)
  }

  @Test(
    "Of an answer only the commands that make sense here are heard, encrypted ones with the key")
  func commands() throws {
    func heard(_ text: String, key: OwnTracksKey? = nil) -> [OwnTracksCommand] {
      OwnTracksAnswer.requests(in: Array(text.utf8), key: key)
    }
    #expect(heard("") == [] && heard("[]") == [] && heard("<html>") == [] && heard("7") == [])
    #expect(heard(Self.message) == [.reportLocation])
    #expect(
      heard(
        #"[{"_type":"location","lat":1,"lon":2},{"_type":"cmd","action":"status"},"#
          + #"{"_type":"cmd","action":"setWaypoints"},{"_type":"cmd"},3]"#) == [.status])
    let encrypted = #"{"_type":"encrypted","data":"\#(Self.sealed)"}"#
    #expect(heard(encrypted) == [])
    #expect(heard(encrypted, key: OwnTracksKey(passphrase: "correct horse")) == [.reportLocation])
  }

  /// Both forms of the list, and the removal of a region: owntracks.org/booklet/tech/json, `_type=cmd`, notes.
  @Test(
    "Waypoints that are set merge by name; what is no degree ends one, a beacon is nobody's here")
  func setWaypoints() {
    func heard(_ text: String) -> [OwnTracksCommand] {
      OwnTracksAnswer.requests(in: Array(text.utf8))
    }
    let work = RegionChange.monitor(
      MonitoredRegion(
        "Work", centre: Coordinate(clampingLatitude: 48.5, wrappingLongitude: 11.25), radius: 150))
    let one = #"{"_type":"waypoint","desc":"Work","lat":48.5,"lon":11.25,"rad":150,"tst":7}"#
    let start = #"{"_type":"cmd","action":"setWaypoints","waypoints":"#
    #expect(
      heard(start + #"{"_type":"waypoints","waypoints":["# + one + "]}}")
        == [.changeRegions([work])])
    #expect(heard(start + "[" + one + "]}") == [.changeRegions([work])])
    #expect(
      heard(
        start + #"[{"desc":"a","lat":-1000000,"lon":0,"rad":5},{"desc":"b","lat":"foo","lon":0},"#
          + #"{"desc":"c","lat":1,"lon":1},{"desc":"d","lat":1,"lon":1,"rad":0},"#
          + #"{"desc":"e","lat":1,"lon":1,"rad":9,"uuid":"F"},{"lat":1,"lon":1,"rad":9},7]}"#)
        == [.changeRegions([.stop("a"), .stop("b")])])
    #expect(heard(start + "[]}") == [] && heard(start + "7}") == [])
    #expect(heard(#"{"_type":"cmd","action":"waypoints"}"#) == [.waypoints])
    #expect(
      heard(#"{"_type":"cmd","action":"clearWaypoints"}"#) == [.changeRegions([.stopAll])])
    let many = Array(repeating: one, count: 1_000).joined(separator: ",")
    #expect(
      heard(start + "[" + many + "]}") == [.changeRegions(Array(repeating: work, count: 64))])
  }
}
