// SPDX-License-Identifier: Apache-2.0

import Wording

/// What a figure is measured in: from it follow its words for people and its decimals in documents.
enum Measure: Sendable, Equatable {
  case joules
  case milliwatts
  case milliwattHours
  case percent
  /// How long a battery lasts.
  case hours
  case seconds
  /// How late something was told, in seconds.
  case delay
  /// What one more milliwatt-hour buys, in seconds.
  case exchange
  case metres
  case count
  /// A share of 1 with six decimals, or a ratio with four; people read a share in per cent.
  case share
  case ratio

  /// The decimals that documents have of it.
  var decimals: Int {
    switch self {
    case .joules, .percent, .share: 6
    case .milliwatts, .milliwattHours, .exchange, .ratio: 4
    case .seconds, .delay: 3
    case .hours: 2
    case .metres: 1
    case .count: 0
    }
  }

  /// A difference of two figures up to which it may be the rounding of a document.
  var rounding: Double { self == .count ? 0.5 : 1.5 / tenTo(decimals) }

  /// A figure as people read it; `isShort` where a column has few letters.
  func words(_ value: Double?, isShort: Bool = false) -> String {
    guard let value else { return Figures.unknown }
    return switch self {
    case .joules: Figures.energy(value)
    case .milliwatts: Figures.power(value)
    case .milliwattHours: Figures.milliwattHours(value)
    case .percent: Figures.percent(value)
    case .hours: Figures.life(value)
    case .seconds: Figures.span(value)
    case .delay, .exchange: Figures.delay(value)
    case .metres: Figures.distance(value)
    case .count: isShort ? Figures.shortCount(Int(value)) : Figures.count(Int(value))
    case .share: Figures.percent(value * 100)
    case .ratio: Figures.significant(value)
    }
  }
}
