// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

extension ClientMessage {
  /// The message's word: `HELLO` of `?HELLO={...};`.
  package var name: String { word.rawValue }

  /// The words of all messages.
  enum Word: String, CaseIterable {
    case hello = "HELLO"
    case start = "START"
    case stop = "STOP"
    case request = "REQUEST"
    case motion = "MOTION"
    case authorize = "AUTHORIZE"
    case acknowledge = "ACK"
    case done = "DONE"
    case version = "VERSION"
    case devices = "DEVICES"
    case watch = "WATCH"
    case poll = "POLL"
    case status = "STATUS"
    case apps = "APPS"
    case app = "APP"
    case add = "ADD"
    case update = "UPDATE"
    case remove = "REMOVE"
    case set = "SET"
    case control = "CONTROL"
    case log = "LOG"
    case explain = "EXPLAIN"
    case reload = "RELOAD"
    case events = "EVENTS"
    case resend = "RESEND"
    case discard = "DISCARD"
  }

  var word: Word {
    switch self {
    case .hello: .hello
    case .start: .start
    case .stop: .stop
    case .requestLocation: .request
    case .monitorMotion: .motion
    case .requestAuthorization: .authorize
    case .acknowledge: .acknowledge
    case .done: .done
    case .version: .version
    case .devices: .devices
    case .watch: .watch
    case .poll: .poll
    case .status: .status
    case .apps: .apps
    case .app: .app
    case .add: .add
    case .update: .update
    case .remove: .remove
    case .authorize: .set
    case .control: .control
    case .log: .log
    case .explain: .explain
    case .reload: .reload
    case .events: .events
    case .resend: .resend
    case .discard: .discard
    }
  }

  /// Whether a gpsd client on a TCP port may say this.
  package var isForGPSDClients: Bool {
    switch word {
    case .version, .devices, .watch, .poll: true
    default: false
    }
  }

  /// The message as it goes over the wire, its line end included; `id` is what the client calls it, and
  /// what its answer will bear.
  package func encode(id: String? = nil) -> [UInt8] {
    var json = JSONWriter()
    writeMembers(into: &json)
    if let id { json.extendObject { $0.member("id", id) } }
    var bytes = Array("?\(name)".utf8)
    if !json.bytes.isEmpty {
      bytes.append(UInt8(ascii: "="))
      bytes += json.bytes
    }
    return bytes + [UInt8(ascii: ";"), 0x0A]
  }

  /// Nothing where the message has no members.
  private func writeMembers(into json: inout JSONWriter) {
    switch self {
    case .requestLocation(let accuracy):
      if accuracy != -1 {
        json.object { json in
          json.key("desired_accuracy_m")
          json.exact(accuracy)
        }
      }
    case .done, .version, .devices, .poll, .status, .apps, .reload: break
    case .hello(let hello):
      json.object { json in
        json.member("app", hello.app)
      }
    case .start(let start): json.object { start.write(into: &$0) }
    case .stop(let service): json.object { $0.member("service", service.rawValue) }
    case .monitorMotion(let isOn), .watch(let isOn):
      json.object { json in
        json.member("enable", isOn)
        if word == .watch { json.member("json", true) }
      }
    case .requestAuthorization(let level):
      json.object { $0.member("authorization", level.rawValue) }
    case .acknowledge(let sequence): json.object { $0.member("sequence", Int(clamping: sequence)) }
    case .app(let app), .remove(let app), .explain(let app), .events(let app):
      json.object { $0.member("app", app) }
    case .resend(let app, let number), .discard(let app, let number):
      json.object { json in
        json.member("app", app)
        if let number { json.count("sequence", number) }
      }
    case .add(let manifest), .update(let manifest):
      json.object { json in
        json.member("file", manifest.file)
        json.member("directory", manifest.directory)
        json.member("manifest_base64", Base64.text(manifest.bytes))
        if let command = manifest.command {
          json.key("command")
          json.array { json in for word in command { json.string(word) } }
        }
      }
    case .authorize(let app, let level):
      json.object { json in
        json.member("app", app)
        json.member("authorization", level.rawValue)
      }
    case .control(let app, let action):
      json.object { json in
        json.member("app", app)
        json.member("action", action.rawValue)
      }
    case .log(let app, let count):
      json.object { json in
        json.member("app", app)
        json.member("count", count)
      }
    }
  }
}

extension ClientMessage.ServiceRequest {
  /// The members that only standard updates have.
  static let standardMembers = [
    "desired_accuracy_m", "distance_filter_m", "pauses_automatically", "allows_background_updates",
  ]

  fileprivate func write(into json: inout JSONWriter) {
    json.member("service", service.rawValue)
    guard service != .significant else { return }
    json.key("desired_accuracy_m")
    json.exact(request.desiredAccuracy)
    json.key("distance_filter_m")
    json.exact(request.distanceFilter)
    json.member("pauses_automatically", request.pausesAutomatically)
    json.member("allows_background_updates", request.allowsBackgroundUpdates)
  }
}
