// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
package import JSONText
package import LocationEngine
import LocationModel

extension EngineCommand {
  /// The command as it stands in a recording: one JSON value without line feeds.
  package var recordedText: String {
    var json = JSONWriter()
    write(into: &json)
    return json.text
  }

  private var recordedName: String {
    switch self {
    case .transition: "transition"
    case .launch: "launch"
    case .deliver: "deliver"
    case .verdict: "verdict"
    case .motion: "motion"
    case .paused: "paused"
    case .receiver: "receiver"
    case .requestNetworkPosition: "request_network_position"
    case .listen: "listen"
    case .ignored: "ignored"
    }
  }

  package func write(into json: inout JSONWriter) {
    if self == .requestNetworkPosition { return json.string(recordedName) }
    json.object { json in
      json.key(recordedName)
      switch self {
      case .ignored(let app, let input): input.write(of: app, into: &json)
      case .listen(let triggers):
        json.array { json in
          if triggers.contains(.cells) { json.string("cells") }
          if triggers.contains(.motion) { json.string("motion") }
        }
      default: json.object { writeMembers(into: &$0) }
      }
    }
  }

  private func writeMembers(into json: inout JSONWriter) {
    switch self {
    case .transition(let app, let transition):
      json.member("app", Int(app.number))
      json.member("from", transition.from.rawValue)
      json.member("to", transition.to.rawValue)
      json.member("reason", transition.reason.recordedName)
      json.known("for", transition.reason.wakeReason?.rawValue)
    case .launch(let app, let options):
      json.member("app", Int(app.number))
      json.member("reason", options.reason.rawValue)
    case .deliver(let app, let delivery):
      json.member("app", Int(app.number))
      json.whole("sequence", delivery.sequence)
      json.member("service", delivery.service.rawValue)
      json.member("cached", delivery.isCached)
      json.exact("moved_m", delivery.moved)
      json.exact("since_s", delivery.since)
      json.key("fix")
      json.fix(delivery.fix)
    case .verdict(let app, let service, let verdict, let fixTime):
      json.member("app", Int(app.number))
      json.member("service", service.rawValue)
      json.member("outcome", verdict.outcome.rawValue)
      json.exact("moved_m", verdict.moved)
      json.exact("moved_required_m", verdict.movedRequired)
      json.exact("since_s", verdict.since)
      json.exact("since_required_s", verdict.sinceRequired)
      json.exact("accuracy_m", verdict.accuracy)
      json.time("fix_time", fixTime)
    case .motion(let app), .paused(let app): json.member("app", Int(app.number))
    case .receiver(let plan): plan.writeMembers(into: &json)
    case .requestNetworkPosition, .listen, .ignored: break
    }
  }

  package init(recorded value: JSONValue?) throws(RecordingError) {
    let (name, value) = try Members.choice(value, "command")
    switch name {
    case "request_network_position": self = .requestNetworkPosition
    case "listen":
      var triggers: Triggers = []
      for trigger in value?.array ?? [] {
        switch trigger.string {
        case "cells": triggers.insert(.cells)
        case "motion": triggers.insert(.motion)
        default: throw RecordingError("a trigger of 'listen' is not known here")
        }
      }
      self = .listen(triggers)
    case "ignored":
      let members = try Members(value, name)
      self = .ignored(try members.app("id"), try AppInput(recorded: members))
    default: try self.init(name, Members(value, name))
    }
  }

  private init(_ name: String, _ members: Members) throws(RecordingError) {
    switch name {
    case "transition":
      self = .transition(
        try members.app(),
        LifecycleTransition(
          from: try members.raw("from"), to: try members.raw("to"),
          reason: try LifecycleTransition.Reason(recorded: members)))
    case "launch":
      self = .launch(try members.app(), LaunchOptions(reason: try members.raw("reason")))
    case "deliver":
      self = .deliver(
        try members.app(),
        Delivery(
          sequence: try members.whole("sequence"), service: try members.raw("service"),
          fix: try Fix(recorded: members.value["fix"], "fix"),
          isCached: try members.bool("cached"), moved: try members.numberIfKnown("moved_m"),
          since: try members.numberIfKnown("since_s")))
    case "verdict":
      let verdict = Verdict(
        try members.raw("outcome"), moved: try members.numberIfKnown("moved_m"),
        movedRequired: try members.numberIfKnown("moved_required_m"),
        since: try members.numberIfKnown("since_s"),
        sinceRequired: try members.numberIfKnown("since_required_s"),
        accuracy: try members.numberIfKnown("accuracy_m"))
      self = .verdict(
        try members.app(), try members.raw("service"), verdict,
        fixTime: try members.time("fix_time"))
    case "motion": self = .motion(try members.app())
    case "paused": self = .paused(try members.app())
    case "receiver": self = .receiver(try ReceiverPlan(recorded: members))
    default: throw RecordingError("the command '\(name.prefix(60))' is not known here")
    }
  }
}

extension ReceiverPlan {
  fileprivate func writeMembers(into json: inout JSONWriter) {
    json.member("plan", name)
    guard case .off(let off) = self else { return }
    json.member("reason", off.name)
    if let until = off.until { json.whole("until_us", until.microseconds) }
  }

  fileprivate init(recorded members: Members) throws(RecordingError) {
    switch try members.text("plan") {
    case "continuous": self = .continuous
    case "session": self = .session
    case "off": self = .off(try Off(recorded: members))
    default: throw members.failure("plan", "off, session or continuous")
    }
  }
}

extension ReceiverPlan.Off {
  fileprivate init(recorded members: Members) throws(RecordingError) {
    switch try members.text("reason") {
    case "nobody_asks": self = .nobodyAsks
    case "nobody_runs": self = .nobodyRuns
    case "awaits_cell_change": self = .awaitsCellChange
    case "awaits_session":
      self = .awaitsSession(try members.instant("until_us"))
    case "awaits_hint":
      self = .awaitsHint(try members.instant("until_us"))
    case "awaits_motion": self = .awaitsMotion
    case "paused": self = .paused
    default: throw members.failure("reason", "known here")
    }
  }
}
