// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationEngine
package import LocationModel

// Theory
// ======
//
// A model checker for what apps live through: from two apps that are registered, every input that users, apps
// and the system can give is tried in every state that is reached, to a depth; after each, the rules of
// `LifeWatch` are asked.
//
//   states of depth n ── each input ──► engine.handle ──► commands ──► LifeWatch ──► states of depth n + 1
//                                                                          │          (those not seen before)
//                                                                          └── a rule is broken: the way there
//
// Time passes only from deadline to deadline, which is all that time can do. Two states that differ only in
// when they are count as one: what lies in the future is compared by how far it is, so that the walk goes
// through situations and not through histories. The engine's policy is given nothing to see, for the life
// cycle asks nothing of it; motion stands for all wakes by place, which go one way.

/// Walks through all situations of two apps.
package struct LifeWalk {
  /// A situation, and how it was reached.
  private struct Node {
    var engine: LocationEngine
    var watch: LifeWatch
    var now: EngineInstant
    /// The node before, and the input that led here.
    var parent: Int32
    var input: EngineInput
  }

  /// What distinguishes two situations.
  private struct Situation: Hashable {
    var lives: [AppLifecycle]
    var wishes: [LifeWishes]
    var watch: LifeWatch
    var device: DeviceConditions
  }

  package struct Result: Sendable {
    /// Situations by depth; the last is where the walk ended.
    package var situations: [Int] = []
    package var steps = 0
    /// The first rule that was broken, and the inputs that led there.
    package var violation: (rule: String, way: [String])?
  }

  private let depth: Int
  private let era: Era

  /// `depth` is how many inputs one after the other.
  package init(depth: Int, era: Era) {
    self.depth = depth
    self.era = era
  }

  /// The two apps, which both fetch: one that declares all modes, and one that declares no other and cannot
  /// stay.
  private static let apps: [(id: AppID, declaration: AppDeclaration)] = {
    var all = AppDeclaration()
    all.modes = [.audio, .voip, .fetch, .remoteNotification]
    var none = AppDeclaration()
    none.modes = .fetch
    none.authorization = .whenInUse
    return [(AppID(1), all), (AppID(2), none)]
  }()

  /// Seconds between fetches that time alone would bring: so many that events bring all others.
  private static let fetchInterval = 1e9

  /// What can happen to one app.
  private static let inputs: [AppInput] = [
    .life(.launched), .life(.resignedActive), .life(.becameActive), .life(.enteredBackground),
    .life(.enteredForeground), .life(.finishedWork), .life(.returned(.fetch)),
    .life(.returned(.push)), .life(.beganTask(1)), .life(.endedTask(1)), .life(.purged),
    .life(.terminated), .life(.forceQuit), .life(.exited), .playAudio(true), .playAudio(false),
    .startMonitoringMotion, .event(.push), .event(.fetch),
  ]

  private static let deviceInputs: [EngineInput] = [
    .timePassed, .motionBegan, .device(.memoryNeeded(megabytes: 60)),
    .device(.rebooted(isLocked: true)), .device(.unlocked), .device(.backgroundRefresh(false)),
  ]

  package func run() -> Result {
    var result = Result()
    var rules = EngineRules()
    rules.era = era
    var first = Node(
      engine: LocationEngine(rules: rules, policy: .ios), watch: LifeWatch(apps: Self.apps.count),
      now: .zero, parent: -1, input: .timePassed)
    for app in Self.apps {
      var commands: [EngineCommand] = []
      for input in [AppInput.registered(app.declaration), .setFetchInterval(Self.fetchInterval)] {
        first.engine.handle(.app(app.id, input), at: .zero, into: &commands)
      }
    }
    var nodes = [first]
    var seen: Set<Situation> = [situation(of: first)]
    var frontier = 0..<1
    result.situations = [1]
    let inputs =
      Self.deviceInputs
      + Self.apps.flatMap { app in
        Self.inputs.map { EngineInput.app(app.id, $0) }
      }
    var commands: [EngineCommand] = []
    for _ in 0..<depth {
      for place in frontier {
        for input in inputs {
          guard var next = step(from: nodes[place], input, &commands) else { continue }
          result.steps += 1
          if let rule = next.watch.take(
            commands, of: input, engine: next.engine, era: era, at: next.now)
          {
            next.parent = Int32(place)
            result.violation = (rule, way(to: next, through: nodes))
            return result
          }
          guard seen.insert(situation(of: next)).inserted else { continue }
          next.parent = Int32(place)
          nodes.append(next)
        }
      }
      frontier = frontier.upperBound..<nodes.count
      result.situations.append(frontier.count)
      if frontier.isEmpty { break }
    }
    return result
  }

  /// The situation after an input; `nil` where time has nothing to bring.
  private func step(
    from node: Node, _ input: EngineInput, _ commands: inout [EngineCommand]
  ) -> Node? {
    var next = node
    next.input = input
    commands.removeAll(keepingCapacity: true)
    if input == .timePassed {
      guard let deadline = node.engine.nextDeadline else { return nil }
      next.now = max(node.now, deadline)
    }
    next.watch.heard(input)
    next.engine.handle(input, at: next.now, into: &commands)
    return next
  }

  private func situation(of node: Node) -> Situation {
    Situation(
      lives: Self.apps.compactMap { node.engine.life(of: $0.id)?.relative(to: node.now) },
      wishes: Self.apps.compactMap { node.engine.wishes(of: $0.id) },
      watch: node.watch.relative(to: node.now), device: node.engine.device)
  }

  private func way(to node: Node, through nodes: [Node]) -> [String] {
    var way: [String] = []
    var node = node
    while true {
      way.append("\(Int(node.now.seconds)) s: \(node.input)")
      guard node.parent > 0 else { return way.reversed() }
      node = nodes[Int(node.parent)]
    }
  }
}
