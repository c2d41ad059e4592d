// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import ServiceCore

// Theory
// ======
//
// The program of the built-in scenarios:
//
//   launched by its user:    asks for its regions and the service (and for motion, if it pauses)
//   relaunched, or woken:    works 2 s of its budget, then says that it is through
//   motion (after a pause):  asks for updates again, also if that has launched it
//   a location, a region:    acknowledges it
//
// One that watches a circle monitors significant changes, which begin with the last known place or with the first one,
// draws the circle around that, and then stops; and the same again when the circle was left.
//
// Nothing is said before a suspension; so an app that hears that it is in the background, and already was,
// has been woken.

/// One app's program in a scenario.
struct ScriptedApp: VirtualProgram {
  private let plan: RunPlan
  private let workTime: Double
  /// Whether it has asked for its services in this life.
  private var state = AppState.notRunning
  private var finishesAt: EngineInstant?

  init(_ plan: RunPlan, workTime: Double) {
    self.plan = plan
    self.workTime = workTime
  }

  var nextDeadline: EngineInstant? { finishesAt }
  var onlyAcknowledges: Bool { plan.watch != .circle }

  mutating func begin(_ reason: WakeReason?, at now: ServiceTime) {
    state = .notRunning
    finishesAt = reason == nil ? nil : now.at.advanced(bySeconds: workTime)
  }

  mutating func end() { finishesAt = nil }

  mutating func hear(_ message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct]) {
    switch message {
    case .welcome(let welcome):
      state = welcome.state
      switch welcome.launchReason {
      case nil: acts += wishes
      case .motion?: acts.append(plan.start)
      case .location?, .region?, .visit?, .fetch?, .keepAlive?, .socket?, .push?, .locationPush?,
        .newsstand?, .accessory?, .bluetooth?, .boot?, .crash?:
        break
      }
    case .state(let new):
      if state == .background, new == .background {
        finishesAt = now.at.advanced(bySeconds: workTime)
      }
      state = new
    case .location(let delivery, _):
      acts.append(.say(.acknowledge(delivery.sequence)))
      if plan.watch == .circle {
        acts += [circle(around: delivery.fix), .say(.stop(.significant))]
      }
    case .motion: acts.append(plan.start)
    case .region(let notice):
      if let number = message.sequence { acts.append(.say(.acknowledge(number))) }
      if plan.watch == .circle, notice.event == .exited { acts.append(plan.start) }
    case .visit:
      if let number = message.sequence { acts.append(.say(.acknowledge(number))) }
    case .willTerminate, .authorization, .accuracy, .paused, .lost, .noFix, .requestFailed, .wake,
      .tasksExpire, .timeRemaining, .audioStopped, .notification, .notifications, .regionFailed,
      .heading, .deferralEnded, .version, .devices, .watch, .watchSentences, .sentences, .sky,
      .report, .poll, .ok, .error, .warning, .document:
      break
    }
  }

  mutating func pass(to now: ServiceTime) -> [ProgramAct] {
    finishesAt = nil
    return [.say(.done)]
  }

  private func circle(around fix: Fix) -> ProgramAct {
    .say(
      .monitorRegion(
        MonitoredRegion(
          "here", centre: fix.coordinate, radius: RunPlan.Watch.radius, notifiesOnEntry: false)))
  }

  private var wishes: [ProgramAct] {
    let places = plan.regions.map { ProgramAct.say(.monitorRegion($0)) }
    return places + (plan.monitorsVisits ? [.say(.monitorVisits(true))] : []) + plan.tracking
  }
}

extension RunPlan {
  /// The app's requests for its tracking; if its updates pause and it can, it also monitors motion, to start them again.
  var tracking: [ProgramAct] {
    service != .significant && pausesAutomatically && resumesOnMotion
      ? [.say(.monitorMotion(true)), start] : [start]
  }

  fileprivate var start: ProgramAct {
    switch mode {
    case .significant, .regions: return .say(.start(.init(.significant)))
    case .visits: return .say(.monitorVisits(true))
    case .standard, .continuous, .cycled: break
    }
    var request = StandardRequest()
    request.pausesAutomatically = pausesAutomatically
    request.desiredAccuracy = desiredAccuracy
    return .say(.start(.init(.standard, request)))
  }
}
