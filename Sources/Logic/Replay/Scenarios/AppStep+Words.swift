// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import ServiceContract

extension AppStep {
  /// The act in an account: `works 5 s`.
  package var words: String {
    switch self {
    case .track: "starts to track"
    case .startUpdates(let request): "starts standard updates" + Self.requestWords(request)
    case .startSignificant: "starts significant changes"
    case .stop(.significant): "stops significant changes"
    case .stop: "stops standard updates"
    case .requestLocation: "asks for one location"
    case .monitorMotion(true): "monitors motion"
    case .monitorMotion(false): "no longer monitors motion"
    case .monitorRegion(let place): "monitors the region \(place.name)"
    case .stopRegion(let name): "no longer monitors the region \(name)"
    case .monitorVisits(true): "monitors visits"
    case .monitorVisits(false): "no longer monitors visits"
    case .monitorHeading(nil): "no longer asks where the device points to"
    case .monitorHeading(0?): "asks where the device points to"
    case .monitorHeading(let degrees?):
      "asks where the device points to, each \(Decimal.shortest(degrees))°"
    case .deferUpdates(nil): "no longer has its updates kept back"
    case .deferUpdates(let deferral?): "has its updates kept back" + Self.deferralWords(deferral)
    case .ask(.whenInUse): "asks to know its place when in use"
    case .ask: "asks to know its place always"
    case .work(let seconds): "works \(Words.span(seconds))"
    case .transfer(let up, 0): "uploads \(Words.bytes(up))"
    case .transfer(_, let down): "downloads \(Words.bytes(down))"
    case .downloadIssue(let bytes): "has the system download \(Words.bytes(bytes)) of an issue"
    case .beginTask(let name): "begins the task \(name)"
    case .endTask(let name): "ends the task \(name)"
    case .answer(let answer): "answers \(answer.rawValue)"
    case .hang: "hangs"
    case .giveUp: "gives up what it had begun"
    case .nothing: "does nothing"
    case .setFetchInterval(nil): "wants no background fetch"
    case .setFetchInterval(0?): "wants a background fetch as often as may be"
    case .setFetchInterval(let seconds?): "wants a background fetch every \(Words.span(seconds))"
    case .setKeepAlive(nil): "takes its keep-alive handler away"
    case .setKeepAlive(let seconds?): "sets a keep-alive handler of \(Words.span(seconds))"
    case .watchSocket(true): "hands its socket over"
    case .watchSocket(false): "takes its socket back"
    case .audio(true): "plays audio"
    case .audio(false): "stops its audio"
    case .notify(let notification, 0):
      "presents the notification \(notification.identifier)" + Self.notificationWords(notification)
    case .notify(let notification, let seconds):
      "schedules the notification \(notification.identifier) in \(Words.span(seconds))"
        + Self.notificationWords(notification)
    case .cancelNotification(nil): "cancels all notifications"
    case .cancelNotification(let name?): "cancels the notification \(name)"
    case .crash: "crashes"
    case .exit(0): "exits"
    case .exit(let status): "exits with \(status)"
    }
  }

  private static func notificationWords(_ notification: LocalNotification) -> String {
    let parts = [
      notification.repeats.map { "every \($0.rawValue)" },
      notification.zone.map { "in the zone \($0.name)" },
      notification.badge.map { "badge \($0)" }, notification.sound.map { "sound \($0)" },
    ].compactMap(\.self)
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  private static func deferralWords(_ deferral: Deferral) -> String {
    let limits = [
      deferral.distance.map { "for \(Decimal.shortest($0)) m" },
      deferral.timeout.map { "for \(Words.span($0))" },
    ].compactMap(\.self)
    return limits.isEmpty ? "" : " " + limits.joined(separator: " or ")
  }

  private static func requestWords(_ request: StandardRequest) -> String {
    var words: [String] = []
    if request.desiredAccuracy >= 0 {
      words.append("accuracy \(Decimal.shortest(request.desiredAccuracy)) m")
    }
    if let filter = request.distanceFilter {
      words.append("filter \(Decimal.shortest(filter)) m")
    }
    if request.pausesAutomatically { words.append("pausing") }
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }
}

extension Happening {
  /// The event in an account: `the user opens social`.
  package var words: String {
    switch self {
    case .home: "the user goes home"
    case .device(let event): Self.eventWords(event)
    case .open(let app): "the user opens \(app)"
    case .background(let app): "\(app) is put away"
    case .forceQuit(let app): "the user swipes \(app) away"
    case .terminate(let app): "the system ends \(app)"
    case .purge(let app): "the system takes the memory of \(app)"
    case .authorize(let app, let level, let accuracy):
      "the user sets the authorization of \(app) to \(level.rawValue)"
        + (accuracy.map { ", with \($0.rawValue) accuracy" } ?? "")
    case .event(let app, .push): "a push for \(app)"
    case .event(let app, .locationPush): "a push asks \(app) where it is"
    case .event(let app, .socket): "data on the socket of \(app)"
    case .event(let app, .newsstand): "a newsstand issue for \(app)"
    case .event(let app, .accessory): "data of the accessory of \(app)"
    case .event(let app, .bluetooth): "data of the peripheral of \(app)"
    case .event(let app, let reason): "\(reason.rawValue) for \(app)"
    case .lock: "the user locks the device"
    case .network(true): "the network is back"
    case .network(false): "the network is lost"
    case .nothing: "nothing"
    }
  }

  private static func eventWords(_ event: DeviceEvent) -> String {
    switch event {
    case .call(let isOn): isOn ? "a call comes in" : "the call is over"
    case .unlocked: "the user unlocks the device"
    case .rebooted: "the device reboots"
    case .memoryNeeded(let megabytes): "\(Decimal.shortest(megabytes)) MB are needed"
    case .networkChanged: "the network changes"
    case .lowPower(let isOn): "the battery is \(isOn ? "" : "no longer ")low"
    case .backgroundRefresh(let isOn): "the user \(isOn ? "allows" : "forbids") background refresh"
    }
  }
}

extension Delivery {
  /// The kind of an event that a sink sends: `position`, `arrived`, `heartbeat`.
  package var kindOfEvent: String {
    occasion == .heartbeat ? "heartbeat" : event?.name ?? "position"
  }
}

extension SinkTransfer {
  /// `sends a position, a heartbeat; 1.2 kB`.
  package var words: String {
    var counts: [(kind: String, count: Int)] = []
    for event in events {
      let kind = event.delivery.kindOfEvent
      if let index = counts.firstIndex(where: { $0.kind == kind }) {
        counts[index].count += 1
      } else {
        counts.append((kind, 1))
      }
    }
    let what = counts.map { $0.count == 1 ? $0.kind : "\($0.count) × \($0.kind)" }
    return "sends \(what.joined(separator: ", "))" + (bytes > 0 ? "; \(Words.bytes(bytes))" : "")
  }
}

extension ActMoment {
  /// The moment of a line: `on leaving home`.
  package var words: String {
    switch self {
    case .elapsed(let seconds): "\(Words.span(seconds)) after the begin"
    case .utc(let utc): "at \(utc.rfc3339)"
    case .later(let seconds): "\(Words.span(seconds)) after the line before"
    case .leaving(let place): "on leaving \(place.name)"
    case .reaching(let place): "on reaching \(place.name)"
    }
  }
}

/// Quantities in the words of a scenario.
private enum Words {
  /// `5 s`, `10 min`, `1.5 h`: the largest unit with a whole or a half number.
  static func span(_ seconds: Double) -> String {
    for (name, size) in [("h", 3_600.0), ("min", 60)] {
      let count = seconds / size
      if count >= 1, (count * 2).rounded() == count * 2 {
        return "\(Decimal.shortest(count)) \(name)"
      }
    }
    return "\(Decimal.shortest(seconds)) s"
  }

  static func bytes(_ count: Int) -> String {
    switch count {
    case 1_000_000...: "\(Decimal.shortest(Double(count) / 1e6)) MB"
    case 1_000...: "\(Decimal.shortest(Double(count) / 1e3)) kB"
    default: "\(count) B"
    }
  }
}
