// SPDX-License-Identifier: Apache-2.0

import LocationEngine
package import LocationModel
import RadioPower
import ServiceContract
package import ServiceCore

// The kinds of runs: of built-in rows, of real code, of a scenario's apps.

extension Run {
  /// `seconds` is the approximate length of the trace: a first guess at the step of the curves. Apps `beside` that of
  /// the plan share its device: receiver, processor and radios are counted once, and the quality figures cover the
  /// plan's app alone.
  package init(
    _ plan: RunPlan, beside others: [RunPlan] = [], options: ReplayOptions, records: Records = [],
    expecting seconds: Double = 0
  ) {
    let cast = Self.cast([plan] + others, options)
    let acts = zip([plan] + others, cast).compactMap { plan, member in
      plan.scenario == .pocket
        ? UserAct(.background(member.name), after: options.scenario.backgroundAfter) : nil
    }
    self.init(
      plan, cast, acts, isScenario: false, places: PlaceScores(plan, rules: options.scoring),
      options: options, records: records, expecting: seconds)
  }

  /// The same for an app whose part is played by real code: `program` is what its process runs. `answer` is the user's
  /// answer to questions; `nil` grants them.
  package init(
    _ plan: RunPlan, beside others: [RunPlan] = [], running program: any VirtualProgram,
    declaring declaration: AppDeclaration,
    acts: [UserAct], options: ReplayOptions, records: Records, answer: Authorization?,
    expecting seconds: Double, observer: any RunObserver
  ) {
    var cast = Self.cast([plan] + others, options)
    cast[0] = CastMember(name: cast[0].name, declaration: declaration, program: program)
    self.init(
      plan, cast, acts, isScenario: records.contains(.events),
      places: PlaceScores(plan, rules: options.scoring), options: options, records: records,
      expecting: seconds, answer: answer, observer: observer)
  }

  /// A scenario. `plan` is the tracking of its apps if they leave that open; the quality figures cover its
  /// first app alone.
  package init(
    _ scenario: Scenario, tracking plan: RunPlan, options: ReplayOptions, records: Records = [],
    expecting seconds: Double = 0
  ) {
    var options = options
    if scenario.scriptsMemory {
      // Then nothing else reclaims the memory of a suspended app.
      options.rules.lifecycle.purgesAfter = Self.never
    }
    self.init(
      plan, scenario.apps.map { CastMember($0, tracking: plan, options) }, scenario.acts,
      isScenario: true, places: PlaceScores(scenario, rules: options.scoring), options: options,
      records: records, expecting: seconds)
  }

  /// The apps on the device, and their states.
  var stage: Stage {
    let engine = engine
    let lives = cast.indices.map { (cast[$0].name, engine.life(of: AppID(UInt32($0 + 1)))) }
    return Stage(
      apps: lives.map { ($0.0, $0.1?.state ?? .notRunning) },
      ending: Set(lives.lazy.filter { $0.1?.endsAt != nil }.map(\.0)))
  }

  private static func cast(_ plans: [RunPlan], _ options: ReplayOptions) -> [CastMember] {
    plans.enumerated().map { number, plan in
      var plan = plan
      plan.resumesOnMotion = options.device.platform != .phone
      return CastMember(
        plan, named: RunPlan.appName(number, of: plans), workTime: options.scenario.workTime)
    }
  }

  /// Seconds beyond any trace.
  private static let never = 1e9

  /// The service that decides for the apps, and their processes.
  static func host(
    _ cast: [CastMember], _ plan: RunPlan, _ options: ReplayOptions, _ records: Records,
    at time: ServiceTime
  ) -> VirtualHost {
    var rules = options.rules
    rules.feelsMotion = options.device.hasMotionSensor
    rules.platform = options.platform
    rules.hasWiFi = options.device.platform == .phone && options.device.hasWiFi
    var settings = ServiceSettings(
      release: Release.version, rules: rules,
      policy: cast.lazy.compactMap(\.policy).first ?? plan.policy ?? .ios,
      device: options.device, network: options.network)
    settings.hearsReceiver = true
    var host = VirtualHost(
      ServiceBeginning(
        settings: settings,
        host: ServiceHost(
          pid: 0, boot: "", socketPath: "", storePath: "", hasStore: false, freezer: "none"),
        clock: EngineClock(
          continuing: nil, boot: "", bootClock: time.at.microseconds, utc: time.utc)),
      at: time, batchBytes: { options.transferBytes($0) })
    host.configure { service in
      service.decisions.areKept = true
      service.meter.keepsLog = records.contains(.radioLog)
    }
    return host
  }
}
