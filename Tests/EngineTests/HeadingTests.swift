// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

@Suite("Where the device points to, or moves to")
struct HeadingTests {
  private static let app = AppID(1)

  private func stage(filter: Double? = nil) -> Stage {
    var stage = Stage()
    stage.launch()
    stage.app(.heading(.updates(filter: filter)))
    return stage
  }

  private func heading(_ commands: [EngineCommand]) -> Heading? {
    commands.lazy.compactMap { if case .heading(_, let heading) = $0 { heading } else { nil } }
      .first
  }

  /// A fix at that second, on that course.
  private func moves(
    _ course: Double?, speed: Double? = 3, at second: Double, on stage: inout Stage
  ) -> Heading? {
    var fix = Stage.fix(metres: second, at: .zero.advanced(bySeconds: second), speed: speed)
    fix.course = course
    return heading(stage.tell(.fix(fix), at: second))
  }

  @Test("The filter counts from the last heading that was told, round the circle")
  func filter() {
    var stage = stage(filter: 5)
    let courses: [Double] = [350, 354.9, 355, 359, 0.5, 4, 5]
    let told = courses.enumerated().map { second, course in
      moves(course, at: Double(second), on: &stage) != nil
    }
    #expect(told == [true, false, true, false, true, false, false])
    stage.app(.heading(.updates(filter: nil)))
    #expect(moves(0.6, at: 10, on: &stage)?.trueNorth == 0.6)
  }

  @Test("When in use: what such an app begins in the background is told once it was seen")
  func whenInUse() {
    var stage = Stage()
    stage.launch(authorization: .whenInUse)
    stage.app(.enteredBackground, at: 10)
    stage.app(.heading(.updates(filter: nil)), at: 11)
    #expect(!stage.engine.plan.isOn)
    #expect(moves(90, at: 12, on: &stage) == nil)
    stage.app(.enteredForeground, at: 13)
    #expect(stage.engine.plan == .continuous)
    #expect(moves(90, at: 14, on: &stage) != nil)
  }

  @Test("The receiver is on for it while the app runs, and nothing is told while it is suspended")
  func receiver() {
    var stage = stage()
    #expect(stage.engine.plan == .continuous)
    stage.app(.enteredBackground, at: 10)
    #expect(moves(90, at: 12, on: &stage) != nil)
    stage.pass(to: 16)
    #expect(stage.engine.plan == .off(.nobodyRuns))
    #expect(moves(180, at: 20, on: &stage) == nil)
    stage.app(.enteredForeground, at: 30)
    #expect(stage.engine.plan == .continuous)
    #expect(moves(180, at: 31, on: &stage) != nil)
    stage.app(.heading(.none))
    #expect(stage.engine.plan == .off(.nobodyAsks))
    stage.app(.heading(.updates(filter: nil)))
    stage.app(.exited)
    stage.app(.launched)
    #expect(stage.engine.plan == .off(.nobodyAsks), "it ends with the process")
  }

  @Test("A course counts from 0.6 m/s on, and is off by the angle of 0.3 m/s across the track")
  func course() throws {
    var stage = stage()
    #expect(moves(90, speed: 0.59, at: 1, on: &stage) == nil)
    #expect(moves(90, speed: nil, at: 2, on: &stage) == nil)
    #expect(moves(nil, at: 3, on: &stage) == nil)
    // By hand: atan(0.3 / 0.6) = 26.565°, atan(0.3 / 3) = 5.711°.
    let slow = try #require(moves(90, speed: 0.6, at: 4, on: &stage))
    #expect(abs((slow.accuracy ?? 0) - 26.565) < 0.001)
    let fast = try #require(moves(91, speed: 3, at: 5, on: &stage))
    #expect(abs((fast.accuracy ?? 0) - 5.711) < 0.001)
    #expect(fast.source == .course && fast.magneticNorth == nil)
    #expect(fast.time == Stage.epoch.advanced(bySeconds: 5))
  }

  @Test("A compass goes before the course for 5 s; the declination gives the other north")
  func compass() throws {
    var stage = stage()
    // Magnetic north lies 3.5° east of true north: a needle that shows 0° points to 3.5°.
    stage.tell(.declination(3.5))
    let east = try #require(
      heading(
        stage.tell(
          .heading(Heading(time: nil, trueNorth: 1, accuracy: nil, source: .compass)), at: 1)))
    #expect(east.trueNorth == 1 && east.magneticNorth == 357.5 && east.source == .compass)
    #expect(moves(90, at: 5.9, on: &stage) == nil)
    #expect(moves(90, at: 6.1, on: &stage)?.magneticNorth == 86.5)
    let magnetic = heading(
      stage.tell(
        .heading(Heading(time: nil, trueNorth: nil, magneticNorth: 358, source: .compass)), at: 7))
    #expect(magnetic?.trueNorth == 1.5)
  }

  @Test(
    "An app of reduced accuracy hears the compass, and no course; one without leave hears nothing")
  func privacy() {
    var stage = Stage()
    var declaration = AppDeclaration()
    declaration.accuracy = .reduced
    stage.app(.registered(declaration))
    stage.app(.launched)
    stage.app(.heading(.updates(filter: nil)))
    #expect(moves(90, at: 1, on: &stage) == nil)
    let north = Heading(time: nil, trueNorth: 0, source: .compass)
    #expect(heading(stage.tell(.heading(north), at: 2)) == north)
    stage.app(.authorized(.denied))
    #expect(stage.engine.plan == .off(.nobodyRuns))
    #expect(
      heading(stage.tell(.heading(Heading(time: nil, trueNorth: 9, source: .compass)))) == nil)
  }
}
