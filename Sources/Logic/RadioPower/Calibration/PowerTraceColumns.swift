// SPDX-License-Identifier: Apache-2.0

// The first line of an analyser's CSV names its columns, with the unit in brackets:
//
//     Timestamp(ms),Current(uA),D0-D7                              Nordic PPK2
//     Time (s),Main Avg Current (mA),Main Avg Voltage (V)          Monsoon PowerTool
//     Time(ms),Main(mA),Main Voltage(V)                            PyMonsoon
//
// The unit decides: the first column of a time, of a current, of a voltage and of a power count, whatever
// their names; all others (digital channels, USB and auxiliary channels) are skipped.

/// The columns of a power analyser's CSV that hold time, current, voltage and power.
struct PowerTraceColumns: Sendable, Equatable {
  /// A column, and the value of its unit in s, A, V or W.
  struct Column: Sendable, Equatable {
    let index: Int
    let scale: Double
  }

  private(set) var time: Column?
  private(set) var current: Column?
  private(set) var voltage: Column?
  private(set) var power: Column?

  private static let times = ["s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6]
  private static let currents = ["A": 1.0, "mA": 1e-3, "uA": 1e-6, "µA": 1e-6, "nA": 1e-9]
  private static let voltages = ["V": 1.0, "mV": 1e-3]
  private static let powers = ["W": 1.0, "mW": 1e-3, "uW": 1e-6, "µW": 1e-6]

  init(_ heading: String) {
    let cells = heading.split(separator: ",", omittingEmptySubsequences: false)
    for (index, cell) in cells.enumerated() {
      guard let open = cell.lastIndex(of: "("), let close = cell.lastIndex(of: ")"), open < close
      else { continue }
      let unit = String(cell[cell.index(after: open)..<close]).filter { $0 != " " }
      func column(_ units: [String: Double]) -> Column? {
        units[unit].map { Column(index: index, scale: $0) }
      }
      time = time ?? column(Self.times)
      current = current ?? column(Self.currents)
      voltage = voltage ?? column(Self.voltages)
      power = power ?? column(Self.powers)
    }
  }

  /// Whether the line is the heading of a power trace.
  var isComplete: Bool { time != nil && (current != nil || power != nil) }

  /// Whether the columns alone determine the power.
  var statesPower: Bool { power != nil || current != nil && voltage != nil }
}
