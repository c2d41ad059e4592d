// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import ServiceCore
import Testing

@Suite("What a gpsd client at a port of ours hears")
struct GPSDClientTests {
  private static let client = ClientID(7)

  private func stage(filter: Double?) -> Stage {
    var stage = Stage(listeners: [.init(port: 2_948, service: .standard, distanceFilter: filter)])
    stage.tell(.client(.connected(Self.client, .gpsdPort(2_948))))
    _ = stage.take()
    return stage
  }

  /// The sent messages, one word each.
  private func told(_ stage: inout Stage, to client: ClientID = Self.client) -> [String] {
    stage.take().compactMap { effect in
      guard case .send(let message, client, _) = effect else { return nil }
      return switch message {
      case .devices(let devices): devices[0].activated == nil ? "closed" : "open"
      case .watch(let isOn): isOn ? "on" : "off"
      case .watchSentences(let json): json ? "both" : "nmea"
      case .report: "TPV"
      case .sky(let sky, _): "SKY \(sky.satellites.count)"
      case .sentences(let text):
        text.split(separator: "\r\n").map { $0.prefix(6).dropFirst() }.joined(separator: " ")
      case .poll(let fix, _, _, let sky):
        "POLL \(fix == nil ? 0 : 1) \(sky?.satellites.count ?? 0)"
      default: "other"
      }
    }
  }

  private static let sky: Sky = {
    var sky = Sky()
    sky.satellites = [.init(number: 3, isUsed: true), .init(number: 9, isUsed: false)]
    return sky
  }()

  // cgps and xgps warn of each release that is not the one that they were built with.
  @Test("A client of a port is told gpsd's release, and a command Milepost's")
  func version() {
    var stage = stage(filter: nil)
    func told(_ client: ClientID) -> ServerMessage? {
      stage.say(.version, as: client)
      return stage.take().compactMap {
        if case .send(let message, client, _) = $0 { message } else { nil }
      }.first
    }
    #expect(told(Self.client) == .version(release: "3.22", rev: "milepost-test"))
    stage.tell(.gpsd(.link(.connected(release: "3.25", protocolMajor: 3, protocolMinor: 15))))
    #expect(told(Self.client) == .version(release: "3.25", rev: "milepost-test"))
    #expect(told(Stage.user) == .version(release: "test"))
    let other = ClientID(9)
    stage.tell(.client(.connected(other, .gpsdPort(2_948))))
    #expect(
      stage.take() == [
        .send(.version(release: "3.25", rev: "milepost-test"), to: other)
      ])
  }

  // metres        0    50   120
  // filter 100   TPV        TPV
  @Test("A sky goes with each report that the filter lets through, and with none else")
  func skies() {
    var stage = stage(filter: 100)
    stage.say(.watch(isOn: true), as: Self.client)
    #expect(told(&stage) == ["open", "on"])
    stage.tell(.gpsd(.sky(Self.sky, device: "/dev/gps")))
    stage.fix()
    #expect(told(&stage) == ["TPV", "SKY 2"])
    stage.fix(east: 50)
    #expect(told(&stage) == [])
    stage.say(.poll, as: Self.client)
    #expect(told(&stage) == ["POLL 1 2"])
    stage.pass(11)
    stage.fix(east: 120)
    // The sky is an old one.
    #expect(told(&stage) == ["TPV"])
    stage.say(.watch(isOn: false), as: Self.client)
    #expect(told(&stage) == ["closed", "off"])
  }

  @Test("Sentences are made for those who ask, and reports beside them where they ask for both")
  func sentences() {
    var stage = stage(filter: nil)
    let other = ClientID(8)
    stage.tell(.client(.connected(other, .gpsdPort(2_948))))
    stage.say(.watchSentences(json: false), as: Self.client)
    #expect(told(&stage) == ["open", "nmea"])
    stage.say(.watchSentences(json: true), as: other)
    _ = stage.take()
    stage.fix()
    var both = stage
    #expect(told(&stage) == ["GPRMC GPGGA GPGST"])
    #expect(told(&both, to: other) == ["TPV", "GPRMC GPGGA GPGST"])
    // A change of forms is no new watch: nothing is sent again.
    stage.say(.watch(isOn: true), as: Self.client)
    #expect(told(&stage) == ["open", "on"])
  }
}
