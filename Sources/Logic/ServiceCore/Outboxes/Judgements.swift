// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

/// The last verdicts on an app's services and regions, to explain why it hears nothing.
struct Judgements: Sendable, Equatable {
  struct Judgement: Sendable, Equatable {
    let verdict: Verdict
    let fixTime: UTCInstant?
  }

  private var services = PerService<Judgement>()
  private var regions: [String: Judgement] = [:]

  subscript(service: Service) -> Judgement? { services[service] }
  subscript(region name: String) -> Judgement? { regions[name] }

  mutating func judge(_ service: Service, _ verdict: Verdict, fixTime: UTCInstant?) {
    services.set(Judgement(verdict: verdict, fixTime: fixTime), for: service)
  }

  mutating func judge(region name: String, _ verdict: Verdict, fixTime: UTCInstant?) {
    regions[name] = Judgement(verdict: verdict, fixTime: fixTime)
  }

  mutating func forget(region name: String) { regions[name] = nil }
}

/// One value for each service.
struct PerService<Value: Sendable & Equatable>: Sendable, Equatable {
  private var standard: Value?
  private var significant: Value?
  private var continuous: Value?

  subscript(service: Service) -> Value? {
    switch service {
    case .standard: standard
    case .significant: significant
    case .continuous: continuous
    }
  }

  mutating func set(_ value: Value, for service: Service) {
    switch service {
    case .standard: standard = value
    case .significant: significant = value
    case .continuous: continuous = value
    }
  }
}
