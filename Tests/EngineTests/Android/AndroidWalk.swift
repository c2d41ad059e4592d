// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

@testable import LocationEngine

// Theory
// ======
//
// A model checker for two Android apps on one phone: from two installed apps, each thing that user, apps and system can do
// is tried in every situation that is reached, to a depth. `AndroidWatch` hears the same inputs, knows nothing of the
// machines, and judges what the phone does by the rules of the table.
//
//   situations of depth n ── each input ──► AndroidPhone ──► events ──► AndroidWatch ──► situations of depth n + 1
//                                                                            └── a rule is broken: the way there
//
// Two situations that differ in their past alone count as one (`AndroidSituation`). Time passes from deadline to deadline,
// and by 20 s before each position. A fault that is planted is a phone of another release than the watch believes, or
// one that does not hear something.

/// Walks through all situations of two apps on a phone with Android.
struct AndroidWalk {
  enum Step: Hashable {
    case input(AndroidInput)
    /// A position 20 s later.
    case position
  }

  private struct Node {
    var phone: AndroidPhone
    var watch: AndroidWatch
    var now: EngineInstant
    var parent: Int
    var step: Step
  }

  private struct Situation: Hashable {
    let phone: AndroidSituation
    let watch: AndroidWatch
  }

  struct Result {
    /// The number of situations by depth.
    var situations: [Int] = []
    var steps = 0
    /// The first broken rule, and the way there.
    var violation: (rule: AndroidWatch.Rule, way: [String])?
  }

  /// What the machine does wrong.
  struct Fault: Sendable {
    let rule: AndroidWatch.Rule
    var release: @Sendable (inout AndroidRelease) -> Void = { _ in }
    var isDeaf: @Sendable (AndroidInput) -> Bool = { _ in false }
    var isApproximate = true
  }

  let depth: Int
  let release: AndroidRelease
  let steps: [Step]
  var fault: Fault?

  static let apps = [AppID(1), AppID(2)]

  func run() -> Result {
    var result = Result()
    var broken = release
    fault?.release(&broken)
    var phone = AndroidPhone(release: broken)
    var watch = AndroidWatch(release)
    // The second one has *while in use* and an approximate location.
    phone.install(AppID(1), .always)
    phone.install(AppID(2), .whileInUse, isApproximate: fault?.isApproximate ?? true)
    watch.install(AppID(1), .always, isApproximate: false)
    watch.install(AppID(2), .whileInUse, isApproximate: true)
    let first = Node(
      phone: phone, watch: watch, now: .zero, parent: -1, step: .input(.timePassed))
    var nodes = [first]
    var seen: Set<Situation> = [situation(of: first)]
    var frontier = 0..<1
    result.situations = [1]
    var events: [AndroidEvent] = []
    for _ in 0..<depth {
      for place in frontier {
        for step in steps {
          guard var next = taken(step, from: nodes[place], &events) else { continue }
          (next.parent, next.step) = (place, step)
          result.steps += 1
          if let rule = next.watch.judge(events, of: next.phone, at: next.now) {
            result.violation = (rule, way(to: next, through: nodes))
            return result
          }
          if seen.insert(situation(of: next)).inserted { nodes.append(next) }
        }
      }
      frontier = frontier.upperBound..<nodes.count
      result.situations.append(frontier.count)
    }
    return result
  }

  /// The situation after a step; `nil` if it is impossible.
  private func taken(_ step: Step, from node: Node, _ events: inout [AndroidEvent]) -> Node? {
    var next = node
    events.removeAll(keepingCapacity: true)
    switch step {
    case .position:
      next.now = node.now.advanced(bySeconds: 20)
      if let due = node.phone.nextDeadline, due <= next.now { return nil }
      next.phone.offer(Self.fix, at: next.now, into: &events)
    case .input(.timePassed):
      guard let due = node.phone.nextDeadline else { return nil }
      next.now = max(node.now, due)
      next.watch.heard(.timePassed, at: next.now)
      next.phone.handle(.timePassed, at: next.now, into: &events)
    case .input(let input):
      if let app = Self.speaker(of: input), node.phone.life(of: app)?.state.runsCode != true {
        return nil
      }
      next.watch.heard(input, at: node.now)
      if fault?.isDeaf(input) != true { next.phone.handle(input, at: node.now, into: &events) }
    }
    return next
  }

  /// The app whose code does that; `nil` for what user and system do.
  private static func speaker(of input: AndroidInput) -> AppID? {
    switch input {
    case .requested(let app, _), .askedOnce(let app, _), .scheduled(let app, _),
      .app(let app, .startedService),
      .app(let app, .startedPlainService), .app(let app, .endedService), .app(let app, .finished),
      .app(let app, .registered), .app(let app, .cancelled):
      app
    case .app, .bucket, .screen, .charging, .saver, .moved, .dozed, .rebooted, .timePassed: nil
    }
  }

  private static let fix = Fix(
    time: nil, coordinate: Coordinate(clampingLatitude: 48.1, wrappingLongitude: 11.5),
    horizontalAccuracy: 8)

  private func situation(of node: Node) -> Situation {
    Situation(
      phone: node.phone.situation(at: node.now), watch: node.watch.relative(to: node.now))
  }

  private func way(to node: Node, through nodes: [Node]) -> [String] {
    var (way, node) = ([String](), node)
    while node.parent >= 0 {
      way.append("\(Int(node.now.seconds)) s: \(node.step)")
      node = nodes[node.parent]
    }
    return way.reversed()
  }
}

extension AndroidWalk {
  /// The lives of apps, their services and their permissions.
  static let lives: [Step] =
    apps.flatMap { app in
      let said: [AndroidAppInput] = [
        .opened, .left, .swipedAway, .startedService(isLocation: true),
        .startedService(isLocation: false), .endedService, .stoppedByUser, .forceStopped,
        .memoryTaken, .registered(.geofence), .woken(.geofence), .woken(.push), .woken(.boot),
      ]
      return said.map { Step.input(.app(app, $0)) } + [
        .input(.requested(app, FusedRequest(.highAccuracy, every: 1)))
      ]
    } + [
      .input(.app(AppID(1), .permitted(.denied))), .input(.app(AppID(1), .permitted(.whileInUse))),
      .input(.askedOnce(AppID(1), .balanced)), .input(.rebooted), .input(.timePassed), .position,
    ]

  /// Doze, the battery saver, buckets, and what is scheduled.
  static let power: [Step] =
    [
      .input(.app(AppID(1), .opened)), .input(.app(AppID(1), .left)),
      .input(.app(AppID(1), .woken(.boot))),
      .input(.app(AppID(1), .startedService(isLocation: true))),
      .input(.app(AppID(1), .forceStopped)), .input(.app(AppID(1), .memoryTaken)),
      .input(.requested(AppID(1), FusedRequest(.balanced, every: 60, isPending: true))),
      .input(.requested(AppID(1), FusedRequest(.highAccuracy, every: 10, maxDelay: 60))),
      .input(.scheduled(AppID(1), .job(every: 900, lasts: 600))),
      .input(.scheduled(AppID(1), .alarm(every: 900, isExact: true, whileIdle: false))),
      .input(.scheduled(AppID(1), .alarm(every: 600, isExact: false, whileIdle: true))),
      .input(.bucket(AppID(1), .rare)), .input(.bucket(AppID(1), .restricted)),
      .input(.app(AppID(2), .opened)),
      .input(.requested(AppID(2), FusedRequest(.highAccuracy, every: 1))),
      .input(.screen(isOn: false)), .input(.screen(isOn: true)), .input(.charging(true)),
      .input(.saver(isOn: true)), .input(.moved), .input(.dozed(.light)), .input(.dozed(.deep)),
      .input(.rebooted), .input(.timePassed), .position,
    ]
}
