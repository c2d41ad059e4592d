// SPDX-License-Identifier: Apache-2.0

/// The range of a count read from outside, so that a million traces in a thousand worlds can be added up without
/// overflow: 127 years of one a second [ours].
package enum SummableCount {
  package static let range = 0...4_000_000_000

  package static func allows(_ counts: [Int]) -> Bool { counts.allSatisfy(range.contains) }
}
