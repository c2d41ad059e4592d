// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Replay
import ServiceContract

// The lines about regions and visits, and about shared wakes.

extension ReplayJSONLines {
  mutating func writePlace(
    _ command: PlaceCommand, of app: AppID, _ event: ReplayEvent, into bytes: inout [UInt8]
  ) {
    switch command {
    case .event(let delivery):
      line(event, app, delivery).append(as: Self.place, to: &bytes)
    case .verdict(let region, let verdict, let fixTime):
      line(event, app, (region: region, verdict: verdict, fixTime: fixTime))
        .append(as: Self.regionVerdict, to: &bytes)
    // No account has these.
    case .state, .failed, .settled: break
    }
  }

  mutating func writeRegion(_ score: RegionScore, at time: UTCInstant, into bytes: inout [UInt8]) {
    Line(sequence: nextSequence(), time: time, part: score)
      .append(as: Self.regionScore, to: &bytes)
  }

  mutating func writeVisits(_ score: VisitScore, at time: UTCInstant, into bytes: inout [UInt8]) {
    Line(sequence: nextSequence(), time: time, part: score)
      .append(as: Self.visitScore, to: &bytes)
  }

  mutating func writeWakes(_ wakes: SharedWakes, at time: UTCInstant, into bytes: inout [UInt8]) {
    Line(sequence: nextSequence(), time: time, part: wakes)
      .append(as: Self.sharedWakes, to: &bytes)
  }

  static let sharedWakes = line("shared_wakes", isOfApp: false) {
    (wakes: inout JSONTable<SharedWakes>) in
    wakes.value("calls", .count, about: "Fetches and keep-alives.") { $0.calls }
    wakes.value("wakes", .count, about: "Of a processor that slept.") { $0.wakes }
    wakes.known("saved_j", decimals: 3, \.saved.nominal)
    wakes.known("saved_low_j", decimals: 3, \.saved.low)
    wakes.known("saved_high_j", decimals: 3, \.saved.high)
  }

  typealias JudgedRegion = (region: String, verdict: Verdict, fixTime: UTCInstant?)

  static let place = line("place") { (place: inout JSONTable<Delivery>) in
    place.value(
      "what", .words(["entered", "exited", "arrived", "departed"]), { $0.event?.name ?? "" })
    place.value("region", about: "Null of a visit.", \.event?.region)
    place.place(\.place)
    place.value("fix_time", about: "Of the position that showed it.", \.fix.time)
    place.value(
      "arrival", about: "Of a visit; null where the device was there from the beginning."
    ) { $0.event?.visit?.arrival }
    place.value("departure", about: "Of a visit that is over.") { $0.event?.visit?.departure }
  }

  static let sent = line("sent") { (transfer: inout JSONTable<SinkTransfer>) in
    transfer.value("bytes", .count, about: "0 where no network is needed.") { $0.bytes }
    transfer.objects("events", about: "That the other side of a sink took, in order.", \.events) {
      one in
      one.value("number", about: "Of the event to its sink.") {
        Int(clamping: $0.delivery.sequence)
      }
      one.value(
        "what", .words(["position", "entered", "exited", "arrived", "departed", "heartbeat"])
      ) { $0.delivery.kindOfEvent }
      one.place(\.delivery.place)
      one.value("fix_time", about: "Of the position.", \.delivery.fix.time)
      one.value(
        "decided", about: "When it became an event; of a heartbeat the time of the message.",
        \.received)
      one.value("arrival", about: "Of a visit.", \.delivery.event?.visit?.arrival)
      one.value("departure", about: "Of a visit that is over.", \.delivery.event?.visit?.departure)
      one.objects(
        "positions", about: "What a protocol of positions with one time each says, in order.",
        \.positions
      ) { told in
        told.value("time", \.time)
        told.place(\.coordinate)
        told.number("accuracy_m", decimals: 1, \.accuracy)
        told.number("speed_mps", decimals: 2, about: "Of a position of the device.", \.speed)
      }
    }
  }

  static let regionScore = line("region_score", isOfApp: false) {
    (region: inout JSONTable<RegionScore>) in
    region.value("region", \.region.identifier)
    region.object("exits", about: "Of the truth, and how late they were told.", \.exits, tally)
    region.object("entries", about: "The same of entries.", \.entries, tally)
    region.value("unfounded", .count, about: "Events that the truth does not know.") {
      $0.unfounded
    }
  }

  static let visitScore = line("visit_score", isOfApp: false) {
    (visits: inout JSONTable<VisitScore>) in
    visits.object(
      "arrivals", about: "Of the truth, and how late they were told: 300 s of it make a stay.",
      \.arrivals, tally)
    visits.object("departures", about: "The same of departures.", \.departures, tally)
    visits.value("unfounded", .count, about: "Events that the truth does not know.") {
      $0.unfounded
    }
  }

  private static func tally(_ events: inout JSONTable<EventTally>) {
    events.value("count", .count) { $0.count }
    events.value("missed", .count) { $0.missed }
    events.number("delay_p50_s", decimals: 3) { $0.delay.quantile(0.5) }
    events.number("delay_max_s", decimals: 3) { $0.delay.count > 0 ? $0.longest : nil }
  }

  static let regionVerdict = line("region_verdict") { (judged: inout JSONTable<JudgedRegion>) in
    judged.value("region", \.region)
    judged.value("fix_time", \.fixTime)
    judged.value("verdict", \.verdict.outcome)
    judged.number(
      "moved_m", in: -1e15...1e15, decimals: 1,
      about: "Beyond the border, as seen from the side on which the app believes the device to be.",
      \.verdict.moved)
    judged.number("moved_required_m", decimals: 1, \.verdict.movedRequired)
    judged.number(
      "since_s", decimals: 3, about: "Since the device is so far beyond it.", \.verdict.since)
    judged.number("since_required_s", decimals: 3, \.verdict.sinceRequired)
    judged.number("accuracy_m", decimals: 1, \.verdict.accuracy)
  }
}
