// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel
import Testing

@Suite("Regions and visits on the wire")
struct PlaceMessageTests {
  private static let place = Coordinate(clampingLatitude: 45.5231, wrappingLongitude: 13.5688)
  private static let time = ServerMessageTests.time
  private static let home = MonitoredRegion("home \"1\"", centre: place, radius: 150)
  private static let entry = MonitoredRegion(
    "work", centre: place, radius: 150.5, notifiesOnExit: false)

  /// Each message, and the line that the protocol's page states for it.
  static let client: [(ClientMessage, String)] = [
    (
      .monitorRegion(home),
      #"?REGION={"identifier":"home \"1\"","latitude":45.5231,"longitude":13.5688,"radius_m":150};"#
    ),
    (
      .monitorRegion(entry),
      #"?REGION={"identifier":"work","latitude":45.5231,"longitude":13.5688,"radius_m":150.5,"#
        + #""notify_on_exit":false};"#
    ),
    (.stopMonitoringRegion("work"), #"?STOP_REGION={"identifier":"work"};"#),
    (.requestRegionState("work"), #"?REGION_STATE={"identifier":"work"};"#),
    (.monitorVisits(true), #"?VISITS={"enable":true};"#),
    (.heading(HeadingRequest(isOn: true)), #"?HEADING={"enable":true};"#),
    (
      .heading(HeadingRequest(isOn: true, filter: 5)), #"?HEADING={"enable":true,"filter_deg":5};"#
    ),
    (.deferUpdates(DeferralRequest(nil)), #"?DEFER={"enable":false};"#),
    (
      .deferUpdates(DeferralRequest(Deferral(distance: 500, timeout: 60))),
      #"?DEFER={"enable":true,"distance_m":500,"timeout_s":60};"#
    ),
  ]

  static let server: [(ServerMessage, String)] = [
    (
      .welcome(
        .init(
          release: "0.1.0", app: "walker", state: .background, authorization: .always,
          launchReason: .region, monitorsSignificantChanges: false, acknowledged: 12,
          places: MonitoredPlaces(regions: [entry], visits: true))),
      #"{"class":"WELCOME","release":"0.1.0","app":"walker","state":"background","#
        + #""authorization":"always","launch_reason":"region","#
        + #""monitors_significant_changes":false,"acknowledged":12,"places":{"regions":[{"#
        + #""identifier":"work","latitude":45.5231,"longitude":13.5688,"radius_m":150.5,"#
        + #""notify_on_exit":false}],"visits":true}}"#
    ),
    (
      .region(
        RegionNotice(
          sequence: 14, identifier: "work", event: .exited, state: .outside, time: time,
          received: time.advanced(bySeconds: 0.25))),
      #"{"class":"REGION","sequence":14,"identifier":"work","event":"exited","state":"outside","#
        + #""time":"2026-05-04T07:08:09.500Z","received":"2026-05-04T07:08:09.750Z"}"#
    ),
    (
      .region(
        RegionNotice(identifier: "work", event: .state, state: .unknown, received: time)),
      #"{"class":"REGION","identifier":"work","event":"state","state":"unknown","time":null,"#
        + #""received":"2026-05-04T07:08:09.500Z"}"#
    ),
    (
      .visit(
        VisitNotice(
          sequence: 15, event: .arrived,
          visit: Visit(
            coordinate: place, horizontalAccuracy: 12.5, arrival: time, departure: nil),
          received: time)),
      #"{"class":"VISIT","sequence":15,"event":"arrived","latitude":45.5231,"longitude":13.5688,"#
        + #""accuracy_m":12.5,"arrival":"2026-05-04T07:08:09.500Z","departure":null,"#
        + #""received":"2026-05-04T07:08:09.500Z"}"#
    ),
    (
      .heading(
        HeadingNotice(
          Heading(time: time, trueNorth: 271.3, accuracy: 5.7, source: .course), received: time)),
      #"{"class":"HEADING","source":"course","true_deg":271.3,"magnetic_deg":null,"accuracy_deg":5.7,"#
        + #""time":"2026-05-04T07:08:09.500Z","received":"2026-05-04T07:08:09.500Z"}"#
    ),
    (.deferralEnded(.finished), #"{"class":"DEFERRED_END","reason":"finished"}"#),
    (.deferralEnded(.accuracyTooLow), #"{"class":"DEFERRED_END","reason":"accuracy_too_low"}"#),
    (
      .regionFailed("work", reason: "there are 20"),
      #"{"class":"REGION_FAILED","identifier":"work","reason":"there are 20"}"#
    ),
  ]

  @Test("A delivery is handed over as the message of its event, with its number")
  func handing() {
    let events: [(PlaceEvent?, String)] = [
      (nil, "LOCATION"), (.entered("work"), "REGION"), (.exited("work"), "REGION"),
      (
        .arrived(
          Visit(
            coordinate: Self.place, horizontalAccuracy: nil, arrival: nil, departure: nil)), "VISIT"
      ),
    ]
    for (event, word) in events {
      let delivery = Delivery(
        sequence: 7, service: .significant, fix: ServerMessageTests.fix, isCached: false,
        moved: nil, since: nil, event: event)
      let message = ServerMessage.handing(delivery, received: Self.time)
      #expect(message.sequence == 7)
      #expect(String(decoding: message.encode(), as: UTF8.self).hasPrefix("{\"class\":\"\(word)\""))
    }
    #expect(ServerMessage.paused.sequence == nil)
  }

  @Test(
    "What is wrong with a region is said",
    arguments: [
      (
        #"?REGION={"identifier":"","latitude":1,"longitude":2,"radius_m":3};"#,
        "?REGION: identifier is \"\", not a text of 1 to 256 bytes"
      ),
      (
        #"?REGION={"identifier":"a","latitude":91,"longitude":2,"radius_m":3};"#,
        "?REGION: latitude is 91, not a number from -90 to 90"
      ),
      (
        #"?REGION={"identifier":"a","latitude":1,"longitude":2};"#,
        "?REGION needs the member 'radius_m'"
      ),
    ])
  func errors(line: String, words: String) {
    #expect(ClientMessageTests.read(line) == ["malformed: \(words)"])
  }
}
