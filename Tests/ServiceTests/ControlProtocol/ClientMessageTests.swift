// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import ControlProtocol

@Suite("What a client says")
struct ClientMessageTests {
  /// All messages in `text`, errors as their words.
  static func read(_ text: String, limit: Int = 65_536) -> [String] {
    read(Array(text.utf8), limit: limit)
  }

  static func read(_ bytes: [UInt8], limit: Int = 65_536, chunk: Int = .max) -> [String] {
    var reader = ClientMessageReader(limit: limit)
    var results: [String] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, chunk == .max ? bytes.count : start + chunk)
      reader.append(Array(bytes[start..<end]).span)
      start = end
      while let next = reader.next() {
        switch next.message {
        case .success(let message):
          results.append(String(decoding: message.encode(), as: UTF8.self))
        case .failure(let error): results.append("\(error.code.rawValue): \(error.message)")
        }
      }
    }
    return results
  }

  /// Each message, and the line that the protocol's page states for it.
  static let messages: [(ClientMessage, String)] = {
    var request = StandardRequest()
    request.desiredAccuracy = 3_000
    request.distanceFilter = 1_609.344
    request.pausesAutomatically = true
    request.allowsBackgroundUpdates = false
    return PlaceMessageTests.client + [
      (.hello(.init(app: "walker")), #"?HELLO={"app":"walker"};"#),
      (.hello(.init(app: "walker")), #"?HELLO={"app":"walker"};"#),
      (
        .start(.init(.standard, request)),
        #"?START={"service":"standard","desired_accuracy_m":3000,"distance_filter_m":1609.344,"#
          + #""pauses_automatically":true,"allows_background_updates":false};"#
      ),
      (.start(.init(.significant)), #"?START={"service":"significant"};"#),
      (.stop(.standard), #"?STOP={"service":"standard"};"#),
      (.requestLocation(), "?REQUEST;"),
      (.requestLocation(accuracy: 1_000), #"?REQUEST={"desired_accuracy_m":1000};"#),
      (.monitorMotion(true), #"?MOTION={"enable":true};"#),
      (.requestAuthorization(.whenInUse), #"?AUTHORIZE={"authorization":"when_in_use"};"#),
      (.acknowledge(12), #"?ACK={"sequence":12};"#),
      (.done, "?DONE;"),
      (.version, "?VERSION;"),
      (.devices, "?DEVICES;"),
      (.watch(isOn: true), #"?WATCH={"enable":true,"json":true};"#),
      (.poll, "?POLL;"),
      (.status, "?STATUS;"),
      (.apps, "?APPS;"),
      (.user(.app("walker")), #"?APP={"app":"walker"};"#),
      (
        // "hi\n" in base64, by base64(1).
        .add(.init(file: "w.yaml", directory: "/srv", bytes: [0x68, 0x69, 0x0A])),
        #"?ADD={"file":"w.yaml","directory":"/srv","manifest_base64":"aGkK"};"#
      ),
      (
        .add(
          .init(
            file: "Info.plist", directory: "/srv", bytes: [0x68, 0x69, 0x0A],
            command: ["./walker", "a b"])),
        #"?ADD={"file":"Info.plist","directory":"/srv","manifest_base64":"aGkK","command":["./walker","a b"]};"#
      ),
      (
        .update(.init(file: "w.yaml", directory: "/srv", bytes: [0x68, 0x69, 0x0A])),
        #"?UPDATE={"file":"w.yaml","directory":"/srv","manifest_base64":"aGkK"};"#
      ),
      (.sinks, "?SINKS;"), (.trySink("van"), #"?SINK_TRIAL={"app":"van"};"#),
      (.remove("walker"), #"?REMOVE={"app":"walker"};"#),
      (.authorize("walker", .always), #"?SET={"app":"walker","authorization":"always"};"#),
      (
        .authorize("walker", .always, .reduced),
        #"?SET={"app":"walker","authorization":"always","accuracy":"reduced"};"#
      ),
      (
        .forget(
          Forgetting(
            before: UTCInstant(microseconds: 1_700_000_000_000_000),
            within: .init(latitude: 52.5, longitude: -13.25, radius: 500), app: "walker",
            isTrial: true)),
        #"?FORGET={"before":"2023-11-14T22:13:20.000Z","within":{"latitude":52.5,"longitude":-13.25,"radius_m":500},"app":"walker","trial":true};"#
      ),
      (.control("walker", .launch), #"?CONTROL={"app":"walker","action":"launch"};"#),
      (.log("", count: 20), #"?LOG={"app":"","count":20};"#),
      (.log("walker", count: 20), #"?LOG={"app":"walker","count":20};"#),
      (.explain("walker"), #"?EXPLAIN={"app":"walker"};"#), (.overview, "?OVERVIEW;"),
      (
        .history(
          from: UTCInstant(microseconds: 0), to: UTCInstant(microseconds: 86_400_000_000),
          count: 500),
        #"?HISTORY={"from":"1970-01-01T00:00:00.000Z","to":"1970-01-02T00:00:00.000Z","count":500};"#
      ),
      (.reload, "?RELOAD;"),
      (.events("moved"), "?EVENTS={\"app\":\"moved\"};"),
      (.resend("moved", 12), "?RESEND={\"app\":\"moved\",\"sequence\":12};"),
      (.resend("moved", nil), "?RESEND={\"app\":\"moved\"};"),
      (.discard("moved", 12), "?DISCARD={\"app\":\"moved\",\"sequence\":12};"),
    ] + background
  }()

  private static let background: [(ClientMessage, String)] = {
    // Berlin leaves summer time on 2026-10-25 at 01:00 UTC.
    let offsets = [
      CivilZone.Offset(from: UTCInstant(microseconds: 1_774_746_000_000_000), seconds: 7_200),
      CivilZone.Offset(from: UTCInstant(microseconds: 1_792_890_000_000_000), seconds: 3_600),
    ]
    var notification = LocalNotification(
      "stretch", fire: UTCInstant(microseconds: 1_777_878_489_000_000))
    notification.zone = CivilZone(name: "Europe/Berlin", offsets: offsets)
    notification.repeats = .day
    notification.body = "Stand up"
    notification.badge = 1
    notification.sound = "bell"
    return [
      (.beginTask(id: 7, name: "upload"), #"?BEGIN_TASK={"task":7,"name":"upload"};"#),
      (.beginTask(id: 8, name: ""), #"?BEGIN_TASK={"task":8};"#),
      (.endTask(7), #"?END_TASK={"task":7};"#),
      (.timeRemaining, "?TIME_REMAINING;"),
      (.setFetchInterval(3_600), #"?FETCH={"interval_s":3600};"#),
      (.setFetchInterval(nil), #"?FETCH={"interval_s":null};"#),
      (.setKeepAlive(600), #"?KEEP_ALIVE={"interval_s":600};"#),
      (.setKeepAlive(nil), #"?KEEP_ALIVE={"interval_s":null};"#),
      (.watchSocket(true), #"?SOCKET={"enable":true};"#),
      (.audio(false), #"?AUDIO={"enable":false};"#),
      (.returned(.fetch, .newData), #"?RETURN={"reason":"fetch","result":"new_data"};"#),
      (.returned(.keepAlive, nil), #"?RETURN={"reason":"keep_alive"};"#),
      (.schedule(LocalNotification("now")), #"?NOTIFY={"identifier":"now"};"#),
      (
        .schedule(notification),
        #"?NOTIFY={"identifier":"stretch","fire":"2026-05-04T07:08:09.000Z","zone":{"name":"#
          + #""Europe/Berlin","offsets":[{"from":"2026-03-29T01:00:00.000Z","offset_s":7200},"#
          + #"{"from":"2026-10-25T01:00:00.000Z","offset_s":3600}]},"repeats":"day","#
          + #""body":"Stand up","badge":1,"sound":"bell"};"#
      ),
      (.cancelNotification("stretch"), #"?CANCEL={"identifier":"stretch"};"#),
      (.cancelNotification(nil), #"?CANCEL={"identifier":null};"#),
      (.notifications, "?NOTIFICATIONS;"),
      (.event("walker", .push), #"?EVENT={"app":"walker","reason":"push"};"#),
      (.device(.lowPower(true)), #"?DEVICE={"event":"low_power","enable":true};"#),
      (
        .device(.backgroundRefresh(false)),
        #"?DEVICE={"event":"background_refresh","enable":false};"#
      ),
      (.device(.networkChanged), #"?DEVICE={"event":"network_changed"};"#),
      (
        .device(.memoryNeeded(megabytes: 300)),
        #"?DEVICE={"event":"memory_needed","megabytes":300};"#
      ),
      (.device(.rebooted(isLocked: true)), #"?DEVICE={"event":"rebooted","enable":true};"#),
      (.device(.unlocked), #"?DEVICE={"event":"unlocked"};"#),
    ]
  }()

  @Test("Each message is written as its page says, and read back", arguments: messages.indices)
  func roundTrip(index: Int) throws {
    let (message, line) = Self.messages[index]
    #expect(String(decoding: message.encode(), as: UTF8.self) == line + "\n")
    var reader = ClientMessageReader()
    reader.append(message.encode().span)
    #expect(try reader.next()?.message.get() == message)
    #expect(reader.next() == nil)
    #expect(reader.held <= 1)
  }

  @Test("No message is left out of these")
  func complete() {
    #expect(Set(ClientMessage.forms.map(\.word)).subtracting(Self.messages.map(\.0.name)) == [])
  }

  @Test("Every split of the bytes gives the same messages", arguments: 1...7)
  func splits(chunk: Int) {
    let text =
      Self.messages.map { $0.1 }.joined()
      + "oops {\"a\":\"\\\"};\"}\n;;?DONE;\n?START={}\n?POLL\r\n"
    #expect(Self.read(Array(text.utf8), chunk: chunk) == Self.read(text))
    #expect(Self.read(text).count == Self.messages.count + 4)
  }

  @Test(
    "An acknowledgement in its usual spelling says the same as one with a space, which is read like any other message",
    arguments: [
      "0", "1", "12", "007", "-1", "1.5", "1e3", "x", "999999999999999", "1000000000000000",
      "9007199254740993", "18446744073709551615", "18446744073709551616",
    ])
  func acknowledgement(number: String) {
    let usual = #"?ACK={"sequence":\#(number)};?ACK={"sequence":\#(number)}?DONE;"#
    let spaced = #"?ACK={"sequence":\#(number) };?ACK={"sequence":\#(number) }?DONE;"#
    #expect(Self.read(usual) == Self.read(spaced))
    for chunk in 1...usual.utf8.count {
      #expect(Self.read(Array(usual.utf8), chunk: chunk) == Self.read(usual))
    }
  }

  @Test("gpsd's tolerance: several on a line, an object without a semicolon, surplus semicolons")
  func tolerance() {
    let watch = "?WATCH={\"enable\":true,\"json\":true};\n"
    #expect(
      Self.read("?VERSION;?DEVICES; ?WATCH={\"enable\":true,\"json\":true}?POLL\r\n;;\n ?DONE;")
        == [
          "?VERSION;\n", "?DEVICES;\n", watch, "?POLL;\n", "?DONE;\n",
        ])
    #expect(Self.read("?DONE").isEmpty, "without an end it may go on")
  }

  @Test(
    "WATCH takes all that gpsd's has, and without an object reports what holds",
    arguments: [
      (#"?WATCH={"enable":true,"json":true};"#, true), (#"?WATCH={"enable":false};"#, false),
      (#"?WATCH={};"#, true), (#"?WATCH={"class":"WATCH","scaled":true,"pps":true};"#, true),
      (#"?WATCH={"enable":false,"nmea":true};"#, false), ("?WATCH;", false),
      (#"?WATCH={"json":true};?WATCH;"#, true),
    ])
  func watch(text: String, isOn: Bool) {
    #expect(Self.read(text).last == "?WATCH={\"enable\":\(isOn),\"json\":true};\n")
  }

  @Test(
    "Who asks for NMEA, or for what the receiver says, gets sentences; JSON too where it is asked for",
    arguments: [
      (#"?WATCH={"nmea":true};"#, false), (#"?WATCH={"enable":true,"raw":1};"#, false),
      (#"?WATCH={"nmea":true,"json":true};"#, true),
    ])
  func sentences(text: String, json: Bool) {
    #expect(
      Self.read(text).last == "?WATCH={\"enable\":true,\"json\":\(json),\"nmea\":true};\n")
  }

  @Test("gpsd's question for its devices is one for ours; a user's message of that name stays")
  func device() {
    #expect(Self.read("?DEVICE;") == ["?DEVICES;\n"])
  }

  @Test(
    "An error says what, where, which value and what was expected; the next line is read",
    arguments: [
      ("hello", "'hello' is no message; one is ?NAME; or ?NAME={...}; as in ?VERSION;"),
      (
        "?FLY;",
        "there is no message ?FLY; there are HELLO, START, STOP, REQUEST, MOTION, AUTHORIZE, ACK, DONE, "
          + "VERSION, DEVICES, WATCH, POLL, STATUS, APPS, APP, ADD, UPDATE, REMOVE, SET, FORGET, CONTROL, LOG, EXPLAIN, "
          + "OVERVIEW, HISTORY, RELOAD, SINKS, SINK_TRIAL, EVENTS, RESEND, DISCARD, REGION, STOP_REGION, REGION_STATE, VISITS, HEADING, DEFER, BEGIN_TASK, "
          + "END_TASK, TIME_REMAINING, FETCH, KEEP_ALIVE, SOCKET, AUDIO, RETURN, NOTIFY, CANCEL, NOTIFICATIONS, EVENT, DEVICE"
      ),
      (
        #"?HELLO={"app" "walker"};"#,
        "?HELLO is followed by what is no JSON object: ':' was expected at byte 15"
      ),
      ("?HELLO;", "?HELLO needs the member 'app'"),
      (#"?HELLO={"app":7};"#, "?HELLO: app is 7, not a string"),
      (
        #"?HELLO={"app":".x"};"#,
        "?HELLO: app is \".x\", not a name: 1 to 64 of a-z, A-Z, 0-9, '.', '_' and '-', not beginning with '.'"
      ),
      ("?HELLO=[];", "?HELLO is an array, not an object"),
      (
        #"?STOP={"service":"walking"};"#,
        "?STOP: service is \"walking\", not one of standard, significant, continuous"
      ),
      (#"?STOP={"servce":"standard"};"#, "?STOP has no member 'servce'; it has service"),
      (#"?DONE={"x":1};"#, "?DONE has no member 'x'; it has none"),
      (
        #"?START={"service":"standard","distance_filter_m":-1};"#,
        "?START: distance_filter_m is -1, not a number of 0 or more"
      ),
      (
        #"?START={"service":"standard","desired_accuracy_m":"best"};"#,
        "?START: desired_accuracy_m is \"best\", not a number of -2 or more"
      ),
      (
        #"?START={"service":"significant","distance_filter_m":5};"#,
        "?START: distance_filter_m counts for standard and continuous updates only, and service is "
          + "\"significant\""
      ),
      (
        #"?START={"service":"standard","pauses_automatically":1};"#,
        "?START: pauses_automatically is 1, not true or false"
      ),
      (
        #"?ACK={"sequence":1.5};"#,
        "?ACK: sequence is 1.5, not a whole number from 0 to 9007199254740991"
      ),
      (
        #"?LOG={"app":"w","count":0};"#, "?LOG: count is 0, not a whole number from 1 to 1000"
      ),
      (
        #"?AUTHORIZE={"authorization":"denied"};"#,
        "?AUTHORIZE: authorization is \"denied\", not one of when_in_use, always"
      ),
      (
        #"?CONTROL={"app":"w","action":"hug"};"#,
        "?CONTROL: action is \"hug\", not one of launch, foreground, background, interrupt, resume, "
          + "terminate, quit, purge, "
          + "release"
      ),
      (
        #"?ADD={"file":"a/b","directory":"/","manifest_base64":""};"#,
        "?ADD: file is \"a/b\", not a file's name without its directory"
      ),
      (
        #"?ADD={"file":"b","directory":"a","manifest_base64":""};"#,
        "?ADD: directory is \"a\", not a path that begins with /"
      ),
      (
        #"?ADD={"file":"b","directory":"/","manifest_base64":"a"};"#,
        "?ADD: manifest_base64 is \"a\", not base64 (RFC 4648)"
      ),
    ])
  func errors(text: String, message: String) {
    #expect(Self.read(text + "\n?DONE;\n") == ["malformed: " + message, "?DONE;\n"])
  }

  @Test("A message that is too long is one error, and its line is dropped")
  func tooLong() {
    let long = "?HELLO={\"app\":\"" + String(repeating: "a", count: 100) + "\"};?DONE;\n?POLL;\n"
    let error =
      "too_long: the message that begins with '?HELLO={\"app\":\"aaaaaaaaaaaaaaaaaaaaaaaaa…' is longer "
      + "than 50 bytes; the rest of the line was dropped"
    #expect(Self.read(long, limit: 50) == [error, "?POLL;\n"])
    #expect(Self.read(Array(long.utf8), limit: 50, chunk: 3) == [error, "?POLL;\n"])
  }

  @Test("The bound is that of the message: one of exactly so many bytes is read, in each form")
  func exactlyTooLong() {
    for text in ["?STOP={\"service\":\"standard\"}", "?TIME_REMAINING", "?VERSION={  }"] {
      let count = text.utf8.count
      for ending in ["\n", ";\n", ";?POLL;\n"] {
        let read = Self.read(text + ending, limit: count)
        #expect(!read.contains { $0.hasPrefix("too_long") }, "\(text)")
        let refused = Self.read(text + ending, limit: count - 1)
        #expect(refused.count == 1 && refused[0].hasPrefix("too_long: "), "\(text): \(refused)")
      }
    }
  }

  @Test("Foreign text in an error is short and without control characters")
  func quoting() {
    let text = "\u{1B}[2J" + String(repeating: "é", count: 100) + "\n"
    #expect(
      Self.read(text) == [
        "malformed: '\u{FFFD}[2J" + String(repeating: "é", count: 36)
          + "…' is no message; one is ?NAME; or ?NAME={...}; as in ?VERSION;"
      ])
  }

  @Test("No bytes crash the reader, and it holds no more than its bound", arguments: 1...20)
  func noise(seed: UInt64) {
    var noise = SplitMix64(seed: seed)
    var reader = ClientMessageReader(limit: 200)
    let samples = Self.messages.map { Array($0.1.utf8) }
    for _ in 0..<500 {
      // A true message with some bytes changed, or plain noise.
      var bytes = samples[noise.below(samples.count)]
      for _ in 0..<noise.below(4) { bytes[noise.below(bytes.count)] = noise.byte() }
      if noise.below(4) == 0 { bytes = (0..<noise.below(300)).map { _ in noise.byte() } }
      reader.append(bytes.span)
      while reader.next() != nil {}
      #expect(reader.held <= 201)
    }
    reader.append([0x0A].span)
    while reader.next() != nil {}
    reader.append(Array("?DONE;".utf8).span)
    #expect(try! reader.next()?.message.get() == .done)
  }
}

extension SplitMix64 {
  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
}
