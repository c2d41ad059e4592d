// SPDX-License-Identifier: Apache-2.0

/// The reason why a fix was delivered to an app or was not, with the deciding numbers.
package struct Verdict: Sendable, Equatable {
  /// A closed list; the raw values stand in JSON.
  @usableFromInline package enum Outcome: String, Sendable, CaseIterable {
    case delivered
    /// Nearer to the anchor than the filter requires.
    case tooClose = "too_close"
    /// Far enough, but too soon after the last delivery.
    case tooSoon = "too_soon"
    /// Its accuracy is unknown or too coarse for the service to judge by.
    case inaccurate
    /// It holds values that no position can have.
    case invalid
    /// It repeats the time of the fix before it.
    case duplicate
    /// It is older than the fix before it.
    case late
    /// It lies further off than anything moves; waits for agreeing fixes.
    case jumpUnconfirmed = "jump_unconfirmed"
    case notRunning = "not_running"
    case suspended
    case unauthorized
    /// The device is in a privacy zone into which the app may not see.
    case withheld
    /// No app needed a fix, so there was none.
    case receiverOff = "receiver_off"
  }

  package var outcome: Outcome
  /// Metres from the anchor, and the filter's requirement.
  package var moved: Double?
  package var movedRequired: Double?
  /// Seconds since the anchor's delivery, and the filter's requirement.
  package var since: Double?
  package var sinceRequired: Double?
  /// Horizontal accuracy of the judged fix, metres.
  package var accuracy: Double?
  /// The name of the privacy zone, if the fix is withheld.
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
