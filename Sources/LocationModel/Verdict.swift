// SPDX-License-Identifier: Apache-2.0

/// Why a fix was delivered to an app or was not, with the numbers that decided.
package struct Verdict: Sendable, Equatable {
  /// A closed list; the raw values stand in JSON.
  @usableFromInline package enum Outcome: String, Sendable, CaseIterable {
    case delivered
    /// Nearer to the anchor than the filter asks.
    case tooClose = "too_close"
    /// Far enough, but too early after the last delivery.
    case tooSoon = "too_soon"
    /// Its accuracy is unknown or too coarse for the service to judge by.
    case inaccurate
    /// It holds values that no position can have.
    case invalid
    /// It repeats the time of the fix before it.
    case duplicate
    /// It is older than the fix before it.
    case late
    /// It lies further off than anything moves; waits for others to agree.
    case jumpUnconfirmed = "jump_unconfirmed"
    case notRunning = "not_running"
    case suspended
    case unauthorized
    /// The device is in a privacy zone into which the app may not see.
    case withheld
    /// Nobody needed a fix, so there was none.
    case receiverOff = "receiver_off"
  }

  package var outcome: Outcome
  /// Metres from the anchor, and how many the filter asks for.
  package var moved: Double?
  package var movedRequired: Double?
  /// Seconds since the anchor's delivery, and how many the filter asks for.
  package var since: Double?
  package var sinceRequired: Double?
  /// Horizontal accuracy of the judged fix, metres.
  package var accuracy: Double?
  /// The name of the privacy zone, where it is withheld.
  package var zone: String?

  package init(
    _ outcome: Outcome, moved: Double? = nil, movedRequired: Double? = nil, since: Double? = nil,
    sinceRequired: Double? = nil, accuracy: Double? = nil
  ) {
    self.outcome = outcome
    self.moved = moved
    self.movedRequired = movedRequired
    self.since = since
    self.sinceRequired = sinceRequired
    self.accuracy = accuracy
  }
}
