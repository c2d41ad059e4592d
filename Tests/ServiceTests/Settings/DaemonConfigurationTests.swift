// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import SettingsFiles
import Testing

@testable import ServiceContract

@Suite("The daemon's configuration")
struct DaemonConfigurationTests {
  private static func parse(
    _ text: String, names: DaemonConfiguration.KnownNames = .init()
  ) throws -> DaemonConfiguration {
    let tree = try SettingsFile.document(Array(text.utf8), name: "milepost.yaml").value
    return try DaemonConfiguration(tree, file: "milepost.yaml", names: names)
  }

  private static func errors(
    _ text: String, names: DaemonConfiguration.KnownNames = .init()
  ) -> [String] {
    do {
      _ = try parse(text, names: names)
      return []
    } catch let error as SettingsError {
      return error.problems.map(\.text)
    } catch {
      return ["\(error)"]
    }
  }

  @Test("The explained file reads back as the defaults, and so does an empty one")
  func explained() throws {
    #expect(try Self.parse(DaemonConfiguration.explained) == DaemonConfiguration())
    #expect(try Self.parse("") == DaemonConfiguration())
    let lines = DaemonConfiguration.explained.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test(
    "The explained file names every key; those that are commented out can be used as they stand")
  func complete() throws {
    let keys = [
      "gpsd_host", "gpsd_port", "gpsd_device", "gpsd_control", "receiver_hold_s",
      "receiver_sleep", "policy", "era",
      "significant_distance_m", "significant_interval_s", "max_late_s", "lateness_price_mj_per_s",
      "external_power", "motion", "motion_sample_s", "wake_machine", "modem", "memory_pressure",
      "low_power_below_percent", "device_profile",
      "network_profile", "new_apps", "freezer", "crash_limit", "outbox_limit", "retry_for_s",
      "purge_after_s", "wake_budget_s", "handler_budget_s", "gpsd_listeners",
      "keep_days", "privacy_zones", "geoclue", "sinks",
    ]
    let text = DaemonConfiguration.explained.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { line in
      keys.contains { line.hasPrefix("# \($0): ") } ? line.dropFirst(2) : line
    }.joined(separator: "\n")
    let tree = try SettingsFile.document(Array(text.utf8), name: "milepost.yaml").value
    #expect(tree.members?.map(\.key).sorted() == keys.sorted())
    let configuration = try DaemonConfiguration(tree, file: "milepost.yaml")
    #expect(configuration.gpsdDevice == "/dev/ttyACM0")
    #expect(
      configuration.gpsdListeners == [.init(port: 2948, service: .standard, distanceFilter: 100)])
    #expect(configuration.maxLate == 30 && configuration.latenessPrice == 25)
    #expect(configuration.zones.map(\.name) == ["home"])
    #expect(configuration.zones.map(\.radius) == [300])
    #expect(configuration.zones.map(\.says) == [.nothing])
  }

  @Test("Every key is read")
  func everyKey() throws {
    let configuration = try Self.parse(
      """
      gpsd_host: pi
      gpsd_port: 2950
      gpsd_device: /dev/gps0
      gpsd_control: /run/gpsd.sock
      receiver_hold_s: 0
      policy: receiver
      era: ios13
      significant_distance_m: 250.5
      significant_interval_s: 60
      modem: off
      memory_pressure: false
      low_power_below_percent: 15
      max_late_s: 45
      lateness_price_mj_per_s: 12.5
      external_power: yes
      device_profile: phone-2021-lte
      network_profile: gsm-tailender
      new_apps: always
      freezer: signals
      crash_limit: 2
      outbox_limit: 10
      gpsd_listeners:
        - port: 2948
          service: significant
        - port: 2949
          service: continuous
          distance_filter_m: 0
      """)
    var expected = DaemonConfiguration()
    expected.gpsdHost = "pi"
    expected.gpsdPort = 2950
    expected.gpsdDevice = "/dev/gps0"
    expected.gpsdControl = "/run/gpsd.sock"
    expected.receiverHold = 0
    expected.policy = "receiver"
    expected.era = .ios13
    expected.significantDistance = 250.5
    expected.significantInterval = 60
    expected.modem = .off
    expected.memoryPressure = false
    expected.lowPowerBelow = 15
    expected.maxLate = 45
    expected.latenessPrice = 12.5
    expected.externalPower = .yes
    expected.deviceProfile = "phone-2021-lte"
    expected.networkProfile = "gsm-tailender"
    expected.newApps = .always
    expected.freezer = .signals
    expected.crashLimit = 2
    expected.outboxLimit = 10
    expected.gpsdListeners = [
      .init(port: 2948, service: .significant),
      .init(port: 2949, service: .continuous, distanceFilter: 0),
    ]
    #expect(configuration == expected)
  }

  @Test("An era's rules are overridden one by one, and what is said of them reads back")
  func eraRules() throws {
    let configuration = try Self.parse(
      """
      handler_budget_s: 3
      era:
        base: ios7
        task_budget_s: 8
        task_overrun: suspended
        has_voip: false
      """)
    var expected = Era.ios7
    expected.taskBudget = 8
    expected.taskOverrun = .suspended
    expected.hasVoIP = false
    #expect(configuration.era == expected)
    #expect(configuration.handlerBudget == 3)
    let text = DaemonConfiguration.changes(from: .init(), to: configuration).map(\.text)
    let era =
      "{base: ios7, task_budget_s: 8, task_overrun: suspended, has_voip: false}"
    #expect(
      text == [
        "era: today becomes \(era), after a restart",
        "handler_budget_s: 30 becomes 3, after a restart",
      ])
    #expect(try Self.parse("era: \(era)").era == expected)
    #expect(
      Self.errors("handler_budget_s: 0\nera: {base: ios5, task_budget_s: -1, rule: 1}")
        == [
          "milepost.yaml: era.base: 'ios5' is not one of ios4, ios7, ios13, today; did you mean 'ios4'?",
          "milepost.yaml: era.task_budget_s: -1 is not a number of seconds from 0 to 86400",
          "milepost.yaml: era.rule: no such key",
          "milepost.yaml: handler_budget_s: 0 is not a number of seconds from 0.1 to 3600",
        ])
  }

  @Test("All problems are told at once, word for word")
  func problems() {
    let text = """
      gpsd_hots: pi
      gpsd_port: 70000
      gpsd_device: ""
      receiver_hold_s: "60"
      era: ios5
      significant_distance_m: 0.5
      max_late_s: 0
      lateness_price_mj_per_s: "25"
      external_power: nope
      modem: of
      memory_pressure: nope
      low_power_below_percent: 96
      new_apps: allways
      freezer: cgroup3
      crash_limit: 2.5
      gpsd_listeners:
        - port: 8080
          service: significant
          distance_filter_m: 5
        - prt: 1
        - port: 8080
          service: standard
      """
    #expect(
      Self.errors(text) == [
        "milepost.yaml: gpsd_port: 70000 is not a whole number from 1 to 65535",
        "milepost.yaml: gpsd_device: '' is not a text of 1 to 255 bytes without blanks",
        "milepost.yaml: receiver_hold_s: '60' is not a number of seconds from 0 to 3600",
        "milepost.yaml: era: 'ios5' is not one of ios4, ios7, ios13, today; did you mean 'ios4'?",
        "milepost.yaml: significant_distance_m: 0.5 is not a number of metres from 1 to 100000",
        "milepost.yaml: max_late_s: 0 is not a number of seconds from 1 to 86400",
        "milepost.yaml: lateness_price_mj_per_s: '25' is not a number of millijoules a second from 0.1 to "
          + "100000",
        "milepost.yaml: external_power: 'nope' is not one of automatic, yes, no, vehicle",
        "milepost.yaml: modem: 'of' is not one of automatic, off; did you mean 'off'?",
        "milepost.yaml: memory_pressure: 'nope' where true or false was expected",
        "milepost.yaml: low_power_below_percent: 96 is not a number of per cent from 0 to 95",
        "milepost.yaml: new_apps: 'allways' is not one of not_determined, restricted, denied, "
          + "when_in_use, always; did you mean 'always'?",
        "milepost.yaml: freezer: 'cgroup3' is not one of automatic, cgroup2, cgroup1, signals; did you "
          + "mean 'cgroup2'?",
        "milepost.yaml: crash_limit: 2.5 is not a whole number from 1 to 1000",
        "milepost.yaml: gpsd_listeners[0].distance_filter_m: significant changes have their own "
          + "distance; leave it out",
        "milepost.yaml: gpsd_listeners[1].port: missing; gpsd's own is 2947",
        "milepost.yaml: gpsd_listeners[1].service: missing; say standard, significant or continuous",
        "milepost.yaml: gpsd_listeners[1].prt: no such key; did you mean 'port'?",
        "milepost.yaml: gpsd_listeners[2].port: 8080 is the port of gpsd_listeners[0] too; choose "
          + "another",
        "milepost.yaml: gpsd_hots: no such key; did you mean 'gpsd_host'?",
      ])
  }

  @Test("Names of policies and profiles are checked where the caller knows them")
  func names() {
    let names = DaemonConfiguration.KnownNames(
      policies: ["ios", "milepost"], deviceProfiles: ["pi-zero-ublox7"], networkProfiles: ["lte"])
    let text = "policy: mileposts\ndevice_profile: pi\nnetwork_profile: lte"
    #expect(
      Self.errors(text, names: names) == [
        "milepost.yaml: policy: 'mileposts' is not one of ios, milepost; did you mean 'milepost'?",
        "milepost.yaml: device_profile: 'pi' is not one of pi-zero-ublox7",
      ])
    #expect(Self.errors(text) == [])
  }

  @Test("A reload says what changes at once and what needs a restart")
  func changes() throws {
    let old = DaemonConfiguration()
    var new = old
    #expect(DaemonConfiguration.changes(from: old, to: new).isEmpty)
    new.gpsdPort = 2950
    new.era = .ios4
    new.outboxLimit = 9
    new.crashLimit = 9
    new.maxLate = 30
    new.externalPower = .no
    let changes = DaemonConfiguration.changes(from: old, to: new)
    #expect(
      changes.map(\.text) == [
        "gpsd_port: 2947 becomes 2950",
        "era: today becomes ios4, after a restart",
        "max_late_s: none becomes 30",
        "external_power: automatic becomes no",
        "crash_limit: 5 becomes 9",
        "outbox_limit: 10000 becomes 9",
      ])
    #expect(changes.map(\.effect) == [.atOnce, .atRestart, .atOnce, .atOnce, .atOnce, .atOnce])
  }
}
