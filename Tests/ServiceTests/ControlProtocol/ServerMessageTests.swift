// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import Testing

@testable import ControlProtocol

@Suite("What the daemon says")
struct ServerMessageTests {
  static let time = UTCInstant(microseconds: 1_777_878_489_500_000)  // date -u -d @1777878489.5
  static let fix = Fix(
    time: time, coordinate: Coordinate(clampingLatitude: 45.5231, wrappingLongitude: 13.5688),
    horizontalAccuracy: 4.5, altitude: 12.25, ellipsoidalHeight: 57.5, verticalAccuracy: 8,
    speed: 1.5, course: 271)
  /// From a receiver that reports the possible error of speed and course.
  static let exactFix: Fix = {
    var exact = fix
    (exact.speedAccuracy, exact.courseAccuracy) = (0.82, 21.5)
    return exact
  }()

  static let sky: Sky = {
    var sky = Sky()
    sky.hdop = 0.9
    var used = Sky.Satellite(number: 1, isUsed: true)
    (used.elevation, used.azimuth, used.signal) = (40, 83, 46)
    (used.system, used.systemNumber) = (0, 1)
    sky.satellites = [used, .init(number: 10, isUsed: false)]
    return sky
  }()

  static let messages: [(ServerMessage, String)] =
    PlaceMessageTests.server + background + [
      (
        .welcome(
          .init(
            release: "0.1.0", app: "walker", state: .background, authorization: .always,
            launchReason: .location, monitorsSignificantChanges: true, acknowledged: 12)),
        #"{"class":"WELCOME","release":"0.1.0","app":"walker","state":"background","#
          + #""authorization":"always","launch_reason":"location","#
          + #""monitors_significant_changes":true,"acknowledged":12}"#
      ),
      (
        .welcome(
          .init(
            release: "0.1.0", app: "walker", state: .active, authorization: .always,
            launchReason: nil, monitorsSignificantChanges: false, acknowledged: 0, location: fix)),
        #"{"class":"WELCOME","release":"0.1.0","app":"walker","state":"active","#
          + #""authorization":"always","launch_reason":null,"#
          + #""monitors_significant_changes":false,"acknowledged":0,"location":"#
          + #"{"time":"2026-05-04T07:08:09.500Z","latitude":45.5231,"longitude":13.5688,"#
          + #""accuracy_m":4.5,"altitude_m":12.25,"ellipsoidal_height_m":57.5,"#
          + #""vertical_accuracy_m":8,"speed_mps":1.5,"course_deg":271,"hdop":null,"#
          + #""satellites":null,"source":"gnss"}}"#
      ),
      (
        .location(
          Delivery(
            sequence: 13, service: .significant, fix: fix, isCached: false, moved: 612.5, since: nil
          ),
          received: time.advanced(bySeconds: 0.25)),
        #"{"class":"LOCATION","sequence":13,"service":"significant","#
          + #""received":"2026-05-04T07:08:09.750Z","cached":false,"moved_m":612.5,"since_s":null,"#
          + #""fix":{"time":"2026-05-04T07:08:09.500Z","latitude":45.5231,"longitude":13.5688,"#
          + #""accuracy_m":4.5,"altitude_m":12.25,"ellipsoidal_height_m":57.5,"#
          + #""vertical_accuracy_m":8,"speed_mps":1.5,"course_deg":271,"hdop":null,"#
          + #""satellites":null,"source":"gnss"}}"#
      ),
      (.state(.suspended), #"{"class":"STATE","state":"suspended"}"#),
      (.willTerminate(seconds: 5), #"{"class":"WILL_TERMINATE","remaining_s":5}"#),
      (.authorization(.whenInUse), #"{"class":"AUTHORIZATION","authorization":"when_in_use"}"#),
      (.accuracy(.reduced), #"{"class":"ACCURACY","accuracy":"reduced"}"#),
      (
        .welcome(
          .init(
            release: "0.1.0", app: "walker", state: .active, authorization: .always,
            launchReason: nil, monitorsSignificantChanges: false, acknowledged: 0,
            accuracy: .reduced)),
        #"{"class":"WELCOME","release":"0.1.0","app":"walker","state":"active","#
          + #""authorization":"always","launch_reason":null,"#
          + #""monitors_significant_changes":false,"acknowledged":0,"accuracy":"reduced"}"#
      ),
      (.paused, #"{"class":"PAUSED"}"#),
      (.motion, #"{"class":"MOTION"}"#),
      (.lost(count: 3), #"{"class":"LOST","count":3}"#),
      (.noFix("gpsd is gone"), #"{"class":"NO_FIX","reason":"gpsd is gone"}"#),
      (.requestFailed("none came"), #"{"class":"REQUEST_FAILED","reason":"none came"}"#),
      (
        .version(release: "0.1.0"),
        #"{"class":"VERSION","release":"0.1.0","rev":"milepost-0.1.0","proto_major":3,"#
          + #""proto_minor":14}"#
      ),
      (
        .version(release: "3.22", rev: "milepost-0.1.0"),
        #"{"class":"VERSION","release":"3.22","rev":"milepost-0.1.0","proto_major":3,"#
          + #""proto_minor":14}"#
      ),
      (
        .devices([.init(path: "/dev/ttyACM0", driver: nil)]),
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}"#
      ),
      (
        .watch(isOn: false),
        #"{"class":"WATCH","enable":false,"json":false,"nmea":false,"raw":0,"scaled":false,"#
          + #""timing":false,"split24":false,"pps":false}"#
      ),
      (
        .watchSentences(json: false),
        #"{"class":"WATCH","enable":true,"json":false,"nmea":true,"raw":0,"scaled":false,"#
          + #""timing":false,"split24":false,"pps":false}"#
      ),
      (
        .sky(sky, device: "/dev/ttyACM0"),
        #"{"class":"SKY","device":"/dev/ttyACM0","hdop":0.9,"nSat":2,"uSat":1,"satellites":["#
          + #"{"PRN":1,"el":40,"az":83,"ss":46,"used":true,"gnssid":0,"svid":1},{"PRN":10,"used":false}]}"#
      ),
      (
        .report(fix, device: "/dev/ttyACM0"),
        #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-05-04T07:08:09.500Z","#
          + #""lat":45.5231,"lon":13.5688,"altHAE":57.5,"altMSL":12.25,"alt":12.25,"eph":4.5,"#
          + #""epv":8,"track":271,"speed":1.5}"#
      ),
      (
        .report(exactFix, device: ""),
        #"{"class":"TPV","mode":3,"time":"2026-05-04T07:08:09.500Z","#
          + #""lat":45.5231,"lon":13.5688,"altHAE":57.5,"altMSL":12.25,"alt":12.25,"eph":4.5,"#
          + #""epv":8,"track":271,"speed":1.5,"epd":21.5,"eps":0.82}"#
      ),
      (
        .location(
          Delivery(
            sequence: 14, service: .standard, fix: exactFix, isCached: false, moved: nil, since: nil
          ),
          received: time.advanced(bySeconds: 0.25)),
        #"{"class":"LOCATION","sequence":14,"service":"standard","#
          + #""received":"2026-05-04T07:08:09.750Z","cached":false,"moved_m":null,"since_s":null,"#
          + #""fix":{"time":"2026-05-04T07:08:09.500Z","latitude":45.5231,"longitude":13.5688,"#
          + #""accuracy_m":4.5,"altitude_m":12.25,"ellipsoidal_height_m":57.5,"#
          + #""vertical_accuracy_m":8,"speed_mps":1.5,"course_deg":271,"hdop":null,"#
          + #""satellites":null,"source":"gnss","speed_accuracy_mps":0.82,"course_accuracy_deg":21.5}}"#
      ),
      (
        .poll(nil, device: "", at: time),
        #"{"class":"POLL","time":"2026-05-04T07:08:09.500Z","active":0,"#
          + #""tpv":[{"class":"TPV","mode":0}],"gst":[],"sky":[]}"#
      ),
      (.ok, #"{"class":"OK"}"#),
      (
        .warning(code: .storage, "not stored: the disk is full"),
        #"{"class":"WARNING","message":"not stored: the disk is full","code":"storage"}"#
      ),
      (
        .error(code: .unknownApp, "there is no app \"x\""),
        #"{"class":"ERROR","message":"there is no app \"x\"","code":"unknown_app"}"#
      ),
      (
        .document(json: #"{"class":"APPS","schema":"milepost.apps/1","apps":[]}"#),
        #"{"class":"APPS","schema":"milepost.apps/1","apps":[]}"#
      ),
    ]

  private static let background: [(ServerMessage, String)] = [
    (
      .wake(.keepAlive, seconds: 30),
      #"{"class":"WAKE","reason":"keep_alive","remaining_s":30}"#
    ),
    (.wake(.push, seconds: nil), #"{"class":"WAKE","reason":"push","remaining_s":null}"#),
    (
      .tasksExpire([7, 9], seconds: 5),
      #"{"class":"TASKS_EXPIRE","tasks":[7,9],"remaining_s":5}"#
    ),
    (.timeRemaining(nil), #"{"class":"TIME_REMAINING","remaining_s":null}"#),
    (.timeRemaining(17.5), #"{"class":"TIME_REMAINING","remaining_s":17.5}"#),
    (.audioStopped, #"{"class":"AUDIO_STOPPED"}"#),
    (.notification(LocalNotification("now")), #"{"class":"NOTIFICATION","identifier":"now"}"#),
    (
      .notifications([LocalNotification("now")]),
      #"{"class":"NOTIFICATIONS","notifications":[{"identifier":"now"}]}"#
    ),
  ]

  @Test("Distances and times since the last delivery are rounded to 0.1 m and 1 ms")
  func rounded() {
    let delivery = Delivery(
      sequence: 2, service: .significant, fix: Self.fix, isCached: false,
      moved: 2_544.5346918572423, since: 300.8451456)
    let text = String(
      decoding: ServerMessage.location(delivery, received: Self.time).encode(), as: UTF8.self)
    #expect(text.contains(#""moved_m":2544.5,"since_s":300.845,"#))
  }

  @Test("Each message is written as its page says, and read back", arguments: messages.indices)
  func roundTrip(index: Int) throws {
    let (message, line) = Self.messages[index]
    #expect(String(decoding: message.encode(), as: UTF8.self) == line + "\n")
    #expect(try ServerMessage.decode(message.encode().span) == message)
  }

  @Test("No message is left out of these")
  func complete() {
    let left = ServerMessage.forms.map(\.word).filter { word in
      !Self.messages.contains { $0.1.hasPrefix(#"{"class":"\#(word)""#) }
    }
    #expect(left == [])
  }

  @Test("Whatever was told before, each message is written as it is by itself")
  func oneAfterTheOther() {
    var dice = SplitMix64(seed: 18)
    var latest = LatestTexts()
    var locations = 0
    for _ in 0..<500 {
      let message = Self.messages[dice.below(Self.messages.count)].0
      // Twice: the second time the fix, if there is one, is that of the previous message.
      for _ in 0..<2 {
        #expect(message.encode(id: "7", after: &latest) == message.encode(id: "7"))
      }
      guard case .location(let delivery, let received) = message else { continue }
      locations += 1
      // To other apps under other numbers, of fewer and of more digits.
      for number in [7, 9_999_999] as [UInt64] {
        let other = ServerMessage.location(
          Delivery(
            sequence: number, service: delivery.service, fix: delivery.fix,
            isCached: delivery.isCached, moved: delivery.moved, since: delivery.since),
          received: received)
        #expect(other.encode(after: &latest) == other.encode())
      }
    }
    #expect(locations > 10)
  }

  @Test("A class of a newer daemon is passed over, and so is a member")
  func newer() throws {
    func decode(_ text: String) throws -> ServerMessage? {
      try ServerMessage.decode(Array(text.utf8).span)
    }
    #expect(try decode(#"{"class":"GST","satellites":[]}"#) == nil)
    #expect(try decode(#"{"class":"PAUSED","why":"rest"}"#) == .paused)
    #expect(
      try decode(#"{"class":"ERROR","message":"no"}"#) == .error(code: .malformed, "no"),
      "gpsd's errors have no code")
    #expect(
      try decode(#"{"class":"ERROR","message":"no","code":"tired"}"#)
        == .error(code: .malformed, "no"))
    #expect(try decode(#"{"class":"WAKE","reason":"tide","remaining_s":30}"#) == nil)
    let welcome = try decode(
      #"{"class":"WELCOME","release":"9","app":"a","state":"background","authorization":"always","#
        + #""launch_reason":"tide","monitors_significant_changes":true,"acknowledged":1}"#)
    guard case .welcome(let read)? = welcome else {
      Issue.record("\(String(describing: welcome))")
      return
    }
    #expect(read.launchReason == nil)
    #expect(read.acknowledged == 1)
  }

  @Test(
    "An error says what and where",
    arguments: [
      ("", "'' is no message: a value was expected at byte 1"),
      ("[1]", "'[1]' is no message: it is no object with a class"),
      (#"{"class":"LOST"}"#, "LOST needs the member 'count'"),
      (
        #"{"class":"STATE","state":"asleep"}"#,
        "STATE: state is \"asleep\", not one of not_running, inactive, active, background, suspended"
      ),
      (
        #"{"class":"LOCATION","received":"yesterday"}"#, "LOCATION needs the member 'sequence'"
      ),
      (
        #"{"class":"LOCATION","sequence":1,"service":"standard","received":"2026-05-04T07:08:09Z","cached":false,"fix":{"latitude":91}}"#,
        "LOCATION.fix: latitude is 91, not a number from -90 to 90"
      ),
    ])
  func errors(text: String, message: String) {
    #expect(throws: ProtocolError(message)) {
      try ServerMessage.decode(Array(text.utf8).span)
    }
  }

  @Test("No bytes crash the decoder", arguments: 1...10)
  func noise(seed: UInt64) {
    var noise = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      var bytes = Array(Self.messages[noise.below(Self.messages.count)].1.utf8)
      for _ in 0..<noise.below(5) { bytes[noise.below(bytes.count)] = noise.byte() }
      if noise.below(3) == 0 { bytes.removeLast(noise.below(bytes.count)) }
      _ = try? ServerMessage.decode(bytes.span)
    }
  }
}
