// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import LocationModel
import Replay
import TraceFiles

// Theory
// ======
//
// A list of deliveries is recognized by its content, never by its name:
//
//   JSON objects, one per line or one document: milepost replay --format jsonl (its `deliver` events);
//   OwnTracks (`_type` location); Overland (batches of features in `locations`); lists in `data`
//   OwnTracks recorder's .rec (time, tab, kind, tab, JSON)
//   anything that is read as a trace: GPX (gpxlogger's too), CSV, GeoJSON, NMEA, JSON lines, gpsd JSON
//
// Every delivery happens at its own time. Lines without a delivery are counted by reason.

/// Deliveries of a file or of standard input, in order of time.
struct DeliveryList {
  /// Its name in messages.
  let name: String
  /// `milepost-replay`, `owntracks`, `overland`, `json`, or a trace format's identifier.
  private(set) var format: String
  private(set) var deliveries: [TimedDelivery] = []
  /// The number of lines without a delivery, by reason.
  private(set) var skipped: [String: Int] = [:]

  init(path: String, options: DecodingOptions) throws {
    name = InputName.short(path)
    let bytes = try WholeFile.readBytes(of: path, as: .deliveries)
    if let list = DeliveryObjects(bytes) {
      (format, deliveries, skipped) = (list.format, list.deliveries, list.skipped)
    } else {
      format = ""
      try readTrace(bytes, options)
    }
    guard !deliveries.isEmpty else {
      throw Complaint(
        "\(name): no delivery in this list: nothing in it has both a time and a position")
    }
    // Stable: deliveries of one time keep their order.
    let order = deliveries.indices.sorted {
      let (a, b) = (deliveries[$0].time, deliveries[$1].time)
      return a == b ? $0 < $1 : a < b
    }
    deliveries = order.map { deliveries[$0] }
  }

  private mutating func readTrace(_ bytes: [UInt8], _ options: DecodingOptions) throws {
    do throws(TraceError) {
      let prefix = min(bytes.count, TraceFormat.prefixLength)
      let format = try TraceFormat.recognise(bytes.span.extracting(0..<prefix))
      guard format != .recording else {
        throw TraceError(
          .unrecognised, "a recording; milepost replay --format jsonl \(name) writes its deliveries"
        )
      }
      self.format = format.identifier
      var decoder = format.decoder(options: options)
      var events: [TraceEvent] = []
      try decoder.decode(bytes.span, into: &events)
      try decoder.finish(into: &events)
      skipped = decoder.ledger.skipped
      for case .fix(let fix, _) in events {
        guard let time = fix.time else {
          skipped["no time", default: 0] += 1
          continue
        }
        deliveries.append(
          TimedDelivery(
            time: time, coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy))
      }
    } catch {
      throw Complaint(error.asInput, in: name)
    }
  }
}
