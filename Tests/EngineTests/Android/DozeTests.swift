// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

// The numbers are the defaults of AOSP's `DeviceIdleController`.
@Suite("Doze")
struct DozeTests {
  /// The modes of a night, each with the second at which it began.
  private func modes(
    _ release: AndroidRelease, until end: Double, motionAt: Double? = nil
  ) -> [(Double, DozeMode)] {
    var doze = Doze(release: release)
    doze.screen(isOn: false, at: .zero)
    var modes: [(Double, DozeMode)] = [(0, doze.mode)]
    var moves = motionAt.map { EngineInstant.zero.advanced(bySeconds: $0) }
    while true {
      guard let next = EngineInstant.earlier(doze.nextDeadline, moves), next.seconds <= end else {
        return modes
      }
      if next == moves {
        doze.moved(at: next)
        moves = nil
      }
      doze.pass(to: next)
      if doze.mode != modes.last?.1 { modes.append((next.seconds, doze.mode)) }
    }
  }

  private func text(_ modes: [(Double, DozeMode)]) -> String {
    modes.map { "\($0.1.rawValue) \(Int($0.0 / 60))" }.joined(separator: ", ")
  }

  @Test(
    "Deep Doze comes an hour after the screen went off: 1 h, then 2, 4 and 6 h, with windows between"
  )
  func deep() {
    #expect(
      text(modes(.android6, until: 86_400))
        == "awake 0, deep 60, awake 120, deep 125, awake 245, deep 255, awake 495, deep 505, "
        + "awake 865, deep 875, awake 1235, deep 1245")
  }

  @Test(
    "Light Doze comes first: 5 min, then 10 and 15 min, with a minute between, until it is deep")
  func light() {
    #expect(
      text(modes(.android14, until: 3_700))
        == "awake 0, light 1, awake 6, light 7, awake 17, light 18, awake 33, light 34, awake 49, "
        + "light 50, deep 60")
  }

  @Test("Motion is not looked at for half an hour; later it puts deep Doze off by 40 min")
  func motion() {
    #expect(text(modes(.android6, until: 4_000, motionAt: 1_000)) == "awake 0, deep 60")
    #expect(text(modes(.android6, until: 5_000, motionAt: 2_400)) == "awake 0, deep 80")
    #expect(
      text(modes(.android6, until: 8_000, motionAt: 4_200))
        == "awake 0, deep 60, awake 70, deep 110")
  }

  @Test("The screen and the charger end it")
  func use() {
    for release in [AndroidRelease.android6, .android16] {
      var doze = Doze(release: release)
      doze.force(.deep, at: .zero)
      #expect(doze.mode == .deep)
      doze.screen(isOn: true, at: .zero)
      #expect(doze.mode == .awake)
      #expect(doze.nextDeadline == nil)
      doze.screen(isOn: false, at: .zero)
      doze.charging(true, at: .zero)
      #expect(doze.nextDeadline == nil)
    }
  }

  @Test("Android 6 has no light Doze")
  func oldest() {
    var doze = Doze(release: .android6)
    doze.force(.light, at: .zero)
    #expect(doze.mode == .awake)
  }
}
