// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What the journal says of receivers")
struct ReceiverNewsTests {
  private static let path = "/dev/gps"

  /// A service with an app that keeps the receiver on, if it `isOn`, after gpsd has answered.
  private func stage(isOn: Bool = true) -> Stage {
    var stage = Stage()
    if isOn {
      var manifest = Stage.app(launch: .manual)
      manifest.service = .continuous
      manifest.declaration.modes = [.location]
      stage.add(manifest)
      stage.say(.control("walker", .launch))
      stage.tell(.process(.started(app: "walker", pid: 30)))
      stage.connect(ClientID(7), pid: 30)
      stage.say(.hello(.init(app: "walker")), as: ClientID(7))
    }
    look(&stage)
    _ = stage.take()
    return stage
  }

  /// gpsd's words at the beginning of a look.
  private func look(_ stage: inout Stage) {
    stage.tell(.gpsd(.link(.connected(release: "3.22", protocolMajor: 3, protocolMinor: 14))))
    stage.tell(.gpsd(.link(.watching(true))))
    stage.tell(.gpsd(.device(.opened(path: Self.path, driver: "u-blox"))))
  }

  private func journal(_ stage: Stage) -> [String] {
    stage.effects.compactMap {
      guard case .log(let level, let text) = $0, ![.debug, .info].contains(level) else {
        return nil
      }
      return "\(level): \(text)"
    }
  }

  //  seconds   0 … 20      80          500
  //            fixes       told        a report again
  @Test("A receiver that falls silent while it is wanted is told once, and that it reports again")
  func silence() {
    var stage = stage()
    for _ in 0..<20 {
      stage.fix()
      stage.pass(1)
    }
    stage.pass(58)
    #expect(journal(stage) == [])
    stage.pass(2)
    #expect(
      journal(stage) == [
        "warning: no receiver has reported for 60 s: gpsd has /dev/gps open; milepost doctor says why"
      ])
    stage.pass(420)
    #expect(journal(stage).count == 1)
    stage.tell(.gpsd(.searching(device: Self.path)))
    stage.fix()
    #expect(journal(stage).dropFirst() == ["notice: a receiver reports again, after 8 min"])
    _ = stage.take()
    // Its longest pause counts a minute now: the next silence is three times that.
    stage.pass(179)
    #expect(journal(stage) == [])
    stage.pass(2)
    #expect(journal(stage).count == 1, "the next silence is told, too")
  }

  @Test("A receiver that is not wanted owes no report; gpsd that is gone has its own words")
  func notWanted() {
    var idle = stage(isOn: false)
    idle.pass(600)
    #expect(journal(idle) == [])
    var lost = stage()
    lost.tell(.gpsd(.link(.lost(reason: "it closed the connection", retryAfter: 1))))
    lost.pass(600)
    #expect(
      journal(lost) == [
        "warning: gpsd is gone: it closed the connection; next attempt in 1.0 s"
      ])
  }

  @Test("The looks of a day are one connection and one receiver to the journal; a change is news")
  func looks() {
    var stage = stage(isOn: false)
    for _ in 0..<20 {
      look(&stage)
      stage.tell(.gpsd(.link(.watching(false))))
    }
    #expect(journal(stage) == [])
    stage.tell(.gpsd(.device(.closed(path: Self.path))))
    look(&stage)
    stage.tell(.gpsd(.device(.opened(path: "/dev/other", driver: nil))))
    #expect(
      journal(stage) == [
        "notice: gpsd closed /dev/gps: unplugged, or no longer wanted",
        "notice: gpsd opened /dev/gps (u-blox)", "notice: gpsd opened /dev/other",
      ])
    _ = stage.take()
    for _ in 0..<3 { stage.tell(.gpsd(.device(.none))) }
    #expect(journal(stage) == ["notice: gpsd knows no receiver"])
  }
}
