// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("All lives of two Android apps")
struct AndroidWalkTests {
  @Test("No rule of lives, services and permissions is broken", arguments: AndroidRelease.all)
  func lives(release: AndroidRelease) {
    let result = AndroidWalk(depth: 5, release: release, steps: AndroidWalk.lives).run()
    #expect(result.violation?.rule == nil, "\(result.violation?.way ?? [])")
    #expect(result.situations.reduce(0, +) > 1_000, "\(result.situations)")
  }

  @Test(
    "No rule of Doze, saver, buckets and scheduled work is broken", arguments: AndroidRelease.all)
  func power(release: AndroidRelease) {
    let result = AndroidWalk(depth: 5, release: release, steps: AndroidWalk.power).run()
    #expect(result.violation?.rule == nil, "\(result.violation?.way ?? [])")
    #expect(result.situations.reduce(0, +) > 1_000, "\(result.situations)")
  }

  @Test("Each rule finds the fault that breaks it", arguments: AndroidWatch.Rule.allCases)
  func planted(rule: AndroidWatch.Rule) throws {
    let plant = try #require(Self.plants.first { $0.fault.rule == rule }, "\(rule) has no fault")
    let result = AndroidWalk(
      depth: plant.depth, release: plant.release, steps: plant.steps, fault: plant.fault
    ).run()
    #expect(result.violation?.rule == rule, "\(result.violation?.way ?? [])")
  }

  /// A fault, and where it shows.
  private struct Plant {
    let fault: AndroidWalk.Fault
    var release = AndroidRelease.android14
    var steps = AndroidWalk.lives
    var depth = 5
  }

  private static let plants: [Plant] = ofLives + ofPower

  private static let ofLives: [Plant] = [
    Plant(
      fault: .init(
        rule: .stopped, isDeaf: { if case .app(_, .forceStopped) = $0 { true } else { false } })),
    Plant(
      fault: .init(
        rule: .denied, isDeaf: { if case .app(_, .permitted(.denied)) = $0 { true } else { false } }
      ),
      // Nothing that would show it first.
      steps: of([.opened, .registered(.geofence), .permitted(.denied), .woken(.geofence)])),
    Plant(
      fault: .init(rule: .inUse, release: { $0.hasBackgroundPermission = false }),
      release: .android10),
    Plant(
      fault: .init(rule: .beganUnseen, release: { $0.whileInUseStartsVisible = false }),
      release: .android12),
    Plant(fault: .init(rule: .otherType, release: { $0.serviceNeedsLocationType = false })),
    Plant(fault: .init(rule: .startUnseen, release: { $0.unseenStartNeedsExemption = false })),
    Plant(fault: .init(rule: .startChecked, release: { $0.startChecksPermission = false })),
    Plant(
      fault: .init(rule: .throttled, release: { $0.unseenInterval = nil }), release: .android8),
    Plant(fault: .init(rule: .process, release: { $0.freezesAfter = nil })),
    Plant(fault: .init(rule: .frozen, release: { $0.freezesAfter = 1 })),
    Plant(fault: .init(rule: .reboot, isDeaf: { $0 == .rebooted })),
    Plant(fault: .init(rule: .userStops, release: { $0.userStopsServices = false })),
    Plant(
      fault: .init(rule: .promises, release: { $0.stopCancelsPromises = false }),
      release: .android16,
      steps: of([.opened, .registered(.geofence), .forceStopped, .woken(.geofence)])),
    Plant(fault: .init(rule: .approximate, isApproximate: false)),
  ]

  private static let ofPower: [Plant] = [
    Plant(
      fault: .init(
        rule: .radios, isDeaf: { if case .app(_, .permitted(.denied)) = $0 { true } else { false } }
      )),
    Plant(
      fault: .init(rule: .doze, isDeaf: isDozed),
      steps: of(
        [.woken(.boot)], [.scheduled(AppID(1), .job(every: 900, lasts: 600)), .dozed(.deep)]),
      depth: 8),
    Plant(
      fault: .init(rule: .whileIdle, isDeaf: isDozed),
      steps: of(
        [.woken(.boot)],
        [
          .scheduled(AppID(1), .alarm(every: 300, isExact: false, whileIdle: true)), .dozed(.deep),
        ]), depth: 10),
    Plant(
      fault: .init(rule: .buckets, release: { $0.hasBuckets = false }),
      steps: of(
        [.woken(.boot)],
        [.scheduled(AppID(1), .job(every: 900, lasts: 600)), .bucket(AppID(1), .rare)]), depth: 12),
    Plant(
      fault: .init(rule: .saver, release: { $0.saverLocation = .receiverOffWithScreen }),
      steps: of(
        [.woken(.boot)],
        [
          .requested(AppID(1), FusedRequest(.balanced, every: 60, isPending: true)),
          .saver(isOn: true), .screen(isOn: false),
        ]) + [.position], depth: 8),
  ]

  private static func isDozed(_ input: AndroidInput) -> Bool {
    if case .dozed = input { true } else { false }
  }

  /// What the first app does, and the rest, and time.
  private static func of(_ said: [AndroidAppInput], _ rest: [AndroidInput] = []) -> [AndroidWalk
    .Step]
  {
    (said.map { .app(AppID(1), $0) } + rest + [.timePassed]).map { .input($0) }
  }
}
