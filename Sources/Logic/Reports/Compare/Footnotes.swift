// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
package import Replay
import ServiceContract

/// The full basis of a comparison: printed once, under the last table.
package enum Footnotes {
  package static func report(
    _ rows: [ModeRow], options: ReplayOptions, traceAsTruth: Bool
  ) -> Report {
    Report {
      for paragraph in paragraphs(rows, options: options, traceAsTruth: traceAsTruth) {
        Node.sentence(paragraph, hanging: 2)
      }
    }
  }

  static func paragraphs(
    _ rows: [ModeRow], options: ReplayOptions, traceAsTruth: Bool
  ) -> [String] {
    let worlds = rows.first?.worlds.count ?? 1
    let axis =
      options.mixesEnvironments ? "2, 5 or 15" : Figures.plain(options.environment.errorPerAxis)
    let receiver =
      "Receiver: its error is drawn around the trace, \(axis) m per axis, correlated in time."
    return [
      model(options, worlds), meanings(options, rows), scenarios(options, rows),
      world(options, worlds),
    ] + (traceAsTruth ? [receiver] : []) + [uploads(options, rows)]
  }

  /// Every comparison ends with this: what a figure is, and what it leaves out (The-energy-model.md).
  private static func model(_ options: ReplayOptions, _ worlds: Int) -> String {
    let draws =
      worlds > 1
      ? "1,000 draws, each of one of \(worlds) simulated worlds and of the profile's numbers from their "
        + "ranges, the same draws for all modes; a mode's figures are nominal, of the world in which its "
        + "energy is the median"
      : "1,000 draws of the profile's numbers from their ranges, the same draws for all modes; the first "
        + "figure is nominal"
    let network = options.network.map { ", network \($0.name)" } ?? ", without a cellular network"
    return
      "Modelled, not measured: radio and processor energy above the baseline (suspended device "
      + "and idle paging), profile \(options.device.name)\(network); sources: milepost profiles show "
      + "\(options.device.name). Ranges are the middle 90 % of \(draws)."
      + "\(MeasuredDevices.widening(of: options.device.platform)) What is not modelled: the display (also in the "
      + "foreground), the app's own work beyond its wake, and the system's other work."
  }

  private static func meanings(_ options: ReplayOptions, _ rows: [ModeRow]) -> String {
    let isAndroid = rows.contains { $0.plan.isAndroid }
    let wakes =
      isAndroid
      ? "Wakes: the system ran a process that it had kept. Launches: it made a new one."
      : "Wakes: the system made the suspended app run. Launches: it started the app anew."
    return
      "Blind: the true position was \(Figures.plain(options.blindDistance)) m or more from the last "
      + "delivered one, whose own error counts. Missed: of the times that it truly was "
      + "\(Figures.plain(options.scoring.distance)) m from where it was at the last delivery, and "
      + "\(Figures.plain(options.scoring.interval)) s had passed, those of which the app was not told "
      + "before it came back or \(Figures.plain(options.scoring.patience / 60)) min were over; – where none "
      + "fell due. \(wakes) "
      + "Battery: of a full one, for the time of this trace only."
  }

  private static func scenarios(_ options: ReplayOptions, _ rows: [ModeRow]) -> String {
    let rules = options.rules
    let lifecycle = rules.lifecycle
    let plain = Figures.plain
    let isAndroid = rows.contains { $0.plan.isAndroid }
    var text =
      isAndroid
      ? "Pocket: the app is put away \(plain(options.scenario.backgroundAfter)) s after its launch; without a foreground "
        + "service its process is frozen and ends, and what it asked for starts it again for "
        + "\(plain(lifecycle.wakeBudget)) s at most, of which it works \(plain(options.scenario.workTime)) s."
      : "Pocket: the app is put away \(plain(options.scenario.backgroundAfter)) s after its launch, "
        + "suspended \(plain(lifecycle.suspendsAfter)) s later unless something holds it, purged after "
        + "\(plain(lifecycle.purgesAfter)) s of suspension; a wake allows "
        + "\(plain(lifecycle.wakeBudget)) s, of which the app works "
        + "\(plain(options.scenario.workTime)) s."
    if rows.contains(where: { $0.plan.scenario == .foreground }) {
      text += " Foreground: in front all the time; its display is not metered."
    }
    if rows.contains(where: \.plan.pausesAutomatically) {
      text += " Pausing: updates pause after \(plain(rules.pausesAfter)) s still"
      text +=
        options.device.platform == .phone
        ? "; the system does not resume them, and the app is not told of anything more."
        : options.device.hasMotionSensor
          ? "; the app starts them again on motion."
          : "; this device has no motion sensor, so they do not pause."
    }
    text += Self.cycles(rows)
    for row in rows where row.plan.mode == .significant {
      let policy = row.plan.policy ?? .ios
      let name =
        row.plan.isAndroid ? row.heading : "Significant change, policy \(policy.name)"
      text += " \(name): \(policy.sentence(rules, plain: plain))"
    }
    if let senses = rows.first(where: { [.visits, .regions].contains($0.plan.mode) })?.plan {
      let circles =
        "of coming within \(plain(options.placeRadius)) m of the places at which the device stays in this trace (if it stays "
        + "at none, of those where it begins and ends), and of leaving them."
      text +=
        isAndroid
        ? " Geofences: the app is told \(circles)"
        : options.device.platform == .phone
          ? " Visits: the app is told of stays as phones were measured to tell them, some minutes late. Regions: \(circles)"
          : " Visits: the app is told of stays of \(Figures.span(VisitService.dwell)) within "
            + "\(plain(VisitService.radius)) m. Regions: \(circles) Both see what the "
            + "policy \(senses.policy?.name ?? "ios") sees."
    }
    return text
      + (isAndroid
        ? " Rules: Android \(AndroidRelease.usual.version)." : " Rules: \(rules.era.title).")
  }

  /// How an app tracks only while the device moves.
  private static func cycles(_ rows: [ModeRow]) -> String {
    let armings = rows.compactMap(\.plan.armedBy)
    guard !armings.isEmpty else { return "" }
    return rows.contains { $0.plan.isAndroid }
      ? " Service by geofence, by activity: the app ends its service after \(Figures.span(RunPlan.cycleStill)) within 50 m, "
        + "and starts it again when it left a circle of \(Figures.plain(RunPlan.cycleRadius)) m around that place, or when the "
        + "device moves."
      : " While moving, armed by \(armings[0].words): the app ends its updates at a visit, or after "
        + "\(Figures.span(RunPlan.cycleStill)) within 50 m, and starts them again when it left a circle of "
        + "\(Figures.plain(RunPlan.cycleRadius)) m around that place, or the visit is over."
  }

  private static func world(_ options: ReplayOptions, _ worlds: Int) -> String {
    let seeds =
      worlds > 1
      ? "Worlds: seeds \(options.seed) to \(options.seed &+ UInt64(worlds - 1))"
      : "World: seed \(options.seed)"
    var text =
      "\(seeds); \(receiver(options)); \(cells(options)); network positions "
      + "with an error of \(Figures.plain(options.networkErrorPerAxis)) m per axis"
    text += wifi(options.wifiIslands)
    if options.sharesRadio {
      text +=
        "; receiver and modem share one radio: while the modem is connected, the receiver hears nothing"
    }
    if options.device.hasMotionSensor {
      let motion = options.motion
      text +=
        "; motion sensor with windows of \(Figures.plain(motion.window)) s, which feels "
        + "\(Figures.percent(motion.steps * 100)) of those with steps and "
        + "\(Figures.percent(motion.ride * 100)) of a ride's, nothing of "
        + "\(Figures.percent(motion.smooth * 100)) of rides, and has "
        + "\(Figures.plain(motion.falseAlarms)) false alarms an hour"
    }
    if options.fixLoss > 0 {
      text += "; \(Figures.percent(options.fixLoss * 100)) of the fixes go missing"
    }
    text += "; receiver when off: \(options.device.gnssWhenOff.rawValue)"
    if let hour = options.device.sleepSaving(seconds: 3_600) {
      text +=
        ", since milepostd sends it to sleep; where it cannot, each hour off takes "
        + "\(Figures.energy(hour.nominal)) more"
    }
    if options.device.acquisition == .asleep {
      text += "; the processor sleeps in a session until the receiver has a fix"
    }
    if options.receiverHold > 0 {
      text +=
        ", for which it goes on \(Figures.plain(options.receiverHold)) s after nobody asks any more, "
        + "as behind gpsd"
    }
    return text + "."
  }

  private static func wifi(_ coverage: WiFiCoverage) -> String {
    let error = ", and of \(Figures.plain(WiFiIslands.errorPerAxis)) m in "
    func percent(_ share: Double) -> String { Figures.percent(share * 100) }
    return switch coverage {
    case .none: ""
    case .share(let share): error + "the \(percent(share)) of places whose Wi-Fi is known"
    case .byMovement:
      error + "places whose Wi-Fi is known: \(percent(WiFiIslands.Movement.stay.share)) of those "
        + "where one stays, \(percent(WiFiIslands.Movement.onTheWay.share)) on the way and "
        + "\(percent(WiFiIslands.Movement.fast.share)) above 60 km/h"
    }
  }

  private static func receiver(_ options: ReplayOptions) -> String {
    let drawn = options.drawsAcquisition ? "drawn around a mean of" : "always its mean,"
    let places: [Environment] =
      options.mixesEnvironments ? Environment.allCases : [options.environment]
    let times = places.map { place in
      (places.count > 1 ? "\(place.rawValue): " : "") + starts(options, in: place)
    }
    let name = options.mixesEnvironments ? "mixed" : options.environment.rawValue
    return "environment \(name); first start \(options.firstStart.rawValue); time to first fix, "
      + "which no trace shows, \(drawn) " + times.joined(separator: "; ") + ", given up after "
      + "\(Figures.plain(options.device.acquisitionTimeout.nominal)) s"
  }

  private static func starts(_ options: ReplayOptions, in environment: Environment) -> String {
    ReceiverStart.allCases.map { start in
      let outlook = options.device.timeToFirstFix(
        start: start, environment: environment.ofProfile)
      if outlook.failureProbability >= 1 { return "\(start.rawValue) never" }
      let fails =
        outlook.failureProbability > 0
        ? " (\(Figures.percent(outlook.failureProbability * 100)) fail)" : ""
      return "\(start.rawValue) \(Figures.significant(outlook.mean)) s\(fails)"
    }.joined(separator: ", ")
  }

  private static func cells(_ options: ReplayOptions) -> String {
    options.towerList.map { "cell towers of \($0)" }
      ?? "synthetic cells \(Figures.plain(options.cellSpacing)) m apart"
  }

  private static func uploads(_ options: ReplayOptions, _ rows: [ModeRow]) -> String {
    var text = policy(options)
    if options.uploads != .none, let frame = options.network?.frame {
      let airtime = frame.airtime(ofMessage: options.itemBytes)
      text +=
        " A delivery takes \(Figures.count(frame.frames(for: options.itemBytes), "frame", "frames")) "
        + "of at most \(Figures.count(frame.payload)) bytes, "
        + "\(Figures.significant(airtime)) s on the air; the law allows "
        + "\(Figures.percent(frame.dutyCycle * 100)) of the time, which is one delivery every "
        + "\(Figures.span(airtime / frame.dutyCycle)), and the others queue."
    }
    let waiting = rows.filter { $0.unsent > 0 }.map { row in
      "\(row.name) \(Figures.count(row.unsent)) (the oldest for \(Figures.span(row.oldestUnsent)))"
    }
    guard !waiting.isEmpty else { return text }
    return text + " Unsent when the trace ended, and so not paid for: "
      + waiting.joined(separator: "; ") + "."
  }

  private static func policy(_ options: ReplayOptions) -> String {
    let overhead =
      options.network?.frame == nil
      ? " and \(Figures.count(options.overheadBytes)) for each transfer" : ""
    let bytes = "\(Figures.count(options.itemBytes)) bytes for each delivery\(overhead)"
    return switch options.uploads {
    case .none: "Uploads: none (--upload each adds one per delivery)."
    case .each: "Uploads: \(bytes), at once."
    case .everySeconds(let seconds):
      "Uploads: \(bytes), all that waits \(Figures.plain(seconds)) s after the first of it; only a "
        + "running app sends."
    case .everyCount(let count):
      "Uploads: \(bytes), as soon as \(Figures.count(count)) wait; only a running app sends."
    case .piggyback(let delay):
      "Uploads: \(bytes), at once where the radio is still up behind a transfer, else at most "
        + "\(Figures.plain(delay)) s late; only a running app sends."
    }
  }
}

extension Environment {
  fileprivate var ofProfile: ReceiverEnvironment {
    switch self {
    case .open: .open
    case .pocket: .pocket
    case .indoors: .indoors
    }
  }
}
