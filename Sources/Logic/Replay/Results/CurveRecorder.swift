// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import RadioPower

// Theory
// ======
//
// Listens to a run and keeps the data for a picture of it. It decides nothing: `Whereabouts`, `Counters`
// and the meter keep the totals, and the recorder's notion of "blind" follows the same rule, so a map
// and a total cannot disagree. An uploaded position is known once it has arrived at the server.
//
//   knows its place  → crosses the limit →  blind  → position, return, gap or end →  crossing noted
//
// The meter is asked only when a step of the energy curve or a day begins: asking costs as much as a
// report.

/// Collects curves, places, wakes and daily totals while a run goes on.
struct CurveRecorder: Sendable {
  private(set) var record: CurveRecord
  private let limit: Double
  private var known: LocalFrame?
  private var here: TruthSample?
  private var distance = 0.0
  private var open: CurveRecord.Crossing?
  private var isAfterGap = false
  private var resumption = Resumption()
  private var spacing = 1.0
  private var day: CurveRecord.DayTotal?
  /// The trace's clock and the engine's axis at the start, or after the latest noted gap.
  private var clockBase: (utc: UTCInstant, seconds: Double)?
  /// Joules up to the begin of the day.
  private var joulesBefore = 0.0
  /// Where the device may have arrived or departed last, and where it did.
  private var mayArrive: Sight?
  private var mayDepart: Sight?
  private var arrivals: [Sight] = []
  private var departures: [Sight] = []

  /// Where and when the device was; `at` is on the clock of events.
  private struct Sight: Sendable {
    let at: EngineInstant
    let time: UTCInstant
    let place: Coordinate
  }

  init(limit: Double, expecting seconds: Double) {
    self.limit = limit
    record = CurveRecord(
      energy: Curve(.first, expecting: seconds), distance: Curve(.greatest, expecting: seconds))
  }

  // MARK: Time and place

  /// Takes a step of the truth; the meter is the run's, as of just now.
  mutating func passed(_ sample: TruthSample, meter: EnergyMeter) {
    if record.start == nil {
      record.start = sample.time
      record.clock = LocalClock(atLongitude: sample.coordinate.longitude)
    }
    if isAfterGap { note(gapBefore: sample) }
    let frame = known ?? LocalFrame(origin: sample.coordinate)
    known = frame
    distance = frame.distance(to: sample.coordinate)
    let isBlind = !resumption.isOn(at: sample.at) && distance >= limit
    begin(dayOf: sample, meter)
    day?.judged += sample.elapsed
    if isBlind {
      day?.blindSeconds += sample.elapsed
      day?.blindMetres += sample.travelled
    }
    cross(sample, isBlind: isBlind)
    let leg: TrackLine.Leg =
      here == nil || isAfterGap ? .start : isBlind && sample.elapsed > 0 ? .blind : .known
    record.track.move(to: sample.coordinate, leg)
    isAfterGap = false
    here = sample
    record.distance.addValue(distance, at: sample.at)
    if record.energy.isOpen(at: sample.at) {
      record.energy.addValue(meter.joules(at: sample.at), at: sample.at)
    }
    note(clockOf: sample)
  }

  /// Takes an event of the truth at the latest step; `clock` is the instant there by which its outcome will be known.
  mutating func note(_ event: TruthEvent, clock: EngineInstant?) {
    guard let here, let clock else { return }
    let sight = Sight(at: clock, time: here.time, place: here.coordinate)
    switch event {
    case .mayArrive: mayArrive = sight
    case .mayDepart: mayDepart = sight
    case .arrived: if let mayArrive { arrivals.append(mayArrive) }
    case .departed: if let mayDepart { departures.append(mayDepart) }
    case .cameBack, .border: break
    }
  }

  /// What was recorded, with the outcomes of the arrivals and departures.
  func record(judgedBy known: Whereabouts) -> CurveRecord {
    var record = record
    let outcomes = known.stayOutcomes
    record.stays =
      (Self.stays(arrivals, outcomes.arrivals, isArrival: true)
      + Self.stays(departures, outcomes.departures, isArrival: false)).sorted { $0.time < $1.time }
    return record
  }

  private static func stays(
    _ sights: [Sight], _ outcomes: [AwaitedEvents.Outcome], isArrival: Bool
  ) -> [CurveRecord.StayEvent] {
    outcomes.compactMap { outcome in
      sights.first { $0.at == outcome.at }.map { sight in
        CurveRecord.StayEvent(
          isArrival: isArrival, time: sight.time, place: sight.place,
          delay: outcome.told.map { EngineInstant.seconds(from: outcome.at, to: $0) })
      }
    }
  }

  /// Begins a gap: the position is unknown from here on.
  mutating func gap() {
    close(.unknown)
    isAfterGap = true
    resumption.endSegment()
  }

  mutating func finish(meter: EnergyMeter) {
    close(.unknown)
    end(day: here?.at, meter)
    record.track.finish()
  }

  private mutating func note(gapBefore sample: TruthSample) {
    guard let here else { return }
    guard record.gaps.count < CurveRecord.gapLimit else { return }
    record.gaps.append(
      .init(from: here.at.seconds, to: sample.at.seconds, resumed: sample.time))
    clockBase = (sample.time, sample.at.seconds)
  }

  private mutating func note(clockOf sample: TruthSample) {
    record.end = sample.at.seconds
    let base = clockBase ?? (sample.time, sample.at.seconds)
    clockBase = base
    let drift =
      UTCInstant.seconds(from: base.utc, to: sample.time) - (sample.at.seconds - base.seconds)
    if drift.magnitude > 1 { record.isClockSteady = false }
  }

  // MARK: Blindness

  private mutating func cross(_ sample: TruthSample, isBlind: Bool) {
    guard isBlind else { return close(.returned) }
    // A sample stands for the time that led to it, as in `Blindness`.
    var crossing =
      open
      ?? CurveRecord.Crossing(
        at: sample.at.seconds - sample.elapsed, time: sample.time, lasted: 0, distance: 0,
        furthest: 0, ending: .unknown)
    crossing.lasted = sample.at.seconds - crossing.at
    crossing.distance = distance
    crossing.furthest = max(distance, crossing.furthest)
    open = crossing
  }

  private mutating func close(_ ending: CurveRecord.Crossing.Ending) {
    guard var crossing = open else { return }
    open = nil
    crossing.ending = ending
    record.crossingCount += 1
    if ending == .delivered { record.answeredCount += 1 }
    if crossing.lasted > record.longest?.lasted ?? 0 { record.longest = crossing }
    if record.crossings.count < CurveRecord.crossingLimit { record.crossings.append(crossing) }
  }

  // MARK: What happened to the app

  /// The recipient learns a position of the device.
  mutating func learned(_ place: Coordinate) {
    close(.delivered)
    resumption.learned()
    known = LocalFrame(origin: place)
  }

  /// Takes a delivery to the app, which stands for `count` alike.
  mutating func delivered(_ delivery: Delivery, times count: Int) {
    if let last = record.wakeups.indices.last, record.wakeups.count == record.wakeupCount,
      let here, record.wakeups[last].moved == nil, record.wakeups[last].accuracy == nil,
      UTCInstant.seconds(from: record.wakeups[last].time, to: here.time) < 1
    {
      record.wakeups[last].moved = delivery.moved
      record.wakeups[last].since = delivery.since
      record.wakeups[last].accuracy = delivery.fix.horizontalAccuracy
    }
    record.deliveries += count
    day?.deliveries += count
    keep(delivery.fix.coordinate)
  }

  mutating func woke(_ reason: WakeReason, isLaunch: Bool) {
    if isLaunch { day?.launches += 1 } else { day?.wakes += 1 }
    record.wakeupCount += 1
    guard let here, record.wakeups.count < CurveRecord.wakeupLimit else { return }
    record.wakeups.append(
      .init(
        time: here.time, isLaunch: isLaunch, reason: reason, place: here.coordinate,
        distance: distance))
  }

  private mutating func keep(_ place: Coordinate) {
    if let last = record.places.last, record.deliveries > CurveRecord.placeLimit,
      LocalFrame(origin: last).distance(to: place) < spacing
    {
      return
    }
    record.places.append(place)
    guard record.places.count > CurveRecord.placeLimit else { return }
    spacing *= 2
    var kept: [Coordinate] = []
    for place in record.places {
      if let last = kept.last, LocalFrame(origin: last).distance(to: place) < spacing { continue }
      kept.append(place)
    }
    record.places = kept
  }

  // MARK: Days

  private mutating func begin(dayOf sample: TruthSample, _ meter: EnergyMeter) {
    let date = record.clock.date(of: sample.time)
    if let day, day.date == date { return }
    end(day: sample.at, meter)
    day = CurveRecord.DayTotal(date: date)
  }

  private mutating func end(day instant: EngineInstant?, _ meter: EnergyMeter) {
    guard var day, let instant else { return }
    let joules = meter.joules(at: instant)
    day.joules = joules - joulesBefore
    joulesBefore = joules
    self.day = nil
    if let same = record.days.firstIndex(where: { $0.date == day.date }) {
      record.days[same] += day
    } else if record.days.count < CurveRecord.dayLimit {
      record.days.append(day)
    } else {
      record.days[record.days.count - 1] += day
    }
  }
}
