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
  var onlyAcknowledges: Bool { true }

  mutating func beginProcess(_ reason: WakeReason?, at now: ServiceTime) {
    state = .notRunning
    finishesAt = reason == nil ? nil : now.at.advanced(bySeconds: workTime)
  }

  mutating func endProcess() { finishesAt = nil }

  mutating func hear(message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct]) {
    switch message {
    case .welcome(let welcome):
      state = welcome.state
      switch welcome.launchReason {
      case nil: acts += wishes
      case .motion?: acts += plan.start
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
    case .motion: acts += plan.start
    case .region, .visit:
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

  private var wishes: [ProgramAct] {
    let places = plan.regions.map { ProgramAct.say(.monitorRegion($0)) }
    return places + (plan.monitorsVisits ? [.say(.monitorVisits(true))] : []) + plan.tracking
  }
}

extension RunPlan {
  /// The app's requests for its tracking; if its updates pause and it can, it also monitors motion, to start them again.
  var tracking: [ProgramAct] {
    service != .significant && pausesAutomatically && resumesOnMotion
      ? [.say(.monitorMotion(true))] + start : start
  }

  /// The request for the service; regions are asked for apart.
  fileprivate var start: [ProgramAct] {
    switch mode {
    case .significant: return [.say(.start(.init(.significant)))]
    case .regions: return []
    case .visits: return [.say(.monitorVisits(true))]
    case .standard, .continuous, .cycled: break
    }
    return [.say(.start(.init(.standard, request)))]
  }

  /// The app's request for updates.
  var request: StandardRequest {
    var request = StandardRequest()
    request.pausesAutomatically = pausesAutomatically
    request.desiredAccuracy = desiredAccuracy
    request.distanceFilter = distanceFilter
    request.interval = interval
    return request
  }
}
