// SPDX-License-Identifier: Apache-2.0

// Three kinds of time, three types (the third, report time, exists only as text in Reports).
//
// A type that other targets compare in hot places is `@usableFromInline`: only then are its `@inlinable`
// functions inlined there, and its comparisons more than calls through a table.
//
// No function converts between `UTCInstant` and `EngineInstant` here: replay, which takes the engine's instants from
// the trace, does it in one place and says so.

/// A point in UTC as a receiver or a file states it: microseconds since 1970-01-01T00:00:00Z.
///
/// May jump, repeat, or lie decades off; nothing compares it with the machine's clock. A leap second
/// (`23:59:60`) is the first second of the next day, as POSIX counts.
@usableFromInline package struct UTCInstant: Sendable, Hashable, Comparable, Codable {
  @usableFromInline package var microseconds: Int64

  @inlinable package init(microseconds: Int64) { self.microseconds = microseconds }

  /// 1970-01-01T00:00:00Z.
  package static let epoch = Self(microseconds: 0)

  /// Seconds since 1970, rounded down to whole ones.
  package var wholeSeconds: Int64 { microseconds.flooredQuotient(1_000_000) }

  @inlinable package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

  /// Seconds from `start` to `end`; negative if time ran backwards.
  @inlinable package static func seconds(from start: Self, to end: Self) -> Double {
    start.microseconds.seconds(to: end.microseconds)
  }

  @inlinable package func advanced(bySeconds seconds: Double) -> Self {
    Self(microseconds: microseconds.advanced(bySeconds: seconds))
  }
}

/// A point on the engine's monotonic axis: microseconds since an arbitrary start.
///
/// Orders the engine's inputs and drives its deadlines. Live it is the boot-time clock; in replay it
/// is taken from the trace. A replay compares instants a hundred times in each of its seconds, hence
/// the inlining.
@usableFromInline package struct EngineInstant: Sendable, Hashable, Comparable, Codable {
  @usableFromInline package var microseconds: Int64

  @inlinable package init(microseconds: Int64) { self.microseconds = microseconds }

  @inlinable package static var zero: Self { Self(microseconds: 0) }

  /// Seconds since the start of the axis.
  package var seconds: Double { Double(microseconds) / 1e6 }

  @inlinable package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

  /// Seconds from `start` to `end`.
  @inlinable package static func seconds(from start: Self, to end: Self) -> Double {
    start.microseconds.seconds(to: end.microseconds)
  }

  @inlinable package func advanced(bySeconds seconds: Double) -> Self {
    Self(microseconds: microseconds.advanced(bySeconds: seconds))
  }

  /// The earlier of two; `nil` is never.
  @inlinable package static func earlier(_ a: Self?, _ b: Self?) -> Self? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}

extension Int64 {
  /// Seconds between two numbers of microseconds, wherever on the axis they are: a receiver's or a file's
  /// time may be any.
  @inlinable func seconds(to end: Int64) -> Double {
    let (microseconds, isBeyond) = end.subtractingReportingOverflow(self)
    return (isBeyond ? Double(end) - Double(self) : Double(microseconds)) / 1e6
  }

  /// The microseconds `seconds` later; the end of the axis if that is beyond it, and unchanged if `seconds` is no
  /// number (a receiver may report an accuracy of 1e308 m).
  @inlinable func advanced(bySeconds seconds: Double) -> Int64 {
    let change = seconds * 1e6
    guard abs(change) < 9.2e18 else { return change.isNaN ? self : change < 0 ? .min : .max }
    // To the nearest, as `rounded()`, which is a call.
    let whole = Int64(change)
    let rest = change - Double(whole)
    let nearest = rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
    let (sum, isBeyond) = addingReportingOverflow(nearest)
    return isBeyond ? change < 0 ? .min : .max : sum
  }

  /// The quotient rounded towards minus infinity; `divisor` is above 0.
  package func flooredQuotient(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }

  /// The remainder of that division, 0 ..< `divisor`.
  package func flooredRemainder(_ divisor: Int64) -> Int64 {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
