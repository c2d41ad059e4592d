// SPDX-License-Identifier: Apache-2.0

import GPSDSource
import JSONText
import LocationModel

/// Turns facts into findings: the reasons why there is no fix, and the remedies.
///
/// Theory. The path from sky to fix is a chain: a program, a connection, a protocol, a device, its file, data, sky,
/// time. The first broken link explains all behind it. So findings follow the order of the chain, and links that are
/// unknowable behind a broken one are left out. Each receiver has its own chain; a good fix from any gives the answer
/// "there is a fix".
package struct Diagnosis: Sendable, Equatable {
  package var findings: [Finding] = []
  /// Whether a receiver has a position, in two or three dimensions.
  package var hasFix = false

  package struct Finding: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case unreachable = "gpsd_absent"
      case refused = "gpsd_refused"
      case notGPSD = "not_gpsd"
      case dropped = "gpsd_dropped"
      case mismatch = "libgps_mismatch"
      case reported = "gpsd_error"
      case noDevice = "no_device"
      case noFile = "no_device_file"
      case noPermission = "no_permission"
      case noData = "no_data"
      case noFix = "no_fix"
      case onlyFlat = "no_3d_fix"
      case staleTime = "stale_time"
      case good = "fix"
      case service = "service"
      case alwaysOn = "receiver_always_on"
      case hold = "receiver_hold"
      case sleeps = "receiver_sleeps"
      case goesOn = "receiver_goes_on"
      case noService = "service_absent"
      case silentService = "service_silent"
      case faultyConfiguration = "configuration"
      case storeFails = "store_fails"
      case otherGPSD = "service_other_gpsd"
      case held = "app_held"
      case noProgram = "app_program"
      case crashes = "app_crashes"
      case trouble = "app_trouble"
      case givenUp = "app_given_up"
      case unauthorized = "app_unauthorized"
      case modem = "modem"
      case noModem = "no_modem"
      case pressure = "memory_pressure"
      case noPressure = "no_memory_pressure"
      case battery
      case noBattery = "no_battery"
      case externalPower = "external_power"
      case noExternalPower = "no_external_power"
      case motion = "motion_sensor"
      case noMotion = "no_motion_sensor"
      case wifi = "wifi"
      case noWiFi = "no_wifi"
      case wakes = "wakes_machine"
      case noWake = "no_wake"
      case notifier = "notifications"
      case noNotifier = "no_notifications"
      case byHand = "played_by_hand"
      case outlet = "leaves"
      case noOutlet = "nothing_leaves"
      case handedOut = "handed_out"
      case sinkReached = "sink_reached"
      case sinkFails = "sink_fails"
    }

    package var kind: Kind
    /// The finding, one sentence.
    package var text: String
    /// The remedy; `nil` if none is needed.
    package var advice: String?

    package init(_ kind: Kind, _ text: String, advice: String? = nil) {
      self.kind = kind
      self.text = text
      self.advice = advice
    }
  }

  /// The difference from this machine's clock above which a receiver's clock is reported, seconds.
  package static let clockTolerance = 10.0
  /// 1024 weeks: the period of the GPS week counter.
  static let rollover = 1_024.0 * 7 * 86_400

  package init(_ facts: DoctorFacts) {
    judgeChain(facts)
    judgeService(facts)
    judgeOutlets(facts)
    judgeHold(facts)
    judgeRest(facts)
    judgeModem(facts)
    judgeMachine(facts)
  }

  /// What a health check must not pass over: why there is no fix, or whatever else keeps events from where they go.
  package var faults: [Finding] {
    findings.filter { $0.kind.isFault && !(hasFix && $0.kind.isOfChain) }
  }

  mutating func noteFinding(_ kind: Finding.Kind, _ text: String, advice: String? = nil) {
    findings.append(Finding(kind, text, advice: advice))
  }

  private mutating func judgeChain(_ facts: DoctorFacts) {
    if let failure = facts.failure {
      findings = [Self.unreachable(failure, facts)]
      if facts.ports?.isEmpty == true { findings.append(Self.nothingPlugged) }
      return
    }
    guard let version = facts.version else {
      findings = [Self.notGPSD(facts)]
      return
    }
    if let mismatch = facts.mismatch {
      noteFinding(
        .mismatch, mismatch,
        advice: "install gpsd 3.22 or later, and build milepostd with the libgps of that release")
    }
    if facts.wasDropped {
      noteFinding(
        .dropped, "gpsd \(version.release) broke the connection while it was watched",
        advice: "look for the reason in its log: journalctl -u gpsd")
    }
    findings += facts.reported.map {
      Finding(.reported, "gpsd reports: \($0)", advice: "see gpsd's log: journalctl -u gpsd")
    }
    if facts.devices.isEmpty {
      judgeFiles(facts)
      return
    }
    for device in facts.devices { judge(device, facts) }
  }

  private static func notGPSD(_ facts: DoctorFacts) -> Finding {
    let place = "\(facts.host):\(facts.port)"
    guard facts.hasAnswered else {
      return Finding(
        .notGPSD,
        "\(place) takes the connection, but nothing answers there: gpsd hangs, or it is no gpsd",
        advice: "start it again: systemctl restart gpsd; or name gpsd's own port with --gpsd "
          + "HOST:PORT (2947 is the usual one)")
    }
    return Finding(
      .notGPSD, "\(place) is open, but what answers there is no gpsd",
      advice: "name gpsd's own port with --gpsd HOST:PORT (2947 is the usual one)")
  }

  private static func unreachable(
    _ failure: ReachFailure, _ facts: DoctorFacts
  ) -> Finding {
    let place = "\(facts.host):\(facts.port)"
    let port = facts.ports?.first?.path ?? "/dev/ttyACM0"
    switch failure {
    case .refused:
      return switch facts.isInstalled {
      case false?:
        Finding(
          .unreachable, "nobody listens on \(place): gpsd is not installed here",
          advice: "install it (Debian: apt install gpsd), or name another machine with --gpsd")
      case true?:
        Finding(
          .unreachable, "nobody listens on \(place): gpsd is not running",
          advice: "start it: systemctl start gpsd.socket, or gpsd -N \(port) in a terminal")
      case nil:
        Finding(
          .refused, "\(place) refuses the connection",
          advice: "gpsd listens to other machines only when started with -G; start it there so")
      }
    case .unknownHost:
      return Finding(
        .unreachable, "the name \(facts.host) has no address",
        advice: "check the name behind --gpsd")
    case .timedOut:
      return Finding(
        .unreachable, "\(place) does not answer",
        advice: "check that the machine is on, and that no firewall drops port \(facts.port)")
    case .unroutable:
      return Finding(
        .unreachable, "no way leads to \(place)", advice: "check this machine's network")
    case .other(let text):
      return Finding(
        .unreachable, "\(place) cannot be reached: \(text)", advice: "check --gpsd HOST:PORT")
    }
  }

  private mutating func judge(_ device: DoctorFacts.Device, _ facts: DoctorFacts) {
    let path = device.path
    if device.fixes > 0 {
      hasFix = true
      return judgeFix(device)
    }
    if device.reports > 0 {
      return findings.append(Self.noFix(device, facts))
    }
    switch device.file {
    case .missing:
      noteFinding(
        .noFile, "\(path) does not exist: the receiver is not plugged in",
        advice: "plug it in; if its name changed, give gpsd the new one (gpsdctl add)")
    case .forbidden, .closed: findings.append(Self.noPermission(path, device.file))
    case .usable, .notAFile:
      noteFinding(
        .noData,
        "\(path) \(device.isOpen ? "is open" : "was not opened by gpsd"), and said nothing in "
          + "\(Self.seconds(facts.watched))",
        advice: "check cable, power and baud rate (stty -F, gpsd -s SPEED); no other program may "
          + "hold it (fuser -v)")
    }
  }

  private static func noFix(_ device: DoctorFacts.Device, _ facts: DoctorFacts) -> Finding {
    let sky: String =
      switch (device.satellitesUsed, device.satellitesInView) {
      case (let used?, let seen?): "; it uses \(used) of \(seen) satellites in view"
      case (nil, let seen?): "; it sees \(seen) satellites"
      case (let used?, nil): "; it uses \(used) satellites"
      case (nil, nil): ""
      }
    return Finding(
      .noFix,
      "\(device.path) sends data, but had no fix in \(seconds(facts.watched))\(sky)",
      advice: "give the antenna open sky; a cold receiver needs some minutes: try --wait 300")
  }

  private mutating func judgeFix(_ device: DoctorFacts.Device) {
    let path = device.path
    if device.bestMode < 3 {
      noteFinding(
        .onlyFlat, "\(path) has a fix in two dimensions only: its height is a guess",
        advice: "give the antenna more sky; a fix with height needs four satellites")
    } else {
      noteFinding(.good, "\(path) has a fix in three dimensions")
    }
    if device.timeSpan >= 3, device.firstTime == device.lastTime, let time = device.lastTime {
      noteFinding(
        .staleTime,
        "the time of \(path) stands still at \(time.rfc3339) while reports go on coming",
        advice: "the receiver repeats an old fix: reset it, or restart gpsd")
    } else if let offset = device.clockOffset, offset.magnitude > Self.clockTolerance {
      findings.append(Self.wrongTime(path, offset))
    }
  }

  private static func wrongTime(_ path: String, _ offset: Double) -> Finding {
    let direction = offset < 0 ? "behind" : "ahead of"
    let text = "the time of \(path) is \(span(offset.magnitude)) \(direction) this machine's"
    let weeks = (offset / rollover).rounded()
    if weeks != 0, (offset - weeks * rollover).magnitude < 86_400 {
      return Finding(
        .staleTime, text,
        advice:
          "it is off by 1024 weeks: the receiver's week counter has rolled over; newer firmware "
          + "or a newer gpsd corrects it")
    }
    return Finding(
      .staleTime, text,
      advice:
        "if this machine's clock is right, the receiver repeats an old fix or plays a log; else "
        + "set the clock (timedatectl)")
  }

  private static func span(_ seconds: Double) -> String {
    if seconds < 120 { return Self.seconds(seconds) }
    if seconds < 7_200 { return Decimal.text(seconds / 60, decimals: 0) + " min" }
    if seconds < 172_800 { return Decimal.text(seconds / 3_600, decimals: 0) + " h" }
    return Decimal.text(seconds / 86_400, decimals: 0) + " days"
  }

  private static func seconds(_ value: Double) -> String {
    Decimal.text(value, decimals: 1, trimmed: true) + " s"
  }
}

extension Diagnosis.Finding.Kind {
  /// Whether it is a link of the chain from program to sky. One receiver with a fix is enough.
  fileprivate var isOfChain: Bool {
    switch self {
    case .unreachable, .refused, .notGPSD, .dropped, .mismatch, .reported, .noDevice, .noFile,
      .noPermission, .noData, .noFix, .onlyFlat, .good:
      true
    case .staleTime, .service, .alwaysOn, .hold, .sleeps, .goesOn, .noService, .silentService,
      .faultyConfiguration,
      .storeFails, .otherGPSD, .held, .noProgram, .crashes, .trouble, .givenUp, .unauthorized,
      .modem, .noModem, .pressure, .noPressure, .battery, .noBattery, .externalPower,
      .noExternalPower, .motion, .noMotion, .wifi, .noWiFi, .wakes, .noWake, .notifier,
      .noNotifier, .byHand,
      .outlet, .noOutlet, .handedOut, .sinkReached, .sinkFails:
      false
    }
  }

  /// Whether something is wrong that somebody has to mend.
  fileprivate var isFault: Bool {
    switch self {
    case .unreachable, .refused, .notGPSD, .dropped, .noDevice, .noFile, .noPermission, .noData,
      .noFix, .staleTime, .noService, .silentService, .faultyConfiguration, .storeFails, .held,
      .noProgram, .crashes, .trouble, .givenUp, .sinkFails:
      true
    case .mismatch, .reported, .onlyFlat, .good, .service, .alwaysOn, .hold, .sleeps, .goesOn,
      .otherGPSD,
      .unauthorized, .modem, .noModem, .pressure, .noPressure, .battery, .noBattery, .externalPower,
      .noExternalPower, .motion, .noMotion, .wifi, .noWiFi, .wakes, .noWake, .notifier,
      .noNotifier, .byHand,
      .outlet, .noOutlet, .handedOut, .sinkReached:
      false
    }
  }
}
