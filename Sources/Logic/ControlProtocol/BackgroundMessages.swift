// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

// Messages about apps' background work besides locations, and about events of apps and of the device.

/// A background task that begins.
package struct BackgroundTask: Sendable, Equatable, Codable {
  /// Its name within its process.
  package var id: UInt32
  /// For people; may be empty.
  package var name: String

  package init(id: UInt32, name: String) {
    self.id = id
    self.name = name
  }
}

extension ClientMessage {
  static let backgroundForms: [MessageForm<ClientMessage>] = [
    .init(
      "BEGIN_TASK", BackgroundTask(id: 0, name: ""),
      JSONTable { task in
        task.field("task", \.id, .count)
        task.option("name", \.name, String.json, where: { !$0.name.isEmpty })
      }, { .beginTask(id: $0.id, name: $0.name) }
    ) {
      if case .background(.beginTask(let id, let name)) = $0 {
        BackgroundTask(id: id, name: name)
      } else {
        nil
      }
    },
    .init("END_TASK", "task", JSONForm<UInt32>.count, ClientMessage.endTask) {
      if case .background(.endTask(let id)) = $0 { id } else { nil }
    },
    .init("TIME_REMAINING", .timeRemaining),
    .init(
      "FETCH", "interval_s", .nullable(.number(in: 0...1e9)), ClientMessage.setFetchInterval
    ) {
      if case .background(.setFetchInterval(let interval)) = $0 { .some(interval) } else { nil }
    },
    .init(
      "KEEP_ALIVE", "interval_s", .nullable(.number(in: 0...1e9)), ClientMessage.setKeepAlive
    ) {
      if case .background(.setKeepAlive(let interval)) = $0 { .some(interval) } else { nil }
    },
    .init("SOCKET", "enable", Bool.json, ClientMessage.watchSocket) {
      if case .background(.watchSocket(let isOn)) = $0 { isOn } else { nil }
    },
    .init("AUDIO", "enable", Bool.json, ClientMessage.audio) {
      if case .background(.audio(let isOn)) = $0 { isOn } else { nil }
    },
    .init(
      "RETURN", (.fetch, nil),
      JSONTable<(WakeReason, FetchResult?)> { handler in
        handler.field("reason", \.0)
        handler.option("result", \.1, FetchResult.json)
      }, { .returned($0.0, $0.1) }
    ) {
      if case .background(.returned(let reason, let result)) = $0 { (reason, result) } else { nil }
    },
    .init("NOTIFY", LocalNotification(""), LocalNotification.table, ClientMessage.schedule) {
      if case .background(.schedule(let notification)) = $0 { notification } else { nil }
    },
    .init("CANCEL", "identifier", String?.json, ClientMessage.cancelNotification) {
      if case .background(.cancelNotification(let identifier)) = $0 {
        .some(identifier)
      } else {
        nil
      }
    },
    .init("NOTIFICATIONS", .notifications),
    .init(
      "EVENT", ("", .push), ofApp("reason", WakeReason.json), { .event($0.0, $0.1) },
      { if case .user(.event(let app, let reason)) = $0 { (app, reason) } else { nil } }),
    .init("DEVICE", DeviceMessage(), DeviceMessage.table, { $0.event.map { .device($0) } }) {
      if case .user(.device(let event)) = $0 { DeviceMessage(event) } else { nil }
    },
  ]
}

extension ServerMessage {
  static let backgroundForms: [MessageForm<ServerMessage>] = [
    .init(
      "WAKE", (.fetch, nil),
      JSONTable<(WakeReason?, Double?)> { wake in
        wake.field("reason", \.0, .known)
        wake.field("remaining_s", \.1, .number(in: 0...1e15))
      }, { parts in parts.0.map { .wake($0, seconds: parts.1) } }
    ) {
      if case .wake(let reason, let seconds) = $0 { (reason, seconds) } else { nil }
    },
    .init(
      "TASKS_EXPIRE", ([], 0),
      JSONTable<([UInt32], Double)> { expiry in
        expiry.field("tasks", \.0, .array(of: .count))
        expiry.field("remaining_s", \.1, .number(in: 0...1e15))
      }, { .tasksExpire($0.0, seconds: $0.1) }
    ) {
      if case .tasksExpire(let tasks, let seconds) = $0 { (tasks, seconds) } else { nil }
    },
    .init(
      "TIME_REMAINING", "remaining_s", .nullable(.number(in: 0...1e15)),
      ServerMessage.timeRemaining
    ) {
      if case .timeRemaining(let seconds) = $0 { .some(seconds) } else { nil }
    },
    .init("AUDIO_STOPPED", .audioStopped),
    .init(
      "NOTIFICATION", LocalNotification(""), LocalNotification.table, ServerMessage.notification
    ) {
      if case .notification(let notification) = $0 { notification } else { nil }
    },
    .init(
      "NOTIFICATIONS", "notifications", [LocalNotification].json, ServerMessage.notifications
    ) {
      if case .notifications(let all) = $0 { all } else { nil }
    },
  ]
}

extension LocalNotification: JSONObject {
  package static let empty = LocalNotification("")
  package static let table = JSONTable<Self> { notification in
    notification.field("identifier", \.identifier, .text(upTo: 256))
    notification.option("fire", \.fire, UTCInstant.json)
    notification.option("zone", \.zone, CivilZone.form)
    notification.option("repeats", \.repeats, CalendarUnit.json)
    notification.option("body", \.body, .text(upTo: 4_096), where: { !$0.body.isEmpty })
    notification.option("badge", \.badge, Int.json)
    notification.option("sound", \.sound, .text(upTo: 256))
    notification.option("user_info", \.userInfo, .text(upTo: LocalNotification.userInfoLimit))
  }
}

extension CivilZone {
  /// `{"name":"Europe/Berlin","offsets":[{"from":…,"offset_s":3600},…]}`.
  fileprivate static let form = JSONForm<CivilZone>(parts.shape) { zone, json in
    parts.write((zone.name, zone.offsets), &json)
  } read: { (json, place) throws(InputError) in
    let (name, offsets) = try parts.read(json, place)
    guard let zone = CivilZone(name: name, offsets: offsets) else {
      throw place.wrong(json, "a zone with at least one offset, in order of time")
    }
    return zone
  }

  private static let parts = JSONTable<(String, [Offset])> { zone in
    zone.field("name", \.0, .text(upTo: 64))
    zone.field("offsets", \.1, .array(of: Offset.table.form(reading: Offset.empty)))
  }.form(reading: ("", []))
}

extension CivilZone.Offset {
  fileprivate static let empty = Self(from: .epoch, seconds: 0)
  fileprivate static let table = JSONTable<Self> { offset in
    offset.field("from", \.from)
    offset.field("offset_s", \.seconds, .whole(in: -86_400...86_400))
  }
}

/// `DEVICE`: the event and its members.
private struct DeviceMessage {
  var kind = Kind.unlocked
  var isOn: Bool?
  var megabytes: Double?

  enum Kind: String, JSONWord {
    case lowPower = "low_power"
    case backgroundRefresh = "background_refresh"
    case networkChanged = "network_changed"
    case memoryNeeded = "memory_needed"
    case rebooted
    case unlocked
    case call
  }

  init() {}

  init(_ event: DeviceEvent) {
    switch event {
    case .lowPower(let isOn): (kind, self.isOn) = (.lowPower, isOn)
    case .backgroundRefresh(let isOn): (kind, self.isOn) = (.backgroundRefresh, isOn)
    case .networkChanged: kind = .networkChanged
    case .memoryNeeded(let megabytes): (kind, self.megabytes) = (.memoryNeeded, megabytes)
    case .rebooted(let isLocked): (kind, isOn) = (.rebooted, isLocked)
    case .unlocked: kind = .unlocked
    case .call(let isOn): (kind, self.isOn) = (.call, isOn)
    }
  }

  /// `nil` if a member is missing.
  var event: DeviceEvent? {
    switch kind {
    case .lowPower: isOn.map { .lowPower($0) }
    case .backgroundRefresh: isOn.map { .backgroundRefresh($0) }
    case .networkChanged: .networkChanged
    case .memoryNeeded: megabytes.map { .memoryNeeded(megabytes: $0) }
    case .rebooted: .rebooted(isLocked: isOn ?? false)
    case .unlocked: .unlocked
    case .call: isOn.map { .call($0) }
    }
  }

  static let table = JSONTable<Self> { device in
    device.field("event", \.kind)
    device.option("enable", \.isOn, Bool.json)
    device.option("megabytes", \.megabytes, .number(in: 0...1e9))
  }
}
