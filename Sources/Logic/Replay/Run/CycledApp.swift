// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore

// Theory
// ======
//
// A *duty cycle*: continuous updates while the device moves, none at a stay, armed by something that wakes the app. Core
// Location does not resume updates that it paused, so this is what apps do that need the way; MobilityNet measured it on
// iPhones and Nexus phones, with a region of 100 m around the last position, visits and significant changes together. On
// Android motion can arm it (the Activity Transition API), and there are no visits.
//
//              visit, or 5 min within 50 m:
//              updates off, region around here             region left, or visit over: updates on
//   tracking ────────────────────────────────► resting ────────────────────────────────────────► tracking
//
// What is lost at each start is the way until the system tells the exit, some 240 m, and until the first position then;
// with motion that of the sensor's window [ours: how late activity transitions are was not measured].
// An app that the system launched again knows from that, and from what it monitors, that it rests.

/// The program of an app that tracks while the device moves.
struct CycledApp: VirtualProgram {
  /// Metres of the region around the place of a rest [field: MobilityNet's apps].
  static let radius = 100.0
  /// Seconds without leaving `still` metres, or twice the accuracy, that end a trip [ours: as long as a stay].
  static let stillFor = 300.0
  static let still = 50.0

  private enum Phase: Sendable {
    case tracking
    case resting
  }

  private let plan: RunPlan
  private let arming: RunPlan.Arming
  private let workTime: Double
  private var phase = Phase.tracking
  private var state = AppState.notRunning
  private var finishesAt: EngineInstant?
  private var reference: (place: LocalFrame, since: EngineInstant)?

  init(_ plan: RunPlan, armedBy arming: RunPlan.Arming, workTime: Double) {
    self.plan = plan
    self.arming = arming
    self.workTime = workTime
  }

  var nextDeadline: EngineInstant? { finishesAt }

  mutating func beginProcess(_ reason: WakeReason?, at now: ServiceTime) {
    state = .notRunning
    phase = reason == nil ? .tracking : .resting
    reference = nil
    finishesAt = reason == nil ? nil : now.at.advanced(bySeconds: workTime)
  }

  mutating func endProcess() { finishesAt = nil }

  mutating func hear(message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct]) {
    switch message {
    case .welcome(let welcome):
      state = welcome.state
      if welcome.launchReason == nil {
        if arming != .changes, plan.system?.isAndroid != true {
          acts.append(.say(.monitorVisits(true)))
        }
        track(&acts)
      } else if welcome.launchReason == .motion, phase == .resting {
        track(&acts)
      }
    case .state(let new):
      if state == .background, new == .background, phase == .resting {
        finishesAt = now.at.advanced(bySeconds: workTime)
      }
      state = new
    case .location(let delivery, _):
      acts.append(.say(.acknowledge(delivery.sequence)))
      hear(delivery: delivery, at: now, into: &acts)
    case .region(let notice):
      if let number = notice.sequence { acts.append(.say(.acknowledge(number))) }
      if notice.event == .exited, phase == .resting { track(&acts) }
    case .visit(let notice):
      acts.append(.say(.acknowledge(notice.sequence)))
      switch (notice.event, phase) {
      case (.arrived, .tracking): rest(around: notice.visit.coordinate, &acts)
      case (.departed, .resting): track(&acts)
      case (.arrived, .resting), (.departed, .tracking): break
      }
    case .motion: if phase == .resting { track(&acts) }
    case .willTerminate, .authorization, .accuracy, .paused, .lost, .noFix,
      .requestFailed, .wake, .tasksExpire, .timeRemaining, .audioStopped, .notification,
      .notifications, .regionFailed, .heading, .deferralEnded, .version, .devices, .watch,
      .watchSentences, .sentences, .sky, .report, .poll, .ok, .error, .warning, .document:
      break
    }
  }

  mutating func pass(to now: ServiceTime) -> [ProgramAct] {
    finishesAt = nil
    return [.say(.done)]
  }

  private mutating func hear(
    delivery: Delivery, at now: ServiceTime, into acts: inout [ProgramAct]
  ) {
    guard !delivery.isCached else { return }
    switch phase {
    case .resting: if delivery.service == .significant, arming == .changes { track(&acts) }
    case .tracking:
      let fix = delivery.fix
      let within = max(Self.still, 2 * (fix.horizontalAccuracy ?? 0))
      guard let reference, reference.place.distance(to: fix.coordinate) <= within else {
        reference = (LocalFrame(origin: fix.coordinate), now.at)
        return
      }
      guard EngineInstant.seconds(from: reference.since, to: now.at) >= Self.stillFor else {
        return
      }
      rest(around: fix.coordinate, &acts)
    }
  }

  private mutating func track(_ acts: inout [ProgramAct]) {
    (phase, finishesAt, reference) = (.tracking, nil, nil)
    switch arming {
    case .region: acts.append(.say(.stopMonitoringRegion("here")))
    case .changes: acts.append(.say(.stop(.significant)))
    case .motion: acts.append(.say(.monitorMotion(false)))
    case .visits: break
    }
    acts.append(.say(.start(.init(.standard, plan.request))))
  }

  private mutating func rest(around place: Coordinate, _ acts: inout [ProgramAct]) {
    (phase, reference) = (.resting, nil)
    acts.append(.say(.stop(.standard)))
    switch arming {
    case .region:
      let here = MonitoredRegion(
        "here", centre: place, radius: Self.radius, notifiesOnEntry: false)
      acts.append(.say(.monitorRegion(here)))
    case .changes: acts.append(.say(.start(.init(.significant))))
    case .motion: acts.append(.say(.monitorMotion(true)))
    case .visits: break
    }
  }
}
