// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Glibc
import JSONText
import LocationModel
import ServiceContract
import Synchronization
import Testing

@testable import Sinks

@Suite("OwnTracks over MQTT", .enabled(if: RealBroker.isThere, RealBroker.missing))
struct OwnTracksMQTTTests {
  private static func sink(
    _ broker: RealBroker, _ more: [(String, JSONValue)] = []
  ) throws -> any Sink {
    try TestSinks.sink(
      "owntracks",
      [
        ("url", .string("mqtt://127.0.0.1:\(broker.port)")), ("user", "ann"), ("device", "van"),
      ] + more, directory: broker.folder)
  }

  /// Topics, qualities and retained flags: owntracks/android, DefaultsProvider.kt and Preferences.kt; members:
  /// owntracks.org/booklet/tech/json.
  @Test("A position is retained under its topic, a crossing is an event beside it, in order")
  func messages() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("owntracks/#")
    let sink = try Self.sink(broker)
    let receipt = try await sink.send([
      TestSinks.delivery(1), TestSinks.delivery(2, after: 60, event: .entered("Home")),
    ])
    #expect((receipt.traffic?.up ?? 0) > 300 && receipt.notes.isEmpty)
    let heard = try ear.take(3)
    #expect(
      heard.map { $0.prefix { $0 != "{" } } == [
        "owntracks/ann/van 1 0 ", "owntracks/ann/van/event 1 0 ", "owntracks/ann/van 1 0 ",
      ])
    let bodies = try heard.map { try TestSinks.json($0.drop { $0 != "{" }) }
    #expect(bodies[0]["_type"] as? String == "location" && bodies[0]["tid"] as? String == "an")
    #expect(bodies[0]["lat"] as? Double == 48.5 && bodies[0]["lon"] as? Double == 11.25)
    #expect(bodies[0]["acc"] as? Int == 12 && bodies[0]["m"] as? Int == 1)
    #expect(bodies[0]["tst"] as? Int == Int(TestSinks.noon))
    #expect(
      bodies[1]["_type"] as? String == "transition" && bodies[1]["event"] as? String == "enter")
    #expect(bodies[2]["t"] as? String == "c")
    let kept = try broker.retained("owntracks/#")
    #expect(kept.count == 1 && kept[0].contains("\"tst\":\(TestSinks.noon + 60)"))
  }

  @Test("Trap 3: a transition always bears the name and the kind of what happened, as texts")
  func transition() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("owntracks/+/+/event")
    _ = try await Self.sink(broker).send([TestSinks.delivery(1, event: .exited(""))])
    let body = try TestSinks.json(ear.take(1)[0].drop { $0 != "{" })
    #expect(body["desc"] is String && body["event"] as? String == "leave")
  }

  @Test("A batch that comes again is the same to the octet, so that servers tell it from a new one")
  func again() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("owntracks/#")
    let sink = try Self.sink(broker)
    for _ in 0..<2 { _ = try await sink.send([TestSinks.delivery(7, event: .entered("a"))]) }
    let heard = try ear.takeAll()
    #expect(heard.count == 4 && heard[0] == heard[2] && heard[1] == heard[3])
  }

  @Test("A command is asked of us once, and the status is answered; a retained command is none")
  func commands() async throws {
    let broker = try RealBroker()
    let sink = try Self.sink(broker, [("commands", true)])
    let asked = Self.asked(of: sink)
    _ = try await sink.send([TestSinks.delivery(1)])
    let ear = try broker.subscriber("owntracks/ann/van/status")
    let cmd = "owntracks/ann/van/cmd"
    try broker.publish(cmd, #"{"_type":"cmd","action":"reportLocation"}"#)
    try broker.publish(cmd, #"{"_type":"cmd","action":"status"}"#)
    try broker.publish(cmd, #"{"_type":"cmd","action":"dump"}"#)
    _ = try await sink.send([TestSinks.delivery(2)])
    #expect(asked.requests == [.reportLocation])
    let status = try ear.take(1)
    #expect(status.first?.contains(#""_type":"status""#) == true)

    try broker.publish(cmd, #"{"_type":"cmd","action":"reportLocation"}"#, arguments: ["-r"])
    let fresh = try Self.sink(broker, [("commands", true), ("client_id", "another")])
    let askedAnew = Self.asked(of: fresh)
    _ = try await fresh.send([TestSinks.delivery(3)])
    #expect(askedAnew.requests.isEmpty)
    let deaf = try Self.sink(broker)
    let unasked = Self.asked(of: deaf)
    _ = try await deaf.send([TestSinks.delivery(4)])
    #expect(unasked.requests.isEmpty)
  }

  private static func asked(of sink: any Sink) -> Asked {
    let asked = Asked()
    (sink as? any ListeningSink)?.listen(asked.hear)
    return asked
  }

  @Test("What the other side asked for counts, whatever becomes of the batch, and after a trial")
  func askedOfAFailure() async throws {
    let broker = try RealBroker(
      ["allow_anonymous true", "acl_file FOLDER/acl"],
      files: ["acl": "topic write owntracks/ann/van/cmd\nuser ann\ntopic read #\n"])
    let sink = try Self.sink(broker, [("commands", true)])
    let asked = Self.asked(of: sink)
    _ = try await sink.probe()
    let cmd = "owntracks/ann/van/cmd"
    try broker.publish(cmd, #"{"_type":"cmd","action":"reportLocation"}"#)
    _ = try await sink.probe()
    try broker.publish(cmd, #"{"_type":"cmd","action":"clearWaypoints"}"#)
    await #expect(throws: SinkError.self) { _ = try await sink.send([TestSinks.delivery(1)]) }
    #expect(asked.requests == [.reportLocation, .changeRegions([.stopAll])])
  }

  private static func region(_ name: String) -> MonitoredRegion {
    MonitoredRegion(
      name, centre: Coordinate(clampingLatitude: 48.5, wrappingLongitude: 11.25), radius: 100)
  }

  @Test(
    "Regions go as waypoints behind the first batch and after a change, and when they are asked for"
  )
  func waypoints() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("owntracks/#")
    let sink = try Self.sink(broker, [("commands", true)])
    let told = try #require(sink as? any RegionSink)
    _ = try await sink.send([TestSinks.delivery(1)])
    told.monitors([Self.region("Home")])
    _ = try await sink.send([TestSinks.delivery(2)])
    _ = try await sink.send([TestSinks.delivery(3)])
    told.monitors([])
    _ = try await sink.send([TestSinks.delivery(4)])
    try broker.publish(
      "owntracks/ann/van/cmd",
      #"{"_type":"cmd","action":"setWaypoints","waypoints":"#
        + #"[{"desc":"Work","lat":48.5,"lon":11.25,"rad":100,"tst":1}]}"#)
    try broker.publish("owntracks/ann/van/cmd", #"{"_type":"cmd","action":"clearWaypoints"}"#)
    try broker.publish("owntracks/ann/van/cmd", #"{"_type":"cmd","action":"waypoints"}"#)
    told.monitors([Self.region("Work")])
    let asked = Self.asked(of: sink)
    _ = try await sink.send([TestSinks.delivery(5)])
    #expect(
      asked.requests == [
        .changeRegions([.monitor(Self.region("Work"))]), .changeRegions([.stopAll]),
      ])
    let heard = try ear.takeAll().filter { !$0.contains("/cmd ") }
    let topics = heard.map { String($0.prefix { $0 != " " }) }
    let (place, list) = ("owntracks/ann/van", "owntracks/ann/van/waypoints")
    #expect(Array(topics.prefix(6)) == [place, place, list, place, place, list])
    // The answer may come before or after the list that goes with the batch.
    #expect(topics.dropFirst(6).sorted() == [place, list, list])
    let lists = heard.filter { $0.contains("/waypoints ") }
    #expect(lists.allSatisfy { $0.hasPrefix("\(list) 0 0 {") }, "quality 0, not retained")
    let names = try lists.map { line in
      (try TestSinks.json(line.drop { $0 != "{" })["waypoints"] as? [[String: Any]] ?? []).map {
        $0["desc"] as? String
      }
    }
    #expect(names == [["Home"], [], ["Work"], ["Work"]])
    let deaf = try Self.sink(broker, [("client_id", "deaf")])
    let unasked = Self.asked(of: deaf)
    _ = try await deaf.send([TestSinks.delivery(6)])
    #expect(unasked.requests.isEmpty)
  }

  @Test("A broker that takes positions and no regions gets the positions")
  func waypointsDenied() async throws {
    let broker = try RealBroker(
      ["allow_anonymous true", "acl_file FOLDER/acl"],
      files: [
        "acl": "topic read #\ntopic write end/#\nuser ann\ntopic readwrite owntracks/ann/van\n"
      ])
    let sink = try Self.sink(broker)
    (sink as? any RegionSink)?.monitors([Self.region("Home")])
    for number in UInt64(1)...2 { _ = try await sink.send([TestSinks.delivery(number)]) }
    #expect(try broker.retained("owntracks/#").count == 1)
  }

  @Test("A held connection: the last will is never retained, so that the last position stays")
  func lastWill() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("owntracks/#")
    var sink: (any Sink)? = try Self.sink(broker, [("keep_connected", true)])
    _ = try await sink?.send([TestSinks.delivery(1)])
    let isOpen = !broker.log.split(separator: "\n").contains {
      $0.contains("Client milepost") && $0.hasSuffix("disconnected.")
    }
    #expect(isOpen && broker.log.contains("as milepost"))
    sink = nil
    // The broker learns of the connection's end, and sends the will, in its own time.
    for _ in 0..<1_000 where !broker.log.contains("closed its connection") { poll(nil, 0, 10) }
    let heard = try ear.takeAll()
    #expect(heard.count == 2)
    #expect(heard.last?.contains(#""_type":"lwt""#) == true, "\(heard)")
    let kept = try broker.retained("owntracks/#")
    #expect(kept.count == 1 && kept[0].contains(#""_type":"location""#))
  }

  @Test("A trial publishes nothing, and leaves no will that would be published")
  func trial() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("#")
    for isHeld in [false, true] {
      _ = try await Self.sink(broker, [("keep_connected", .bool(isHeld))]).probe()
    }
    try broker.publish("owntracks/end", "end")
    #expect(try ear.take(1) == ["owntracks/end 1 0 end"])
    let ends = broker.log.split(separator: "\n").filter { $0.contains("Client milepost") }
    #expect(ends.count == 2 && ends.allSatisfy { $0.hasSuffix("disconnected.") }, "\(ends)")
  }

  @Test("Encrypted, nothing of the position can be read")
  func encrypted() async throws {
    let broker = try RealBroker(files: ["key": "secret\n"])
    chmod(broker.folder + "/key", 0o600)
    let ear = try broker.subscriber("owntracks/#")
    _ = try await Self.sink(broker, [("key_file", "key")]).send([TestSinks.delivery(1)])
    let body = try TestSinks.json(ear.take(1)[0].drop { $0 != "{" })
    #expect(Set(body.keys) == ["_type", "data"] && body["_type"] as? String == "encrypted")
    let data = try #require(body["data"] as? String)
    let plain = try #require(OwnTracksKey(passphrase: "secret")?.openMessage(data))
    #expect(try TestSinks.json(Substring(decoding: plain, as: UTF8.self))["lat"] as? Double == 48.5)
  }

  @Test("What the broker refuses, and who is not there, is told word for word with what has passed")
  func refusals() async throws {
    let broker = try RealBroker(
      ["allow_anonymous true", "acl_file FOLDER/acl"],
      files: ["acl": "user ann\ntopic readwrite owntracks/ann/van\n"])
    let sink = try Self.sink(broker)
    let place = "mqtt://127.0.0.1:\(broker.port)"
    await #expect(
      throws: SinkError(
        "\(place): it does not take 'owntracks/ann/van/event': not authorized (0x87); look at user "
          + "and password_file, and at what the broker allows that user", .refused, passed: 1)
    ) {
      do {
        _ = try await sink.send([
          TestSinks.delivery(1), TestSinks.delivery(2, event: .entered("Home")),
        ])
      } catch var error as SinkError {
        #expect((error.traffic?.up ?? 0) > 100)
        error.traffic = nil
        throw error
      }
    }
    #expect(
      try await sink.probe()
        == "\(place) lets us in as ann with MQTT 5; whether it takes 'owntracks/ann/van' is seen with "
        + "the first position")
    broker.stop()
    await #expect(
      throws: SinkError(
        "\(place): it is not reached: Connection refused", .later(after: nil),
        traffic: SinkTraffic(up: 0, down: 0))
    ) { _ = try await sink.send([TestSinks.delivery(3)]) }
  }

  @Test("0x10: nobody listens is delivered, and said")
  func nobodyListens() async throws {
    let broker = try RealBroker()
    let receipt = try await Self.sink(broker).send([TestSinks.delivery(1)])
    #expect(
      receipt.notes == [
        "mqtt://127.0.0.1:\(broker.port): nobody listens to 'owntracks/ann/van' (0x10)"
      ])
  }

  @Test("A password from a file is used; one that is gone is said before anything is sent")
  func password() async throws {
    let broker = try RealBroker(
      ["allow_anonymous false", "password_file FOLDER/users"],
      files: ["users": "ann:right\n", "secret": "right\n"])
    // mosquitto_passwd(1) -U turns plain passwords of a file into hashes.
    broker.stop()
    try run("/usr/bin/mosquitto_passwd", ["-U", broker.folder + "/users"])
    try broker.start()
    chmod(broker.folder + "/secret", 0o600)
    let sink = try Self.sink(broker, [("password_file", "secret")])
    #expect(sink.fault() == nil)
    _ = try await sink.send([TestSinks.delivery(1)])
    try "wrong\n".write(
      toFile: broker.folder + "/secret", atomically: false, encoding: .utf8)
    let place = "mqtt://127.0.0.1:\(broker.port)"
    await #expect {
      _ = try await sink.send([TestSinks.delivery(2)])
    } throws: { error in
      // mosquitto 2.0.11 answers 0x87 to a wrong password, newer ones 0x86.
      guard let error = error as? SinkError else { return false }
      return error.fault == .refused && error.message.hasPrefix("\(place): we are not let in: ")
    }
    unlink(broker.folder + "/secret")
    #expect(
      sink.fault()
        == "password_file: there is no \(broker.folder)/secret; make it, with mode 0600, as the user "
        + "that the service runs as")
    await #expect {
      _ = try await sink.send([TestSinks.delivery(3)])
    } throws: { error in
      (error as? SinkError)?.message.hasPrefix(
        "\(place): it is not tried: password_file: there is no ")
        == true
    }
  }

  @Test("What is wrong with the table is told with what to do")
  func settings() {
    let good: [(String, JSONValue)] = [("url", "mqtt://h"), ("user", "ann"), ("device", "van")]
    #expect(TestSinks.problems("owntracks", good).isEmpty)
    #expect(
      TestSinks.problems(
        "owntracks",
        [
          ("url", "mqtt://h/x"), ("user", "ann"), ("device", "van"), ("keepalive_s", 30),
          ("proxy", "http://p:3128"), ("client_id", ""),
        ]) == [
          "m.yaml: sink.keepalive_s: without keep_connected = true, there is nothing to keep alive",
          "m.yaml: sink.url: has '/x' behind the host; a broker has no paths",
          "m.yaml: sink.proxy: MQTT goes through a proxy of socks5:// only",
          "m.yaml: sink.client_id: '' is not 1 to 65535 bytes of text",
        ])
  }

  /// FNV-1a, 64 bits: isthe.com/chongo/tech/comp/fnv; of "" the offset basis, cbf29ce484222325.
  @Test("The client's own id has 23 letters and digits, and is its own for each sink")
  func clientID() {
    let ids = [("h", "k", "t"), ("h", "k", "u"), ("i", "k", "t"), ("h", "l", "t")].map {
      MQTTAccess.clientID(host: $0.0, kind: $0.1, topic: $0.2)
    }
    #expect(
      Set(ids).count == 4 && ids.allSatisfy { $0.utf8.count == 23 && $0.hasPrefix("milepost") })
    #expect(ids.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber } })
  }
}
