// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Glibc
import LocationModel
import RadioPower
import ServiceSimulation
import Synchronization

/// Runs seeds of the service's simulator on all cores.
@main
struct SimulateService: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate-service",
    abstract:
      "The whole service in virtual time, with seeded faults; rules checked after every step.")

  @Option(help: "How many seeds.")
  var seeds = 100
  @Option(help: "Simulated days of each seed in which faults strike.")
  var days = 0.25
  @Option(help: "The first seed.")
  var from: UInt64 = 1
  @Option(help: "One seed.")
  var seed: UInt64?
  @Option(help: "Kinds of faults that may strike, separated by commas; none strikes with ''.")
  var faults: String?
  @Option(help: "Faults that are left out, such as kill#3, separated by commas.")
  var mute = ""
  @Option(help: "Seconds after which no further seed is begun.")
  var within: Double?
  @Option(help: "Threads; all cores where it is not said.")
  var threads: Int?
  @Flag(inversion: .prefixedNo, help: "Look for fewer faults that break the same rule.")
  var shrink = true
  @Option(help: "In place of seeds: walk through all situations of two apps, so many inputs deep.")
  var lives: Int?
  @Option(help: "With --lives: walk through lives only, or locations.")
  var of: LifeWalk.Subject?
  @Flag(help: "Print every step of the one seed.")
  var trace = false

  func run() throws {
    if let lives {
      guard walk(lives) else { throw ExitCode(1) }
      return
    }
    guard let device = try ProfileLibrary.device(named: "usb-receiver") ?? Self.anyDevice() else {
      throw ValidationError("there is no device profile")
    }
    var plan = SimulationPlan(seed: from, days: days, device: device, network: nil)
    if let faults { plan.faults = try Self.kinds(faults) }
    plan.muted = try Self.names(mute)
    guard try seed.map({ try runOne($0, plan) }) ?? runMany(plan) else { throw ExitCode(1) }
  }

  private static func anyDevice() throws -> DeviceProfile? {
    try ProfileLibrary.devices.first.flatMap { try ProfileLibrary.device(named: $0) }
  }

  private static func kinds(_ text: String) throws -> Set<FaultKind> {
    Set(
      try text.split(separator: ",").map {
        guard let kind = FaultKind(rawValue: String($0)) else {
          throw ValidationError(
            "there is no fault '\($0)'; known: "
              + FaultKind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return kind
      })
  }

  private static func names(_ text: String) throws -> Set<FaultName> {
    Set(
      try text.split(separator: ",").map {
        guard let name = FaultName(String($0)) else {
          throw ValidationError("'\($0)' names no fault; for example: kill#3")
        }
        return name
      })
  }

  // MARK: Lives

  private func walk(_ depth: Int) -> Bool {
    let walks = Self.walks.filter { of == nil || of == $0.0 }
    let results = Mutex<[Int: LifeWalk.Result]>([:])
    DispatchQueue.concurrentPerform(iterations: walks.count) { place in
      let (subject, eras) = walks[place]
      let result = LifeWalk(depth: depth, era: eras[0], of: subject).run()
      results.withLock { $0[place] = result }
    }
    var isGood = true
    for (place, (subject, eras)) in walks.enumerated() {
      guard let result = results.withLock({ $0[place] }) else { continue }
      print(
        "\(subject.rawValue), \(eras.map(\.name).joined(separator: " and ")): "
          + "\(result.situations.reduce(0, +)) situations, \(result.steps) steps, "
          + "\(result.situations.count - 1) inputs deep")
      guard let violation = result.violation else { continue }
      isGood = false
      print("  \(violation.rule)")
      for step in violation.way { print("    \(step)") }
    }
    return isGood
  }

  /// Each subject in each era, the longest walks first; eras that differ only in their name are walked once.
  private static var walks: [(LifeWalk.Subject, [Era])] {
    var distinct: [[Era]] = []
    for era in Era.all {
      var renamed = era
      let place = distinct.firstIndex { eras in
        renamed.name = eras[0].name
        return renamed == eras[0]
      }
      if let place { distinct[place].append(era) } else { distinct.append([era]) }
    }
    return LifeWalk.Subject.allCases.flatMap { subject in distinct.map { (subject, $0) } }
  }

  // MARK: One seed

  private func runOne(_ seed: UInt64, _ plan: SimulationPlan) throws -> Bool {
    var plan = plan
    plan.seed = seed
    let result = plan.run(trace: trace ? { print($0) } : nil)
    print(
      "seed \(seed): \(Int(result.seconds)) s, \(result.steps) steps, \(result.deliveries) deliveries, "
        + "\(result.injected.count) faults")
    guard let violation = result.violation else { return true }
    print("  \(violation.rule.rawValue): \(violation.text) (at \(violation.at) s)")
    print("  faults: \(result.injected.map(\.description).joined(separator: " "))")
    return false
  }

  // MARK: Many seeds

  private struct Totals: Sendable {
    var next: UInt64
    var done = 0
    var seconds = 0.0
    var deliveries = 0
    var injected: [FaultKind: Int] = [:]
    var failed: [(plan: SimulationPlan, violation: Violation)] = []
  }

  private func runMany(_ plan: SimulationPlan) throws -> Bool {
    let begun = Self.clock
    let totals = Mutex(Totals(next: plan.seed))
    let last = plan.seed + UInt64(seeds)
    let limit = within.map { begun + $0 } ?? .infinity
    DispatchQueue.concurrentPerform(
      iterations: threads ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    ) { _ in
      while true {
        let seed = totals.withLock { totals in
          defer { totals.next += 1 }
          return totals.next
        }
        guard seed < last, Self.clock < limit, totals.withLock({ $0.failed.isEmpty }) else {
          return
        }
        var plan = plan
        plan.seed = seed
        let result = plan.run()
        totals.withLock { totals in
          totals.done += 1
          totals.seconds += result.seconds
          totals.deliveries += result.deliveries
          for name in result.injected { totals.injected[name.kind, default: 0] += 1 }
          if let violation = result.violation { totals.failed.append((plan, violation)) }
        }
      }
    }
    return report(totals.withLock { $0 }, wall: Self.clock - begun)
  }

  private func report(_ totals: Totals, wall: Double) -> Bool {
    let days = totals.seconds / 86_400
    print(
      "\(totals.done) seeds, \(Self.text(days, 1)) simulated days, \(totals.deliveries) deliveries in "
        + "\(Self.text(wall, 1)) s: \(Int(days / max(wall, 0.001) * 60)) days a minute")
    for kind in FaultKind.allCases {
      if let count = totals.injected[kind] { print("  \(kind.rawValue): \(count)") }
    }
    guard let first = totals.failed.min(by: { $0.plan.seed < $1.plan.seed }) else { return true }
    print("seed \(first.plan.seed) fails at \(Self.text(first.violation.at, 3)) s:")
    print("  \(first.violation.rule.rawValue): \(first.violation.text)")
    guard shrink else { return false }
    let shrunk = Shrinking(first.plan, first.violation, while: Self.forSeconds(60)).shrunk()
    print("shrunk to \(shrunk.faults.map(\.description).joined(separator: " ")):")
    print("  \(shrunk.violation.rule.rawValue): \(shrunk.violation.text)")
    print("  \(shrunk.command)")
    return false
  }

  private static func text(_ value: Double, _ decimals: Int) -> String {
    let factor = decimals == 1 ? 10.0 : 1_000.0
    return "\((value * factor).rounded() / factor)"
  }

  private static func forSeconds(_ seconds: Double) -> () -> Bool {
    let end = clock + seconds
    return { clock < end }
  }

  /// Seconds of a monotonic clock.
  private static var clock: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension LifeWalk.Subject: ExpressibleByArgument {}
