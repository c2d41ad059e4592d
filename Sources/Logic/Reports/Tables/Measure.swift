// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// The unit of a figure: it determines its words for people and its decimals in documents.
enum Measure: Sendable, Equatable {
  case joules
  case milliwatts
  case percent
  /// The life of a battery.
  case hours
  case seconds
  /// A delay, seconds.
  case delay
  case metres
  case count
  /// A share of 1 with six decimals, or a ratio with four; people read a share in per cent.
  case share
  case ratio

  /// Its decimals in documents.
  var decimals: Int {
    switch self {
    case .joules, .percent, .share: 6
    case .milliwatts, .ratio: 4
    case .seconds, .delay: 3
    case .hours: 2
    case .metres: 1
    case .count: 0
    }
  }

  /// The greatest difference of two figures that may be the rounding of a document.
  var rounding: Double { self == .count ? 0.5 : 1.5 / tenTo(decimals) }

  /// A figure as people read it; `isShort` for a narrow column.
  func shown(_ value: Double?, isShort: Bool = false) -> String {
    guard let value else { return Figures.unknown }
    return switch self {
    case .joules: Figures.energy(value)
    case .milliwatts: Figures.power(value)
    case .percent: Figures.percent(value)
    case .hours: Figures.life(value)
    case .seconds: Figures.span(value)
    case .delay: Figures.delay(value)
    case .metres: Figures.distance(value)
    case .count: isShort ? Figures.shortCount(Int(value)) : Figures.count(Int(value))
    case .share: Figures.percent(value * 100)
    case .ratio: Figures.significant(value)
    }
  }
}
