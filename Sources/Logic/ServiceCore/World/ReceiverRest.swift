// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
//            plan off, of known or unknown end            plan on
//   awake ────────────────────────────────────► resting ─────────► awake
//                                                  │
//                     gpsd was told, and closed it ▼
//                                               asleep, at most until its family's timer ends it
//
// - A rest goes up to the next look that the plan foresees; a byte ends it as gpsd opens the receiver. Where the policy
//   hears hints, silence puts the look off, hour by hour through a night, and nobody is there to send a receiver that
//   has woken to sleep again. So its timer has the longest time by which a look is put off (ReceiverFamily.swift).
// - A plan that is turned on meanwhile wakes it by opening it.
// - A service that dies leaves a receiver that wakes by its timer, and by gpsd for whoever asks that for positions. The
//   next service knows of no sleep, and needs to know of none.
// - A receiver that gpsd could not be told of, or that another client holds, goes on awake (DeviceRelease.swift).

/// For how long a receiver may sleep while nobody looks.
struct ReceiverRest: Sendable, Equatable {
  /// Seconds of the longest rest, as far as the policy foresees a look [ours]: twice of it is below the longest timer of
  /// those that a byte wakes, and within that a receiver whose service has gone reports again by itself. So long is a
  /// rest of unknown end.
  static let longest = 12 * 3600.0
  /// Seconds below which no receiver is sent to sleep [ours]: gpsd needs two to three to open it again.
  static let shortest = 5.0

  /// The begin of the last rest.
  private var since = EngineInstant.zero
  private var span = RestSpan(seconds: 0)

  /// A look ends; returns for how long its receiver may sleep, `nil` if it is to stay awake. `hears`: hints may put the
  /// next look off.
  mutating func begin(
    _ plan: ReceiverPlan, _ sleep: ReceiverSleep?, hears: Bool, at now: EngineInstant
  ) -> RestSpan? {
    guard sleep != nil, !plan.isOn else { return nil }
    let next = plan.nextSession.map { EngineInstant.seconds(from: now, to: $0) }
    since = now
    span = RestSpan(
      seconds: min(next ?? Self.longest, Self.longest), most: hears ? Self.longest : nil)
    return span.seconds >= Self.shortest ? span : nil
  }

  /// The instant at which a receiver's own timer ends the sleep; `nil` if it has none.
  func end(of family: ReceiverFamily) -> EngineInstant? {
    family.timer(for: span).map { since.advanced(bySeconds: $0) }
  }

  /// A receiver's kind, and what becomes of it between two looks; of a service without `sleep` the kind alone.
  static func words(
    _ device: GPSDEvent.Device, _ identity: ReceiverIdentity, _ sleep: ReceiverSleep?
  ) -> String {
    switch sleep.map({ identity.rest(by: $0) }) {
    case .sleeps(let family)?: "\(device.words): it sleeps between looks (\(family.command))"
    case .goesOn(let reason)?: "\(device.words): it goes on between looks, for \(reason)"
    case nil: device.words
    }
  }
}
