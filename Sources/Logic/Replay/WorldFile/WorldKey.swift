// SPDX-License-Identifier: Apache-2.0

import JSONText
import RadioPower
import ServiceContract

// Theory
// ======
//
// A world file states what no trace does and few want to change: receiver, cells, motion sensor, the system's times. A
// key is stated once: its name, its meaning, its values and its place in the options of a replay. From the list the
// file is read, its schema is made, and a saved comparison names what its world was. The default is that of the options
// themselves.

/// One key of a world file.
package struct WorldKey: Sendable {
  package typealias Change = @Sendable (inout ReplayOptions) -> Void

  /// With its unit as the ending.
  package let name: String
  /// The meaning and the default, for people.
  package let about: String
  let shape: JSONShape
  /// The value in some options, as the file writes it; `none` where there is none.
  package let written: @Sendable (ReplayOptions) -> String
  /// Reads the key; faults are noted in the table.
  let read: @Sendable (inout SettingsTable) -> Change?

  /// A key whose default is that of the options, or, in words, depends on something else.
  init(
    _ name: String, _ about: String, usually words: String? = nil,
    _ shape: JSONShape, written: @escaping @Sendable (ReplayOptions) -> String,
    read: @escaping @Sendable (inout SettingsTable) -> Change?
  ) {
    self.name = name
    self.shape = shape
    self.written = written
    self.read = read
    let usual = words ?? Self.usual.map(written) ?? ""
    self.about = "\(about) (default: \(usual))."
  }

  /// The options of a replay for which nobody asked anything.
  private static let usual = (try? ProfileLibrary.device(named: ProfileLibrary.defaultDevice))
    .map { ReplayOptions(device: $0, network: nil) }

  // MARK: Kinds of keys

  typealias Path<Value> = any WritableKeyPath<ReplayOptions, Value> & Sendable
  typealias Setter<Value> = @Sendable (inout ReplayOptions, Value) -> Void

  /// The change to a value; none without one.
  static func change<Value: Sendable>(
    to value: Value?, _ set: @escaping Setter<Value>
  ) -> Change? {
    guard let value else { return nil }
    return { options in set(&options, value) }
  }

  static func number(
    _ name: String, _ path: Path<Double>, in range: ClosedRange<Double>, _ unit: String,
    _ about: String, usually words: String? = nil
  ) -> Self {
    Self(
      name, about, usually: words, .number(range),
      written: { plain($0[keyPath: path]) },
      read: { table in
        change(to: table.number(name, in: range, unit: unit)) { $0[keyPath: path] = $1 }
      })
  }

  /// A number that may be unknown.
  static func optional(
    _ name: String, in range: ClosedRange<Double>, _ unit: String,
    _ about: String, usually words: String, written: @escaping @Sendable (ReplayOptions) -> Double?,
    set: @escaping Setter<Double>
  ) -> Self {
    Self(
      name, about, usually: words, .number(range),
      written: { written($0).map(plain) ?? "none" },
      read: { table in
        change(to: table.number(name, in: range, unit: unit), set)
      })
  }

  static func bytes(_ name: String, _ path: Path<Int>, _ about: String) -> Self {
    let range = 0...1_000_000_000
    return Self(
      name, about, .whole(0...Int64(range.upperBound)),
      written: { String($0[keyPath: path]) },
      read: { table in
        change(to: table.integer(name, in: range)) { $0[keyPath: path] = $1 }
      })
  }

  /// Yes or no.
  static func bool(
    _ name: String, _ about: String, usually words: String? = nil,
    written: @escaping @Sendable (ReplayOptions) -> Bool,
    set: @escaping Setter<Bool>
  ) -> Self {
    Self(
      name, about, usually: words, .bool,
      written: { written($0) ? "yes" : "no" },
      read: { table in change(to: table.bool(name), set) })
  }

  /// A number without needless decimals.
  static func plain(_ value: Double) -> String {
    Decimal.text(value, decimals: 3, trimmed: true)
  }
}
