// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import LocationModel
import MessageBus
import ServiceContract
import ServiceCore

// The parts beside the path from sky to fix: the service with its apps, and the modem.

extension Diagnosis {
  mutating func judgeService(_ facts: DoctorFacts) {
    switch facts.service {
    case .notAsked: break
    case .absent(let socket):
      if let fault = facts.configurationFault {
        noteFinding(
          .faultyConfiguration, "no service can start: \(fault)",
          advice:
            "milepostd config explains every option; milepostd config --check FILE lists what is wrong"
        )
      }
      noteFinding(
        .noService, "no service runs: nobody listens at \(socket)",
        advice: "for apps start it: systemctl --user start milepostd, or milepostd in a "
          + "terminal; track and compare need none")
    case .silent(let socket, let reason):
      noteFinding(
        .silentService, "the service at \(socket) cannot be asked: \(reason)",
        advice: "see its log: journalctl --user -u milepostd")
    case .running(let service):
      let names = service.apps.map {
        "\($0.row.name) (\($0.row.kind.words), \($0.row.state.words))"
      }
      noteFinding(
        .service,
        "the service \(service.release) runs, "
          + (names.isEmpty
            ? "and no app is registered" : "with \(Self.counted(names)): \(Self.list(names))"),
        advice: names.isEmpty ? "register one: milepost apps add MANIFEST" : nil)
      let isSameHost =
        service.host == facts.host
        || DoctorFacts.isHere(service.host) && DoctorFacts.isHere(facts.host)
      if !isSameHost || service.port != facts.port {
        noteFinding(
          .otherGPSD,
          "the service looks for gpsd at \(service.host):\(service.port), and "
            + "\(facts.host):\(facts.port) was looked at here",
          advice: "milepost doctor --gpsd \(service.host):\(service.port) looks at the service's")
      }
      if let trouble = service.storeTrouble {
        noteFinding(
          .storeFails, "the service cannot write what it decides: \(trouble)",
          advice:
            "make room, or let its user write there; until then nothing of it outlives the service")
      }
      // A sink's trouble is what came of trying it.
      for app in service.apps {
        judge(app, isTried: service.trials.contains { $0.name == app.row.name })
      }
    }
  }

  /// Judges the cost of gpsd's hold time beside the looks themselves.
  mutating func judgeHold(_ facts: DoctorFacts) {
    if facts.isAlwaysOpen {
      noteFinding(
        .alwaysOn, "gpsd keeps its receiver on at all times: it was started with -n",
        advice: "start it without -n (Debian: GPSD_OPTIONS in /etc/default/gpsd)")
    } else if case .running(let service) = facts.service, service.hold > 0,
      DoctorFacts.isHere(service.host)
    {
      let path = facts.control?.path ?? DoctorFacts.Control.usualPath
      let way =
        switch facts.control?.isWritable {
        case true?: ""
        case false?:
          "let this user write to \(path) (systemctl edit gpsd.socket: SocketMode and SocketGroup), and "
        case nil: "start gpsd with -F \(path), and "
        }
      noteFinding(
        .hold, "gpsd keeps its receiver on for \(Figures.span(service.hold)) after each look",
        advice: way
          + "say gpsd_control: \(path) in milepostd.yaml: then it is closed at once")
    }
  }

  private static func counted(_ names: [String]) -> String {
    names.count == 1 ? "one app" : "\(names.count) apps"
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(8).joined(separator: ", ")
    return names.count > 8 ? shown + " and \(names.count - 8) more" : shown
  }

  /// Judges one app by its first fault: consequences would only repeat it. Dropped events stay dropped when the cause
  /// is gone.
  private mutating func judge(_ app: DoctorFacts.App, isTried: Bool) {
    let name = app.row.name
    defer { judgeGivenUp(app.row) }
    let waiting = Self.waiting(app.row)
    if let fault = app.fault {
      let again = app.row.held == nil ? "" : ", then milepost apps release \(name)"
      noteFinding(
        .noProgram, "\(name) cannot be started: \(fault.text)\(waiting)",
        advice: fault.advice + again)
    } else if let held = app.row.held {
      noteFinding(
        .held, "\(name) is held: \(held)\(waiting)",
        advice:
          "milepost apps log \(name) shows how it ended; milepost apps release \(name) lets "
          + "it start again")
    } else if app.crashes > 0 {
      noteFinding(
        .crashes,
        "\(name) ended badly \(app.crashes == 1 ? "once" : "\(app.crashes) times") in the last "
          + "10 min\(waiting)",
        advice: "milepost apps log \(name) shows how")
    } else if let trouble = app.row.trouble, !isTried {
      noteFinding(
        .trouble, "\(name) has trouble: \(trouble)\(waiting)",
        advice: "milepost apps log \(name) shows its last runs")
    } else if !app.row.authorization.allowsLocation, !app.row.services.isEmpty {
      noteFinding(
        .unauthorized,
        "\(name) is not authorized: \(app.row.authorization.rawValue)\(waiting)",
        advice: "milepost apps authorize \(name) always")
    }
  }

  /// `; 2 events wait for it`
  static func waiting(_ row: AppRow) -> String {
    switch row.pending {
    case 0: ""
    case 1: "; one event waits for it"
    default: "; \(row.pending) events wait for it"
    }
  }

  private mutating func judgeGivenUp(_ row: AppRow) {
    guard row.givenUp > 0 else { return }
    let events = row.givenUp == 1 ? "one event" : "\(row.givenUp) events"
    noteFinding(
      .givenUp, "\(events) for \(row.name) were given up after all attempts failed",
      advice:
        "milepost apps events \(row.name) lists them, --resend all sends them again, --discard all "
        + "forgets them")
  }

  mutating func judgeModem(_ facts: DoctorFacts) {
    guard let modem = facts.modem else { return }
    let clock = "significant changes are looked for by the clock"
    switch modem {
    case .noBus:
      noteFinding(.noModem, "no modem is known, for there is no system bus here: \(clock)")
    case .noModemManager:
      noteFinding(
        .noModem, "no modem is known, for ModemManager does not run: \(clock)",
        advice: "with a modem, install ModemManager and start it")
    case .refused(let reason):
      noteFinding(
        .noModem, "ModemManager cannot be asked for modems: \(reason)",
        advice: "see its log: journalctl -u ModemManager")
    case .modems(let modems):
      if modems.isEmpty {
        noteFinding(.noModem, "ModemManager knows no modem: \(clock)")
      }
      findings += modems.map(Self.finding)
    }
  }

  private static func finding(_ modem: ModemSurvey.Modem) -> Finding {
    let number = modem.title.split(separator: " ").last ?? ""
    guard modem.state.isEnabled else {
      return Finding(
        .modem, "the modem \(modem.title) is \(modem.state.words): it tells no cells",
        advice: "mmcli -m \(number) -e enables it; a locked one wants its PIN first (mmcli -i SIM "
          + "--pin)")
    }
    guard modem.knowsCells else {
      return Finding(.modem, "the modem \(modem.title) is there, and cannot tell its cells")
    }
    return Finding(
      .modem,
      modem.tellsCells
        ? "the modem \(modem.title) tells its cells"
        : "the modem \(modem.title) is there, and tells its cells once the service listens to them")
  }
}

extension AppManifest.Kind {
  fileprivate var words: String {
    switch self {
    case .handler: "a handler"
    case .connected: "connected"
    case .sink: "a sink"
    }
  }
}
