// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import ControlProtocol
import DeviceWatch
import Foundation
import LocationModel
import MessageBus
import ServiceContract
import Testing

@testable import DaemonRuntime
@testable import ServiceCore

@Suite("What the doctor says of service, apps and modem")
struct DiagnosisServiceTests {
  /// The findings after a receiver that is in order.
  private func told(_ change: (inout DoctorFacts) -> Void) -> String {
    let facts = DiagnosisTests.device {
      ($0.reports, $0.fixes, $0.bestMode) = (9, 9, 3)
    }
    var changed = facts
    change(&changed)
    var diagnosis = Diagnosis(changed)
    // The outlets of the machine have a separate test.
    diagnosis.findings.removeAll { [.outlet, .noOutlet, .handedOut].contains($0.kind) }
    let text = diagnosis.text
    let before = Diagnosis(facts).text
    #expect(text.hasPrefix(before))
    return String(text.dropFirst(before.count))
  }

  private func service(_ apps: [DoctorFacts.App], port: Int = 2_947) -> DoctorFacts.Service {
    var running = DoctorFacts.Service.Running(
      socket: "/run/user/1000/milepost/socket", release: "0.2.0", host: "localhost", port: port)
    running.apps = apps
    return .running(running)
  }

  private func app(
    _ name: String, _ kind: AppManifest.Kind = .handler,
    _ change: (inout DoctorFacts.App) -> Void = { _ in }
  ) -> DoctorFacts.App {
    var app = DoctorFacts.App(
      row: AppRow(
        name: name, kind: kind, state: .notRunning, services: [.significant],
        authorization: .always, pending: 0, lastDelivery: nil, held: nil))
    change(&app)
    return app
  }

  @Test("No service runs, or it does not answer")
  func absent() {
    #expect(
      told { $0.service = .absent(socket: "/run/user/1000/milepost/socket") } == """
        - no service runs: nobody listens at /run/user/1000/milepost/socket.
          What to do: for apps start it: systemctl --user start milepostd, or milepostd in a terminal; \
        track and compare need none.

        """)
    #expect(
      told { $0.service = .silent(socket: "/s", reason: "no answer within 2 s") } == """
        - the service at /s cannot be asked: no answer within 2 s.
          What to do: see its log: journalctl --user -u milepostd.

        """)
  }

  @Test("Its apps are listed, and where it looks for gpsd if that is elsewhere")
  func running() {
    #expect(
      told { $0.service = service([]) } == """
        - the service 0.2.0 runs, and no app is registered.
          What to do: register one: milepost apps add MANIFEST.

        """)
    let walker = app("walker", .connected) { $0.row.state = .suspended }
    #expect(
      !told { ($0.host, $0.service) = ("127.0.0.1", service([])) }.contains("looks for gpsd"))
    #expect(
      told { $0.service = service([app("log"), walker], port: 2_999) } == """
        - the service 0.2.0 runs, with 2 apps: log (a handler, not running), walker (connected, \
        suspended).
        - the service looks for gpsd at localhost:2999, and localhost:2947 was looked at here.
          What to do: milepost doctor --gpsd localhost:2999 looks at the service's.

        """)
  }

  @Test("What gpsd's hold costs can be avoided, and how, as far as its control socket can be used")
  func hold() {
    func held(_ change: (inout DoctorFacts) -> Void = { _ in }) -> String {
      told { facts in
        var running = DoctorFacts.Service.Running(
          socket: "/s", release: "0.2.0", host: "localhost", port: 2_947)
        running.hold = 60
        facts.service = .running(running)
        change(&facts)
      }.split(separator: "\n").dropFirst(2).joined(separator: "\n")
    }
    let text = "- gpsd keeps its receiver on for 60 s after each look.\n  What to do: "
    #expect(
      held { $0.control = .init(path: "/run/gpsd.sock", isWritable: true) } == text
        + "say gpsd_control: /run/gpsd.sock in milepostd.yaml: then it is closed at once.")
    #expect(
      held { $0.control = .init(path: "/g", isWritable: false) } == text
        + "let this user write to /g (systemctl edit gpsd.socket: SocketMode and SocketGroup), and say "
        + "gpsd_control: /g in milepostd.yaml: then it is closed at once.")
    #expect(
      held() == text + "start gpsd with -F /run/gpsd.sock, and say gpsd_control: "
        + "/run/gpsd.sock in milepostd.yaml: then it is closed at once.")
    #expect(
      held { $0.isAlwaysOpen = true } == """
        - gpsd keeps its receiver on at all times: it was started with -n.
          What to do: start it without -n (Debian: GPSD_OPTIONS in /etc/default/gpsd).
        """)
  }

  @Test("A store that cannot be written is said, and a configuration with which no service starts")
  func store() {
    func running(_ trouble: String?) -> DoctorFacts.Service {
      var running = DoctorFacts.Service.Running(
        socket: "/s", release: "0.2.0", host: "localhost", port: 2_947)
      running.storeTrouble = trouble
      return .running(running)
    }
    #expect(
      told {
        $0.service = running("cannot write /state/milepost.sqlite: No space left on device")
      }.split(separator: "\n").suffix(2).joined(separator: "\n") == """
        - the service cannot write what it decides: cannot write /state/milepost.sqlite: No space left on device.
          What to do: make room, or let its user write there; until then nothing of it outlives the service.
        """)
    #expect(!told { $0.service = running(nil) }.contains("cannot write"))
    #expect(
      told {
        $0.service = .absent(socket: "/s")
        $0.configurationFault =
          "milepostd.yaml:1: gpsd_port: 0 is not a whole number from 1 to 65535"
      }.hasPrefix(
        """
        - no service can start: milepostd.yaml:1: gpsd_port: 0 is not a whole number from 1 to 65535.
          What to do: milepostd config explains every option; milepostd config --check FILE lists what is wrong.

        """))
  }

  @Test("A failing sink is said once, with what waits for it; what was not tried keeps its trouble")
  func failingSink() {
    var running = DoctorFacts.Service.Running(
      socket: "/s", release: "0.2.0", host: "localhost", port: 2_947)
    running.apps = ["van", "old"].map { name in
      app(name, .sink) {
        $0.row.trouble = "https://maps.example cannot be reached: Connection refused"
        $0.row.pending = 3
      }
    }
    running.trials = [
      .init(
        name: "van", isReached: false,
        text: "https://maps.example cannot be reached: Connection refused")
    ]
    let text = told { $0.service = .running(running) }
    #expect(text.components(separatedBy: "the sink van takes nothing").count == 2)
    #expect(text.components(separatedBy: "van has trouble").count == 1, "\(text)")
    #expect(
      text.contains("Connection refused; 3 events wait for it.\n  What to do: milepost sinks"))
    #expect(text.contains("- old has trouble: https://maps.example"))
  }

  @Test(
    "A health check says what is wrong and nothing else: no service is, a second receiver is not")
  func check() {
    func faults(_ change: (inout DoctorFacts) -> Void) -> String {
      var facts = DiagnosisTests.device { ($0.reports, $0.fixes, $0.bestMode) = (9, 9, 3) }
      change(&facts)
      return Diagnosis(facts).checkText
    }
    #expect(
      faults {
        $0.service = service([])
        $0.devices.append(.init(path: "/dev/second"))
        $0.modem = .noModemManager
      } == "all is well\n")
    #expect(
      faults { $0.service = .absent(socket: "/s") }
        == "no service runs: nobody listens at /s\n")
    #expect(
      faults {
        $0.service = service([app("log") { $0.row.trouble = "exit status 1" }])
        $0.devices[0].fixes = 0
      }.split(separator: "\n").map { $0.prefix(12) } == ["/dev/ttyACM0", "log has trou"])
  }

  @Test("An app without its program, held, crashing or not authorized: the first cause alone")
  func failing() {
    let search = ProgramSearch("./walk", directory: "/opt/walker", path: nil)
    let missing = app("walker") {
      $0.fault = search.fault { $0 == "/opt/walker" ? .folder : .nothing }
      ($0.row.held, $0.row.pending, $0.crashes) = ("5 crashes within 10 min", 3, 5)
    }
    #expect(
      told { $0.service = service([missing]) } == """
        - the service 0.2.0 runs, with one app: walker (a handler, not running).
        - walker cannot be started: its program ./walk is not there: /opt/walker/walk was looked \
        for; 3 events wait for it.
          What to do: build it, or mend its path (command in the manifest), which begins at the app's \
        directory, then milepost apps release walker.

        """)
    func last(_ change: (inout DoctorFacts.App) -> Void) -> String {
      told { $0.service = service([app("a", .handler, change)]) }
        .split(separator: "\n").dropFirst().joined(separator: "\n")
    }
    #expect(
      last { ($0.row.held, $0.row.pending) = ("5 crashes within 10 min", 1) } == """
        - a is held: 5 crashes within 10 min; one event waits for it.
          What to do: milepost apps log a shows how it ended; milepost apps release a lets it start \
        again.
        """)
    #expect(
      last { $0.crashes = 1 } == """
        - a ended badly once in the last 10 min.
          What to do: milepost apps log a shows how.
        """)
    #expect(
      last { ($0.row.trouble, $0.row.pending) = ("its command ends with status 3", 2) } == """
        - a has trouble: its command ends with status 3; 2 events wait for it.
          What to do: milepost apps log a shows its last runs.
        """)
    #expect(
      last { ($0.row.givenUp, $0.row.trouble) = (2, "its command ends with status 3") } == """
        - a has trouble: its command ends with status 3.
          What to do: milepost apps log a shows its last runs.
        - 2 events for a were given up after all attempts failed.
          What to do: milepost apps events a lists them, --resend all sends them again, --discard all forgets \
        them.
        """)
    #expect(
      last { $0.row.authorization = .denied } == """
        - a is not authorized: denied.
          What to do: milepost apps authorize a always.
        """)
    // An app without requests needs no permission.
    #expect(last { ($0.row.authorization, $0.row.services) = (.denied, []) } == "")
  }

  @Test("A modem, or none, and what that means")
  func modem() {
    let clock = "significant changes are looked for by the clock"
    #expect(
      told { $0.modem = .noBus("no such file") }
        == "- no modem is known, for there is no system bus here: \(clock).\n")
    #expect(
      told { $0.modem = .noModemManager } == """
        - no modem is known, for ModemManager does not run: \(clock).
          What to do: with a modem, install ModemManager and start it.

        """)
    #expect(told { $0.modem = .modems([]) } == "- ModemManager knows no modem: \(clock).\n")
    #expect(
      told { $0.modem = .refused("no answer within 3 s") } == """
        - ModemManager cannot be asked for modems: no answer within 3 s.
          What to do: see its log: journalctl -u ModemManager.

        """)
    func words(_ state: Int32, knows: Bool, tells: Bool) -> String {
      let modem = ModemSurvey.Modem(
        title: "EC25, modem 0", state: .init(rawValue: state), knowsCells: knows,
        tellsCells: tells)
      return told { $0.modem = .modems([modem]) }
    }
    #expect(words(8, knows: true, tells: true) == "- the modem EC25, modem 0 tells its cells.\n")
    #expect(
      words(8, knows: true, tells: false)
        == "- the modem EC25, modem 0 is there, and tells its cells once the service listens to them.\n"
    )
    #expect(
      words(8, knows: false, tells: false)
        == "- the modem EC25, modem 0 is there, and cannot tell its cells.\n")
    #expect(
      words(3, knows: true, tells: false) == """
        - the modem EC25, modem 0 is disabled: it tells no cells.
          What to do: mmcli -m 0 -e enables it; a locked one wants its PIN first (mmcli -i SIM --pin).

        """)
  }

  @Test("Nobody at the socket is a fact of the probe, and so is a folder in its place")
  func probe() {
    let folder = FileManager.default.temporaryDirectory.path
    let socket = "\(folder)/milepost-\(UUID().uuidString)"
    #expect(ServiceProbe.look(at: socket) == .absent(socket: socket))
    #expect(ServiceProbe.look(at: folder) == .absent(socket: folder))
  }

  @Test("What the machine tells of memory and battery, and who shows notifications")
  func machine() {
    #expect(
      told {
        $0.device = .init(pressure: .told(12.5), battery: .init(percent: 57, isCharging: false))
        $0.connection = .init(wifi: "Home")
        $0.notifier = .shown(by: "gnome-shell")
      } == """
        - the kernel tells when memory is short: in the last 10 s programs waited for it 12.5 % of the time.
        - the battery is at 57 %, and is being used.
        - no supply says whether the machine is on external power: the ignition of a vehicle is not felt.
        - there is no accelerometer (/sys/bus/iio/devices): no motion is felt.
        - the machine is connected by the Wi-Fi network Home: that one is left or joined is a hint for the policy \
        milepost.
        - this user may have a sleeping machine woken for a look: wake_machine: true does so.
        - notifications of apps are shown by gnome-shell.
        - pushes, newsstand issues, accessories, Bluetooth, calls and the first unlock are played by hand: milepost \
        apps send, milepost apps device.

        """)
    #expect(
      told {
        $0.device = .init(pressure: .notTold(.switchedOff), battery: nil)
        $0.notifier = .notShown("this user has no session bus")
      } == """
        - memory pressure is not watched: this kernel counts it only when it is started with psi=1; suspended \
        apps are ended after purge_after_s alone.
        - there is no battery: Low Power Mode is left to milepost apps device low-power.
        - no supply says whether the machine is on external power: the ignition of a vehicle is not felt.
        - there is no accelerometer (/sys/bus/iio/devices): no motion is felt.
        - NetworkManager cannot be asked for the Wi-Fi network: that it is left or joined is not noticed.
        - this user may have a sleeping machine woken for a look: wake_machine: true does so.
        - notifications of apps go to the service's journal: this user has no session bus.
        - pushes, newsstand issues, accessories, Bluetooth, calls and the first unlock are played by hand: milepost \
        apps send, milepost apps device.

        """)
    #expect(
      told {
        $0.device = .init(pressure: .told(0), battery: .init(percent: 100, isCharging: true))
      }.contains(
        "programs waited for it 0 % of the time.\n- the battery is at 100 %, and is on its charger."
      ))
  }
}
