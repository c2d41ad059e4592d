// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The priority of a request to the fused provider.
package enum FusedPriority: String, Sendable, Hashable, CaseIterable {
  case highAccuracy = "high_accuracy"
  case balanced
  case lowPower = "low_power"
  /// What others ask for.
  case passive
}

/// What one app asks of the fused provider: `LocationRequest.Builder`.
package struct FusedRequest: Sendable, Hashable {
  package var priority: FusedPriority
  /// Seconds.
  package var interval: Double
  /// Seconds between two locations, at least; without one it is the interval (doc: `setMinUpdateIntervalMillis`).
  package var minInterval: Double
  /// Metres from the latest one that was told.
  package var minDistance: Double
  /// Seconds that a location may wait for others; below two intervals none waits (doc: `setMaxUpdateDelayMillis`).
  package var maxDelay: Double
  /// Whether a `PendingIntent` is told, which needs no process; else a callback.
  package var isPending: Bool

  package init(
    _ priority: FusedPriority, every interval: Double, minInterval: Double? = nil,
    minDistance: Double = 0, maxDelay: Double = 0, isPending: Bool = false
  ) {
    self.priority = priority
    self.interval = interval
    self.minInterval = minInterval ?? interval
    self.minDistance = minDistance
    self.maxDelay = maxDelay
    self.isPending = isPending
  }

  package var isBatched: Bool { maxDelay >= 2 * interval && maxDelay > 0 }

  /// The request as the system takes it: the background's limit, and what an approximate location allows (10 min, and low
  /// power: AOSP `LocationProviderManager`).
  package func limited(by access: AndroidAccess, isApproximate: Bool) -> FusedRequest? {
    guard let least = Self.leastInterval(with: access, isApproximate: isApproximate) else {
      return nil
    }
    var request = self
    request.interval = max(interval, least)
    request.minInterval = max(minInterval, least)
    if isApproximate, priority != .passive { request.priority = .lowPower }
    return request
  }

  /// Seconds between two locations that the system allows an app, at least; `nil` without access.
  static func leastInterval(with access: AndroidAccess, isApproximate: Bool) -> Double? {
    let approximate = isApproximate ? fastestApproximate : 0
    switch access {
    case .none: return nil
    case .full: return approximate
    case .throttled(let least): return max(approximate, least)
    }
  }

  /// AOSP `LocationProviderManager`: FASTEST_COARSE_INTERVAL_MS.
  package static let fastestApproximate = 600.0
}

/// What the requests of all apps together need.
package struct FusedNeed: Sendable, Hashable {
  /// Seconds between two positions of the satellite receiver; `nil` is off.
  package var receiver: Double?
  /// Seconds between two positions by Wi-Fi and cells; `nil` is none.
  package var network: Double?
  /// Seconds between two positions by cells alone; `nil` is none.
  package var cells: Double?

  /// Seconds between two positions from which on the receiver is off in between, and of a search that is given up (AOSP
  /// `GnssLocationProvider`: GPS_POLLING_THRESHOLD_INTERVAL, NO_FIX_TIMEOUT; recalled).
  package static let leastPause = 10.0
  package static let patience = 60.0

  package init(receiver: Double? = nil, network: Double? = nil, cells: Double? = nil) {
    (self.receiver, self.network, self.cells) = (receiver, network, cells)
  }

  mutating func merge(_ request: FusedRequest) {
    func sooner(_ a: Double?) -> Double { min(a ?? .infinity, request.interval) }
    switch request.priority {
    case .highAccuracy: receiver = sooner(receiver)
    case .balanced: network = sooner(network)
    case .lowPower: cells = sooner(cells)
    case .passive: break
    }
  }
}
