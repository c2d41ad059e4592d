// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

// Theory
// ======
//
// What the app and its user do in the built-in scenarios, as answers to what happens to them:
//
//   start:                   register, launch, ask for the service (and for motion, where it pauses)
//   pocket, after 60 s:      the user puts the app away
//   woken or relaunched:     works 2 s of its budget, then says that it has finished
//   motion (after a pause):  asks for updates again
//
// In the foreground scenario nothing happens after the start. With a driver, none of this happens: it
// plays the app and its user.

/// One app's part in a scenario.
struct AppScript: Sendable {
  let app: AppID

  private let plan: RunPlan
  private let timing: ScenarioTiming
  private var leavesAt: EngineInstant?
  private var finishesAt: EngineInstant?
  private let driver: (any AppDriver)?

  init(
    _ plan: RunPlan, as app: AppID, timing: ScenarioTiming, driver: (any AppDriver)? = nil
  ) {
    self.app = app
    self.plan = plan
    self.timing = timing
    self.driver = driver
  }

  var nextDeadline: EngineInstant? {
    if let driver { return driver.nextDeadline }
    return scriptedDeadline
  }

  private var scriptedDeadline: EngineInstant? {
    switch (leavesAt, finishesAt) {
    case (let a?, let b?): min(a, b)
    case (let only?, nil), (nil, let only?): only
    case (nil, nil): nil
    }
  }

  /// What happens at the very start.
  mutating func begin(at now: EngineInstant, _ time: UTCInstant) -> [AppInput] {
    if let driver { return driver.begin(at: now, time) }
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = plan.service == .continuous
    if plan.scenario == .pocket { leavesAt = now.advanced(bySeconds: timing.backgroundAfter) }
    var inputs: [AppInput] = [.registered(declaration), .launched]
    switch plan.service {
    case .standard, .continuous:
      if plan.pausesAutomatically { inputs.append(.startMonitoringMotion) }
      inputs.append(.startUpdating(request))
    case .significant: inputs.append(.startMonitoringSignificantChanges)
    }
    return inputs
  }

  /// What the app and its user do now, where it is time.
  mutating func due(at now: EngineInstant, _ time: UTCInstant) -> AppInput? {
    if let driver { return driver.due(at: now, time) }
    if let leaves = leavesAt, leaves <= now {
      leavesAt = nil
      return .enteredBackground
    }
    if let finishes = finishesAt, finishes <= now {
      finishesAt = nil
      return .finishedWork
    }
    return nil
  }

  /// What a driven app does about a command; a scripted one has its answers below.
  func heard(
    _ command: EngineCommand, at now: EngineInstant, _ time: UTCInstant
  ) -> [AppInput] {
    driver?.heard(command, at: now, time) ?? []
  }

  /// The system woke or relaunched the app.
  mutating func wasRoused(at now: EngineInstant) {
    guard driver == nil else { return }
    finishesAt = now.advanced(bySeconds: timing.workTime)
  }

  /// The motion that the app waited for has begun.
  func moved() -> AppInput? { driver == nil ? .startUpdating(request) : nil }

  private var request: StandardRequest {
    var request = StandardRequest()
    request.pausesAutomatically = plan.pausesAutomatically
    return request
  }
}
