// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

extension ServerMessage {
  /// The message as it goes over the wire: one line with its line feed. `id` is what the client called
  /// the message that this answers; it is the last member.
  package func encode(id: String? = nil) -> [UInt8] {
    var json = JSONWriter()
    if case .document(let text) = self {
      json = JSONWriter(continuing: text)
    } else {
      write(into: &json)
    }
    if let id { json.extendObject { $0.member("id", id) } }
    return json.bytes + [0x0A]
  }

  private func write(into json: inout JSONWriter) {
    switch self {
    case .version(let release): GPSDObjects.writeVersion(release, into: &json)
    case .devices(let devices): GPSDObjects.writeDevices(devices, into: &json)
    case .watch(let isOn): GPSDObjects.writeWatch(isOn, into: &json)
    case .report(let fix, let device): GPSDObjects.writeReport(fix, device: device, into: &json)
    case .poll(let fix, let device, let time):
      GPSDObjects.writePoll(fix, device: device, at: time, into: &json)
    case .document: break
    default:
      json.object { json in
        json.member("class", className)
        writeMembers(into: &json)
      }
    }
  }

  /// The `class` of those that are not gpsd's.
  private var className: String {
    switch self {
    case .welcome: "WELCOME"
    case .location: "LOCATION"
    case .state: "STATE"
    case .willTerminate: "WILL_TERMINATE"
    case .authorization: "AUTHORIZATION"
    case .paused: "PAUSED"
    case .motion: "MOTION"
    case .lost: "LOST"
    case .noFix: "NO_FIX"
    case .requestFailed: "REQUEST_FAILED"
    case .ok: "OK"
    case .error: "ERROR"
    case .warning: "WARNING"
    case .version, .devices, .watch, .report, .poll, .document: ""
    }
  }

  private func writeMembers(into json: inout JSONWriter) {
    switch self {
    case .welcome(let welcome): welcome.write(into: &json)
    case .location(let delivery, let received): delivery.write(received: received, into: &json)
    case .state(let state): json.member("state", state.rawValue)
    case .willTerminate(let seconds):
      json.key("remaining_s")
      json.exact(seconds)
    case .authorization(let level): json.member("authorization", level.rawValue)
    case .lost(let count): json.member("count", Int(clamping: count))
    case .noFix(let reason), .requestFailed(let reason): json.member("reason", reason)
    case .error(let code, let message), .warning(let code, let message):
      json.member("message", message)
      json.member("code", code.rawValue)
    case .paused, .motion, .ok, .version, .devices, .watch, .report, .poll, .document: break
    }
  }
}

extension ServerMessage.Welcome {
  fileprivate func write(into json: inout JSONWriter) {
    json.member("release", release)
    json.member("app", app)
    json.member("state", state.rawValue)
    json.member("authorization", authorization.rawValue)
    json.member("launch_reason", launchReason?.rawValue)
    json.member("monitors_significant_changes", monitorsSignificantChanges)
    json.member("acknowledged", Int(clamping: acknowledged))
  }
}

extension Delivery {
  /// The members of `LOCATION`; what a handler reads on stdin has the same.
  fileprivate func write(received: UTCInstant, into json: inout JSONWriter) {
    json.member("sequence", Int(clamping: sequence))
    json.member("service", service.rawValue)
    json.member("received", received.rfc3339)
    json.member("cached", isCached)
    json.member("moved_m", moved, decimals: 1)
    json.member("since_s", since, decimals: 3)
    json.key("fix")
    FixObject.write(fix, into: &json)
  }
}
