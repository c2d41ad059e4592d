// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
package import ServiceCore

/// `milepost status` for people.
package enum StatusText {
  /// The number of gaps listed.
  static let listed = 5

  package static func report(status: StatusDocument) -> Report {
    Report {
      Node.title(
        "milepostd \(status.release)",
        ", process \(status.pid), up \(Figures.span(status.uptime)) since \(status.since.rfc3339)")
      source(status)
      LiveRow.fact("rules", "policy \(status.policy), era \(status.era)")
      EnergyText.rows(status)
      service(status)
      // Sinks are apps as well, and stand in a separate table.
      let apps = status.apps.filter { $0.kind != .sink }
      if status.sinks.isEmpty || !apps.isEmpty { Node.part { AppText.nodes(apps) } }
      if !status.sinks.isEmpty { Node.part { SinkText.nodes(status.sinks) } }
    }
  }

  @ReportBuilder private static func source(_ status: StatusDocument) -> [Node] {
    let gpsd = status.gpsd
    LiveRow.fact("gpsd", "\(gpsd.host):\(gpsd.port) \(gpsd.state.rawValue): \(gpsd.text)")
    for device in status.devices {
      let silence = device.silence.map { "last report \(Figures.span($0)) ago" } ?? "no report yet"
      let driver = device.driver.map { " (\($0))" } ?? ""
      LiveRow.fact("device", "\(device.path)\(driver), \(silence)")
    }
    LiveRow.fact("receiver", LiveRow.receiver(status.receiver))
    if let sleep = status.receiver.sleep {
      let saved =
        sleep.saved.map { "; going on would have taken \(Figures.energy($0)) more" }
        ?? "; the profile does not know what that saves"
      LiveRow.fact(
        "asleep",
        "for \(Figures.span(sleep.seconds)) in \(Figures.count(sleep.count, "rest", "rests"))\(saved)"
      )
    }
    if let last = status.lastFix {
      LiveRow.fact(
        "last fix",
        "\(LiveRow.place(last.fix)), \(Figures.span(last.age)) ago"
          + (last.device.map { " from \($0)" } ?? ""))
    } else {
      LiveRow.fact("last fix", "none yet")
    }
  }

  @ReportBuilder private static func service(_ status: StatusDocument) -> [Node] {
    if let shared = status.sharedWakes {
      LiveRow.fact(
        "shared wakes",
        "\(Figures.count(shared.calls, "fetch or keep-alive", "fetches and keep-alives")) in "
          + "\(Figures.count(shared.wakes, "wake", "wakes")); a wake for each would be "
          + "\(Figures.energy(shared.saved)) more")
    }
    if status.store.state != .ok || status.store.warning != nil {
      let warning = status.store.warning ?? "nothing outlives this daemon"
      LiveRow.fact("store", "\(status.store.state.rawValue): \(warning)")
    }
    if status.lostEvents > 0 {
      let events = Figures.count(status.lostEvents, "event", "events")
      LiveRow.fact("lost", "\(events), since too many waited; see the journal")
    }
    LiveRow.fact(
      "freezer",
      "\(status.freezer); \(Figures.count(status.clients, "client", "clients")) connected")
    if !status.gpsdPorts.isEmpty {
      let ports = status.gpsdPorts.map { "127.0.0.1:\($0)" }
      LiveRow.fact("gpsd clients", "on " + Figures.list(ports))
    }
    if let geoClue = status.geoClue { GeoClueText.nodes(geoClue) }
    if let web = status.web {
      LiveRow.fact("live page", "on \(web.address); milepost web prints how to open it")
    }
    for gap in status.gaps.suffix(listed) {
      let span =
        gap.start.map {
          "\($0.rfc3339) to \(gap.end.rfc3339), "
            + Figures.span(UTCInstant.seconds(from: $0, to: gap.end))
        } ?? "until \(gap.end.rfc3339), nobody knows for how long"
      LiveRow.fact("not watched", "\(span): \(gap.reason)")
    }
  }
}

/// Programs that ask GeoClue, in `milepost status`.
enum GeoClueText {
  @ReportBuilder static func nodes(_ part: StatusDocument.GeoClue) -> [Node] {
    LiveRow.fact("geoclue", part.text)
    for program in part.programs { LiveRow.fact("", words(of: program)) }
  }

  private static func words(of program: StatusDocument.GeoClue.Program) -> String {
    var words = "\(program.name) asks for \(program.level): \(asks(program))"
    words += "; told \(Figures.count(program.deliveries, "location", "locations"))"
    if let last = program.lastDelivery { words += ", the last \(last.rfc3339)" }
    words += "; its share \(Figures.energy(program.energy))"
    if program.clients == 0 { words += "; asks no more" }
    return words
  }

  private static func asks(_ program: StatusDocument.GeoClue.Program) -> String {
    switch program.asks {
    case .follows: "the receiver stays off for it"
    case .significant: "significant changes"
    case .standard:
      program.distance == 0 ? "every fix" : "every \(program.distance) m"
    }
  }
}
