// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import ServiceContract
import Testing

@testable import GPSDSource

/// The live closing of epochs, in virtual time.
@Suite("Epochs close as early as is safe")
struct EpochMergerTests {
  static func report(
    _ second: Int?, _ device: String = "a", latitude: Double? = 46, speed: Double? = nil,
    mode: Int = 3
  ) -> GPSDPosition {
    var report = GPSDPosition()
    report.device = device
    report.time = second.map { UTCInstant(microseconds: Int64($0) * 1_000_000) }
    report.mode = mode
    report.latitude = latitude
    report.longitude = latitude.map { _ in 7 }
    report.speed = speed
    return report
  }

  static func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  static func summary(_ events: [GPSDEvent]) -> [String] {
    events.map {
      switch $0 {
      case .fix(let fix, let device):
        "\(device)\(fix.time?.wholeSeconds ?? -1)" + (fix.speed.map { "v\(Int($0))" } ?? "")
      case .searching(let device): "\(device)?"
      case .trouble(.timeWentBack(let seconds, let device)): "\(device)<\(Int(seconds))"
      default: "\($0)"
      }
    }
  }

  @Test("Two reports of one time are one fix, closed 150 ms after the second")
  func quiet() {
    var merger = EpochMerger()
    var events: [GPSDEvent] = []
    merger.merge(Self.report(1), at: Self.at(0), into: &events)
    merger.merge(Self.report(1, latitude: nil, speed: 3), at: Self.at(0.1), into: &events)
    #expect(merger.nextDeadline == Self.at(0.25))
    merger.advance(to: Self.at(0.249), into: &events)
    #expect(events.isEmpty)
    merger.advance(to: Self.at(0.25), into: &events)
    #expect(Self.summary(events) == ["a1v3"])
    #expect(merger.nextDeadline == nil)
  }

  @Test("What three epochs were made of closes the fourth at once")
  func usual() {
    var merger = EpochMerger()
    var events: [GPSDEvent] = []
    for second in 1...3 {
      merger.merge(Self.report(second), at: Self.at(Double(second)), into: &events)
      merger.merge(Self.report(second, speed: 3), at: Self.at(Double(second)), into: &events)
      merger.advance(to: Self.at(Double(second) + 0.5), into: &events)
    }
    merger.merge(Self.report(4), at: Self.at(4), into: &events)
    #expect(events.count == 3)
    merger.merge(Self.report(4, speed: 4), at: Self.at(4), into: &events)
    #expect(Self.summary(events) == ["a1v3", "a2v3", "a3v3", "a4v4"])
  }

  @Test("A late report is counted, makes no second fix, and ends what was usual")
  func late() {
    var merger = EpochMerger()
    var events: [GPSDEvent] = []
    for second in 1...4 {
      merger.merge(Self.report(second), at: Self.at(Double(second)), into: &events)
      merger.advance(to: Self.at(Double(second) + 0.5), into: &events)
    }
    merger.merge(Self.report(4, speed: 3), at: Self.at(4.6), into: &events)
    #expect(merger.lateReports == 1)
    #expect(Self.summary(events) == ["a1", "a2", "a3", "a4"])
    // The quiet has doubled.
    merger.merge(Self.report(5), at: Self.at(5), into: &events)
    #expect(merger.nextDeadline == Self.at(5.3))
  }

  @Test("A clock that stands still makes fixes again after a second")
  func frozen() {
    var merger = EpochMerger()
    var events: [GPSDEvent] = []
    for second in [0.0, 1.5, 3.0] {
      merger.merge(Self.report(9), at: Self.at(second), into: &events)
      merger.advance(to: Self.at(second + 0.2), into: &events)
    }
    #expect(Self.summary(events) == ["a9", "a9", "a9"])
  }

  @Test("Reports without a time that never pause are closed after a second")
  func untimed() {
    var merger = EpochMerger()
    var events: [GPSDEvent] = []
    for tenth in 0...10 {
      let now = Self.at(Double(tenth) / 10)
      merger.advance(to: now, into: &events)
      merger.merge(Self.report(nil, latitude: nil, mode: 1), at: now, into: &events)
    }
    #expect(Self.summary(events) == ["a?"])
  }

  @Test("Devices have epochs of their own; time that runs backwards is told and passed on")
  func devices() {
    var merger = EpochMerger()
    var events: [GPSDEvent] = []
    merger.merge(Self.report(5, "a"), at: Self.at(0), into: &events)
    merger.merge(Self.report(6, "b"), at: Self.at(0), into: &events)
    merger.merge(Self.report(2, "a"), at: Self.at(0.1), into: &events)
    merger.flush(at: Self.at(0.1), into: &events)
    #expect(Self.summary(events) == ["a5", "a<3", "a2", "b6"])
  }

  @Test("Of more devices than there is room for the oldest is closed, not lost")
  func bounded() {
    var merger = EpochMerger()
    var events: [GPSDEvent] = []
    for device in 0...EpochMerger.deviceLimit {
      merger.merge(
        Self.report(1, "d\(device)-"), at: Self.at(Double(device) / 1_000), into: &events)
    }
    #expect(Self.summary(events) == ["d0-1"])
  }
}
