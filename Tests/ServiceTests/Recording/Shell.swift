// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore
import TraceFiles

/// A service with a recorder and a store that is a value, as in a daemon.
struct Shell {
  private(set) var service: LocationService
  private(set) var time: ServiceTime
  private(set) var header: RecordingHeader
  private(set) var bytes: [UInt8] = []
  private var encoder: RecordingEncoder
  private(set) var store = StoredState()
  /// The store's answer.
  var outcome = LocationService.CommitOutcome.written(seconds: 0.001)
  /// Inputs and effects since the recording began.
  var inputs: Int { encoder.inputs }
  var effects: Int { encoder.effects }

  static let boot = "4ac6c8d7-5f3e-4d0a-9df0-0f5a3f5f6c11"
  /// 2026-05-04T07:08:09Z, as `date -u -d` says.
  static let start = ServiceTime(
    at: EngineInstant(microseconds: 1_000_000_000),
    utc: UTCInstant(microseconds: 1_777_878_489_000_000))

  static func settings(
    _ policy: SignificantPolicy = .receiver(timeout: 60)
  ) throws -> ServiceSettings {
    guard let device = try ProfileLibrary.device(named: "pi-zero-ublox7") else {
      throw InputError("no profile")
    }
    var settings = ServiceSettings(
      release: "0.1.0", rules: EngineRules(), policy: policy, device: device, network: nil)
    settings.receiverHold = 60
    return settings
  }

  static func beginning(
    _ settings: ServiceSettings, stored: StoredState = StoredState(), at time: ServiceTime,
    hasStore: Bool = true
  ) -> ServiceBeginning {
    ServiceBeginning(
      settings: settings,
      host: ServiceHost(
        pid: 4_711, boot: boot, socketPath: "/run/milepost/socket",
        storePath: "/var/lib/milepost/milepost.sqlite", hasStore: hasStore, freezer: "cgroup2"),
      clock: EngineClock(
        continuing: stored.moment, boot: boot, bootClock: time.at.microseconds, utc: time.utc),
      stored: stored)
  }

  init(_ beginning: ServiceBeginning, at time: ServiceTime = start) throws {
    self.time = time
    header = RecordingHeader(beginning, at: time)
    store = beginning.stored
    service = LocationService(beginning, at: time)
    encoder = try RecordingEncoder(header, into: &bytes)
  }

  mutating func wait(_ seconds: Double) {
    time = ServiceTime(
      at: time.at.advanced(bySeconds: seconds), utc: time.utc.advanced(bySeconds: seconds))
  }

  mutating func pass(to instant: EngineInstant) {
    wait(max(0, EngineInstant.seconds(from: time.at, to: instant)))
  }

  /// Passes an input to the service; returns its effects.
  mutating func give(_ input: ServiceInput) throws -> [ServiceEffect] {
    try encoder.write(input: input, at: time, into: &bytes)
    service.handle(input, at: time)
    var all: [ServiceEffect] = []
    while let decision = service.decide() {
      let change = decision.change
      if let change, case .written = outcome { store.apply(change) }
      let effects = service.effects(of: decision, after: outcome)
      try encoder.write(change: change, outcome, effects, into: &bytes)
      all += effects
    }
    return all
  }

  mutating func finish() throws { try encoder.finish(into: &bytes) }
}

extension StoredState {
  /// Applies a change, as far as these tests need it.
  fileprivate mutating func apply(_ change: StoreChange) {
    for app in change.removedApps {
      apps.removeAll { $0.id == app }
      pending.removeAll { $0.app == app }
    }
    apps += change.addedApps
    pending += change.deliveries
    for delivery in change.deliveries {
      each(delivery.app) { $0.lastSequence = delivery.delivery.sequence }
    }
    for new in change.authorizations { each(new.app) { $0.authorization = new.to } }
    for last in change.acknowledged {
      each(last.app) { $0.acknowledged = last.number }
      pending.removeAll { $0.app == last.app && $0.delivery.sequence <= last.number }
    }
    engine = change.engine ?? engine
    moment = change.moment ?? moment
    energy = change.energy ?? energy
  }

  private mutating func each(_ app: AppID, _ body: (inout StoredApp) -> Void) {
    for index in apps.indices where apps[index].id == app { body(&apps[index]) }
  }
}
