// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay

/// `milepost replay --format jsonl`: one object per line with `seq`, `time`, `event` and `app`.
package struct ReplayJSONLines: Sendable {
  private var sequence = 0
  /// A pause and a motion event change no state; they are told as events of the app in its state.
  private var states: [AppID: AppState] = [:]

  package init() {}

  /// Appends one event's line.
  package mutating func write(_ event: ReplayEvent, into bytes: inout [UInt8]) {
    sequence += 1
    var json = JSONWriter()
    json.object { json in
      json.member("seq", sequence)
      json.member("time", event.time.rfc3339)
      members(of: event, into: &json)
    }
    bytes += json.bytes
    bytes.append(0x0A)
  }

  /// Appends the last line.
  package mutating func finish(_ totals: ReplayTotals, into bytes: inout [UInt8]) {
    sequence += 1
    var json = JSONWriter()
    json.object { json in
      json.member("seq", sequence)
      json.member("time", totals.time.rfc3339)
      json.head("end", nil)
      json.members(
        CompareColumns.all.members(
          ModeFigures(totals.row, judged: totals.judged), in: .summary))
    }
    bytes += json.bytes
    bytes.append(0x0A)
  }

  /// Appends the last line of a recording.
  package mutating func finish(_ recording: DecidedRecording, into bytes: inout [UInt8]) {
    sequence += 1
    var json = JSONWriter()
    json.object { json in
      json.member("seq", sequence)
      json.member("time", recording.time.rfc3339)
      json.head("decided", nil)
      recording.writeMembers(into: &json)
    }
    bytes += json.bytes
    bytes.append(0x0A)
  }

  private mutating func members(of event: ReplayEvent, into json: inout JSONWriter) {
    switch event.kind {
    case .deliver(let app, let delivery):
      json.head("deliver", app, event.name)
      json.write(delivery)
    case .app(let app, let transition):
      json.head("app", app, event.name)
      states[app] = transition.to
      json.change(transition.from, transition.to, transition.reason.text)
    case .callbacks(let app, let callbacks):
      json.head("callbacks", app)
      json.key("callbacks")
      json.array { json in for callback in callbacks { json.string(callback.text) } }
    case .paused(let app):
      json.head("app", app, event.name)
      json.event(in: states[app], "updates paused")
    case .motion(let app):
      json.head("app", app, event.name)
      json.event(in: states[app], "told that the device moves")
    case .launch(let app, let options):
      json.head("launch", app, event.name)
      json.member("reason", options.reason.rawValue)
      json.key("options")
      json.object { json in json.member(options.reason.rawValue, true) }
    case .radio(let event):
      json.head("radio", nil)
      json.member("component", event.words.component)
      json.member("state", event.words.state)
    case .receiver(let plan):
      json.head("receiver", nil)
      json.member("plan", plan.name)
      if case .off(let off) = plan {
        json.member("reason", off.name)
      } else {
        json.member("reason", nil as String?)
      }
      json.member("until", event.time(of: plan)?.rfc3339)
    case .verdict(let app, _, let verdict, let fixTime):
      json.head("verdict", app, event.name)
      json.member("fix_time", fixTime?.rfc3339)
      json.member("verdict", verdict.outcome.rawValue)
      json.member("moved_m", verdict.moved, decimals: 1)
      json.member("since_s", verdict.since, decimals: 3)
      json.member("accuracy_m", verdict.accuracy, decimals: 1)
    case .gap(let start, let end, let cause):
      json.head("gap", nil)
      json.member("start", start.rfc3339)
      json.member("end", end.rfc3339)
      json.member("cause", cause)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func head(_ event: String, _ app: AppID?, _ name: String? = nil) {
    member("event", event)
    if let name { member("app", name) } else { member("app", app.map { Int($0.number) }) }
  }

  fileprivate mutating func change(_ from: AppState, _ to: AppState, _ reason: String) {
    member("from", from.rawValue)
    member("to", to.rawValue)
    member("reason", reason)
  }

  fileprivate mutating func event(in state: AppState?, _ reason: String) {
    change(state ?? .notRunning, state ?? .notRunning, reason)
  }

  fileprivate mutating func write(_ delivery: Delivery) {
    member("mode", delivery.service.rawValue)
    member("latitude", delivery.fix.coordinate.latitude, decimals: 7)
    member("longitude", delivery.fix.coordinate.longitude, decimals: 7)
    member("accuracy_m", delivery.fix.horizontalAccuracy, decimals: 1)
    member("fix_time", delivery.fix.time?.rfc3339)
    member("cached", delivery.isCached)
    member("moved_m", delivery.moved, decimals: 1)
    member("since_s", delivery.since, decimals: 3)
  }
}
