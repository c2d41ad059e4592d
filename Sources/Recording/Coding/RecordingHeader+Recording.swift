// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import JSONText
import LocationEngine
import LocationModel

extension RecordingHeader {
  /// The `class` of the first line, by which a file is recognised.
  package static let className = "MILEPOST_RECORDING"

  func write(into json: inout JSONWriter) {
    json.object { json in
      json.member("class", Self.className)
      json.member("version", Self.version)
      json.member("release", release)
      json.time("started", started)
      json.whole("started_at_us", startedAt.microseconds)
      json.key("rules")
      json.object { rules.writeMembers(into: &$0) }
      json.key("policy")
      json.object { policy.writeMembers(into: &$0) }
      json.member("device_profile", deviceProfile)
      json.known("network_profile", networkProfile)
      json.exact("receiver_hold_s", receiverHold)
      json.member("receiver", receiver.rawValue)
      json.known("snapshot", snapshot)
    }
  }

  init(recorded value: JSONValue) throws(RecordingError) {
    let members = try Members(value, "the first line")
    guard try members.text("class") == Self.className else {
      throw RecordingError("not a recording: its class is not \(Self.className)")
    }
    let version: Int = try members.whole("version")
    guard version == Self.version else {
      throw RecordingError(
        "a recording of version \(version), and this release reads version \(Self.version); use the "
          + "release that made it")
    }
    guard let started = try members.time("started") else {
      throw members.failure("started", "a time")
    }
    self.init(
      release: try members.text("release"), started: started,
      startedAt: try members.instant("started_at_us"),
      rules: try EngineRules(recorded: Members(members.value["rules"], "rules")),
      policy: try PolicySettings(recorded: Members(members.value["policy"], "policy")),
      deviceProfile: try members.text("device_profile"),
      networkProfile: try members.textIfKnown("network_profile"),
      receiverHold: try members.number("receiver_hold_s"), receiver: try members.raw("receiver"),
      snapshot: try members.textIfKnown("snapshot"))
  }
}

extension EngineRules {
  fileprivate func writeMembers(into json: inout JSONWriter) {
    json.key("era")
    json.object { json in
      json.member("name", era.name)
      json.member("standard_while_suspended", era.standardWhileSuspended.rawValue)
      json.member("background_needs_request_flag", era.backgroundNeedsRequestFlag)
      json.member("relaunch_needs_always", era.relaunchNeedsAlways)
      json.member("relaunches_after_force_quit", era.relaunchesAfterForceQuit)
      json.member("enters_background_on_launch", era.entersBackgroundOnLaunch)
    }
    json.exact("suspends_after_s", lifecycle.suspendsAfter)
    json.exact("purges_after_s", lifecycle.purgesAfter)
    json.exact("wake_budget_s", lifecycle.wakeBudget)
    json.exact("exits_after_s", lifecycle.exitsAfter)
    json.exact("significant_distance_m", significantDistance)
    json.exact("significant_interval_s", significantInterval)
    json.exact("pauses_after_s", pausesAfter)
    json.exact("still_radius_m", stillRadius)
    json.exact("coarsest_accuracy_m", coarsestAccuracy)
  }

  fileprivate init(recorded members: Members) throws(RecordingError) {
    self.init()
    let era = try Members(members.value["era"], "era")
    self.era.name = try era.text("name")
    self.era.standardWhileSuspended = try era.raw("standard_while_suspended")
    self.era.backgroundNeedsRequestFlag = try era.bool("background_needs_request_flag")
    self.era.relaunchNeedsAlways = try era.bool("relaunch_needs_always")
    self.era.relaunchesAfterForceQuit = try era.bool("relaunches_after_force_quit")
    self.era.entersBackgroundOnLaunch = try era.bool("enters_background_on_launch")
    lifecycle.suspendsAfter = try members.seconds("suspends_after_s")
    lifecycle.purgesAfter = try members.seconds("purges_after_s")
    lifecycle.wakeBudget = try members.seconds("wake_budget_s")
    lifecycle.exitsAfter = try members.seconds("exits_after_s")
    significantDistance = try members.number("significant_distance_m")
    significantInterval = try members.seconds("significant_interval_s")
    pausesAfter = try members.seconds("pauses_after_s")
    stillRadius = try members.number("still_radius_m")
    coarsestAccuracy = try members.number("coarsest_accuracy_m")
  }
}

extension PolicySettings {
  fileprivate func writeMembers(into json: inout JSONWriter) {
    json.member("name", name)
    json.key("senses")
    json.array { json in
      if senses.contains(.cells) { json.string("cells") }
      if senses.contains(.motion) { json.string("motion") }
    }
    if let seed { json.whole("seed", seed) }
    json.exact("interval_s", interval)
    json.exact("timeout_s", timeout)
    json.exact("accuracy_m", accuracy)
    json.exact("hot_start_ln_s", hotStart)
    json.exact("receiver_hold_s", receiverHold)
  }

  fileprivate init(recorded members: Members) throws(RecordingError) {
    var senses: Senses = []
    for sense in members.value["senses"]?.array ?? [] {
      switch sense.string {
      case "cells": senses.insert(.cells)
      case "motion": senses.insert(.motion)
      default: throw members.failure("senses", "known here")
      }
    }
    self.init(name: try members.text("name"), senses: senses)
    seed = members.has("seed") ? try members.whole("seed") : nil
    interval = members.has("interval_s") ? try members.seconds("interval_s") : nil
    timeout = members.has("timeout_s") ? try members.seconds("timeout_s") : nil
    accuracy = try members.numberIfKnown("accuracy_m")
    hotStart = members.has("hot_start_ln_s") ? try members.logarithm("hot_start_ln_s") : nil
    receiverHold =
      members.has("receiver_hold_s") ? try members.seconds("receiver_hold_s") : nil
  }
}

extension Members {
  /// A span that the engine can add to an instant without leaving its axis.
  fileprivate func seconds(_ key: String) throws(RecordingError) -> Double {
    let value = try number(key)
    guard (0...1e9).contains(value) else { throw failure(key, "from 0 to 1e9 seconds") }
    return value
  }

  /// The logarithm of a span of seconds.
  fileprivate func logarithm(_ key: String) throws(RecordingError) -> Double {
    let value = try number(key)
    guard (-20...20).contains(value) else { throw failure(key, "from -20 to 20") }
    return value
  }
}
