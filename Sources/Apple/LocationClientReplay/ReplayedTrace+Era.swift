// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

/// The value of an era's rule: yes or no, a number of seconds, or a word.
public enum EraValue: Sendable, Hashable {
  case flag(Bool)
  case seconds(Double)
  case word(String)
}

extension EraValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
  public init(booleanLiteral value: Bool) { self = .flag(value) }
  public init(integerLiteral value: Int) { self = .seconds(Double(value)) }
  public init(floatLiteral value: Double) { self = .seconds(value) }
  public init(stringLiteral value: String) { self = .word(value) }
}

extension ReplayedTrace {
  /// Throws `ReplayError` if there is no such era or rule, or a value does not suit its rule.
  var rules: EngineRules {
    get throws {
      var rules = EngineRules()
      guard var era = Era.named(era) else {
        throw ReplayError(
          "there is no era '\(era)'; known: " + Era.all.map(\.name).joined(separator: ", "))
      }
      for (key, said) in eraRules.sorted(by: { $0.key < $1.key }) {
        guard let rule = EraRule.all.first(where: { $0.key == key }) else {
          throw ReplayError(
            "eraRules: there is no rule '\(key)'; known: "
              + EraRule.all.map(\.key).joined(separator: ", "))
        }
        guard let value = said.value(of: rule), rule.set(value, in: &era) else {
          throw ReplayError(
            "eraRules: \(said.words) is no value of \(key), which is \(rule.shape.words)")
        }
      }
      rules.era = era
      return rules
    }
  }
}

extension EraValue {
  fileprivate var words: String {
    switch self {
    case .flag(let isSo): "\(isSo)"
    case .seconds(let seconds): "\(seconds)"
    case .word(let word): "'\(word)'"
    }
  }

  /// `nil` if the rule has no such values; 0 of an interval is never.
  fileprivate func value(of rule: EraRule) -> EraRule.Value? {
    switch (self, rule.shape) {
    case (.flag(let isSo), .flag): .flag(isSo)
    case (.seconds(let seconds), .seconds) where (0...86_400).contains(seconds): .seconds(seconds)
    case (.seconds(0), .interval): .seconds(nil)
    case (.seconds(let seconds), .interval) where (60...86_400).contains(seconds):
      .seconds(seconds)
    case (.word(let word), .word(let words)) where words.contains(word): .word(word)
    default: nil
    }
  }
}

extension EraRule.Shape {
  fileprivate var words: String {
    switch self {
    case .flag: "true or false"
    case .seconds: "a number of seconds from 0 to 86400"
    case .interval: "a number of seconds from 60 to 86400, or 0 for never"
    case .word(let words): "one of " + words.joined(separator: ", ")
    }
  }
}
