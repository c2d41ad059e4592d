// SPDX-License-Identifier: Apache-2.0

import LocationEngine
package import LocationModel

// Theory
// ======
//
// A model checker for the lives of apps: from two registered apps, every input that users, apps and the system can give
// is tried in every state that is reached, to a depth. After each, the rules of `LifeWatch` are checked.
//
//   states of depth n ── each input ──► engine.handle ──► commands ──► LifeWatch ──► states of depth n + 1
//                                                                          │          (those not seen before)
//                                                                          └── a rule is broken: the way there
//
// Time passes only from deadline to deadline, which is all that time can do. Two states that differ only in their time
// count as one: future times are compared by their distance, so that the walk goes through situations and not through
// histories. The engine's policy gets no input, for the life cycle does not depend on it; motion stands for all wakes
// by place, which take one path.
//
// The location events of apps are walked separately (`Subject.locations`): otherwise the two would multiply. There a
// fix comes ten seconds after the previous event, if the receiver is on and nothing is due until then.

/// Walks through all situations of two apps.
package struct LifeWalk {
  /// A situation, and the path to it.
  private struct Node {
    var engine: LocationEngine
    var watch: LifeWatch
    var locations: LocationWatch
    var places: PlaceWatch
    var now: EngineInstant
    /// The previous node, and the input that led here.
    var parent: Int32
    var input: EngineInput
  }

  /// The distinguishing state of a situation.
  private struct Situation: Hashable {
    var lives: [AppLifecycle]
    var wishes: [LifeWishes]
    var watch: LifeWatch
    var locations: LocationWatch
    var places: PlaceWatch
    var marks: [PlaceMarks]
    var device: DeviceConditions
  }

  package struct Result: Sendable {
    /// The number of situations by depth; the walk ended at the last.
    package var situations: [Int] = []
    package var steps = 0
    /// The first broken rule, and the inputs that led there.
    package var violation: (rule: String, way: [String])?
  }

  private let depth: Int
  private let rules: EngineRules
  private let subject: Subject

  /// `depth`: the number of consecutive inputs.
  package init(depth: Int, era: Era, of subject: Subject = .lives) {
    self.depth = depth
    self.subject = subject
    rules = subject.rules(in: era)
  }

  package func run() -> Result {
    var result = Result()
    let apps = subject.apps
    var first = Node(
      engine: LocationEngine(rules: rules, policy: .ios), watch: LifeWatch(apps, in: rules.era),
      locations: LocationWatch(apps), places: PlaceWatch(apps), now: .zero, parent: -1,
      input: .timePassed)
    for (place, app) in apps.enumerated() {
      var commands: [EngineCommand] = []
      for input in [AppInput.registered(app)] + subject.beginnings {
        let input = EngineInput.app(AppID(UInt32(place + 1)), input)
        first.watch.heard(input, at: .zero)
        first.places.heard(input)
        first.engine.handle(input, at: .zero, into: &commands)
      }
    }
    var nodes = [first]
    var seen: Set<Situation> = [situation(of: first)]
    var frontier = 0..<1
    result.situations = [1]
    let steps = subject.steps
    var commands: [EngineCommand] = []
    for _ in 0..<depth {
      for place in frontier {
        for tried in steps {
          guard var next = step(from: nodes[place], tried, &commands) else { continue }
          result.steps += 1
          if let rule = broken(by: &next, commands) {
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

  /// The situation after an input; `nil` if time brings nothing.
  private func step(
    from node: Node, _ tried: Step, _ commands: inout [EngineCommand]
  ) -> Node? {
    guard let (input, now) = given(tried, in: node) else { return nil }
    var next = node
    (next.input, next.now) = (input, now)
    commands.removeAll(keepingCapacity: true)
    next.watch.heard(input, at: now)
    next.places.heard(input)
    next.engine.handle(input, at: now, into: &commands)
    return next
  }

  /// The engine's input and its time; `nil` if it is impossible.
  private func given(_ tried: Step, in node: Node) -> (EngineInput, EngineInstant)? {
    switch tried {
    case .input(.timePassed):
      return node.engine.nextDeadline.map { (.timePassed, max(node.now, $0)) }
    case .input(let input): return (input, node.now)
    case .said(let id, let wish):
      return node.engine.state(of: id)?.runsCode == true ? (.app(id, wish), node.now) : nil
    case .fix(let place):
      let now = node.now.advanced(bySeconds: Subject.fixInterval)
      guard node.engine.plan.isOn, node.engine.nextDeadline.map({ $0 > now }) ?? true else {
        return nil
      }
      return (.fix(Subject.fix(at: place, after: node.locations.lastPlace, now)), now)
    case .position(let place):
      let now = node.now.advanced(bySeconds: Subject.lookInterval)
      guard node.engine.nextDeadline.map({ $0 > now }) ?? true else { return nil }
      return (.networkFix(Subject.position(at: place, now)), now)
    case .compass(let degrees):
      guard node.engine.plan.isOn else { return nil }
      return (.heading(Heading(time: nil, trueNorth: degrees, source: .compass)), node.now)
    }
  }

  /// The rule that the last input broke.
  private func broken(by node: inout Node, _ commands: [EngineCommand]) -> String? {
    if let rule = node.watch.take(
      commands, of: node.input, engine: node.engine, era: rules.era, at: node.now)
    {
      return rule
    }
    return switch subject {
    case .lives, .services: nil
    case .locations:
      node.locations.take(commands, of: node.input, engine: node.engine, at: node.now)
    case .places: node.places.take(commands, of: node.input, engine: node.engine)
    }
  }

  private static let ids = [AppID(1), AppID(2)]

  private func situation(of node: Node) -> Situation {
    Situation(
      lives: Self.ids.compactMap { node.engine.life(of: $0)?.relative(to: node.now) },
      wishes: Self.ids.compactMap { node.engine.wishes(of: $0, at: node.now) },
      watch: node.watch.relative(to: node.now),
      locations: node.locations.relative(to: node.now, pausesAfter: rules.pausesAfter),
      places: node.places, marks: Self.ids.map { node.engine.placeMarks(of: $0, at: node.now) },
      device: node.engine.device)
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
