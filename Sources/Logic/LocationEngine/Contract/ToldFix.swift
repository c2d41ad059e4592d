// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The outcome of a fix that only reached the sole app: verdict and delivery in brief, without the fix itself, which
/// the caller has. A tracked app has one each second, and a caller that only counts them needs no commands.
package struct ToldFix: Sendable, Equatable {
  package let app: AppID
  package let service: Service
  /// The delivery's number.
  package let sequence: UInt64
  /// As in the verdict, whose outcome is `delivered`.
  package let moved: Double?
  package let movedRequired: Double?
  package let since: Double?

  init(_ app: AppID, _ service: Service, _ verdict: Verdict, sequence: UInt64) {
    self.app = app
    self.service = service
    self.sequence = sequence
    moved = verdict.moved
    movedRequired = verdict.movedRequired
    since = verdict.since
  }

  package func verdict(on fix: Fix) -> Verdict {
    Verdict(
      .delivered, moved: moved, movedRequired: movedRequired, since: since,
      accuracy: fix.horizontalAccuracy)
  }

  package func delivery(of fix: Fix) -> Delivery {
    Delivery(
      sequence: sequence, service: service, fix: fix, isCached: false, moved: moved, since: since)
  }

  /// The same as commands, in their order.
  package func commands(of fix: Fix) -> [EngineCommand] {
    [
      .verdict(app, service, verdict(on: fix), fixTime: fix.time),
      .deliver(app, delivery(of: fix)),
    ]
  }
}
