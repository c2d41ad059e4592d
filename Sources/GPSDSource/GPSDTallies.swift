// SPDX-License-Identifier: Apache-2.0

/// What went through a source since it was made: `lines` = `reports` + `badLines` + `overlongLines`.
package struct GPSDTallies: Sendable, Equatable {
  package var lines = 0
  /// Lines that are a JSON object with a class.
  package var reports = 0
  package var badLines = 0
  package var overlongLines = 0
  package var fixes = 0
  package var epochsWithoutFix = 0
  /// TPV reports that came after their epoch's fix was out.
  package var lateReports = 0
  package var connections = 0
  /// How often libgps and the line disagreed, by field.
  package var differences: [String: Int] = [:]

  package init() {}
}
