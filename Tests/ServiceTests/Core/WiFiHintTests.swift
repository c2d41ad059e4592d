// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What a Wi-Fi network that is joined or left means for the looks")
struct WiFiHintTests {
  private static func place(_ metres: Double) -> Coordinate {
    Stage.fix(east: metres, at: UTCInstant(microseconds: 0)).coordinate
  }

  private static func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  @Test(
    "The first reading says nothing; one that is left and joined does, and one that is passed to is left"
  )
  func changes() {
    var heard = HeardWiFi()
    heard.saw(Self.place(0))
    #expect(heard.read("Home", at: Self.at(0)) == nil)
    #expect(heard.read("Home", at: Self.at(1)) == nil)
    #expect(heard.read(nil, at: Self.at(2)) == .left("Home"))
    heard.saw(Self.place(2_000))
    #expect(heard.read("Work", at: Self.at(600)) == .joined("Work"))
    heard.saw(Self.place(9_000))
    #expect(heard.read("Canteen", at: Self.at(9_000)) == .left("Work"))
    heard.saw(Self.place(9_600))
    #expect(heard.read("Work", at: Self.at(9_100)) == .left("Canteen"))
  }

  @Test("One that comes and goes is heard once an hour, or once the device was elsewhere")
  func edge() {
    var heard = HeardWiFi()
    heard.saw(Self.place(0))
    _ = heard.read("Home", at: Self.at(0))
    #expect(heard.read(nil, at: Self.at(10)) == .left("Home"))
    for second in [20.0, 40, 60] {
      heard.saw(Self.place(100))
      #expect(heard.read("Home", at: Self.at(second)) == nil)
      #expect(heard.read(nil, at: Self.at(second + 10)) == nil)
    }
    #expect(heard.read("Home", at: Self.at(3_000)) == nil)
    #expect(heard.read(nil, at: Self.at(3_700)) == .left("Home"))
    heard.saw(Self.place(700))
    #expect(heard.read("Home", at: Self.at(3_720)) == .joined("Home"))
  }

  @Test(
    "Two networks of one house are one place: of passing from one to the other an hour hears once")
  func twoOfAHouse() {
    var heard = HeardWiFi()
    heard.saw(Self.place(0))
    _ = heard.read("Home", at: Self.at(0))
    #expect(heard.read("Home 5 GHz", at: Self.at(10)) == .left("Home"))
    for second in [20.0, 1_000, 3_500] {
      #expect(heard.read("Home", at: Self.at(second)) == nil)
      #expect(heard.read("Home 5 GHz", at: Self.at(second + 10)) == nil)
    }
    #expect(heard.read("Home", at: Self.at(3_700)) == .left("Home 5 GHz"))
  }

  @Test("One that travels along says nothing any more, and the next one is joined")
  func along() {
    var heard = HeardWiFi()
    heard.saw(Self.place(0))
    _ = heard.read(nil, at: Self.at(0))
    #expect(heard.read("Jane's phone", at: Self.at(10)) == .joined("Jane's phone"))
    heard.saw(Self.place(100))
    heard.saw(Self.place(5_000))
    #expect(heard.read(nil, at: Self.at(600)) == nil)
    #expect(heard.read("Jane's phone", at: Self.at(900)) == nil)
    #expect(heard.read("Home", at: Self.at(1_200)) == .joined("Home"))
  }

  @Test(
    "At rest the receiver looks soon after one was left, and explain says why; a policy without hints is left alone"
  )
  func look() throws {
    let device = try #require(try ProfileLibrary.device(named: "pi-zero-neo-m8"))
    let policy = try #require(SignificantPolicy.named("milepost", for: device, senses: []))
    func rested(_ policy: SignificantPolicy) -> Stage {
      var stage = Stage { settings in
        (settings.policy, settings.policyWithCells) = (policy, policy)
        (settings.device, settings.policyName) = (device, policy.name)
      }
      stage.add(Stage.handler("van"))
      stage.tell(.machine(.wifi("Home")))
      while stage.now.at.seconds < 7_200 || stage.service.engine.plan.isOn {
        stage.pass(1)
        if stage.service.engine.plan.isOn { stage.fix() }
      }
      return stage
    }
    var stage = rested(policy)
    stage.tell(.machine(.wifi(nil)))
    var seconds = 0
    while !stage.service.engine.plan.isOn, seconds < 3_600 {
      stage.pass(1)
      seconds += 1
    }
    #expect(seconds <= 180, "\(seconds) s")
    stage.fix()
    stage.pass(60)
    let id = try #require(stage.service.appID(of: "van"))
    stage.tell(.process(.ended(app: "van", .exited(status: 0))))
    let text = try stage.explanation(of: id).text
    #expect(text.contains("the Wi-Fi network Home was left"), "\(text)")
    let plain = rested(.periodic(timeout: 60))
    var told = plain
    told.tell(.machine(.wifi(nil)))
    #expect(told.service.engine == plain.service.engine)
  }
}
