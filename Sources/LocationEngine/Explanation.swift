// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// Why an app hears nothing at an instant, also while there are no fixes to judge.
package struct Explanation: Sendable, Equatable {
  package let app: AppID
  package let state: AppState
  /// The service that the app has asked for; `nil` where it asked for none, or its process took the
  /// request with it.
  package let service: Service?
  package let plan: ReceiverPlan
  /// `receiver_off`, `not_running`, `suspended` or `unauthorized`; `nil` where the receiver is on and
  /// the verdicts of its fixes say the rest.
  package let verdict: Verdict?
}

extension LocationEngine {
  /// Answers for any instant; `nil` for an unknown app. Ask after time has passed up to `now`.
  package func explanation(for id: AppID, at now: EngineInstant) -> Explanation? {
    guard let app = apps.first(where: { $0.id == id }) else { return nil }
    let anchor = app.significant?.anchor ?? app.standard?.anchor
    let kind: Service? =
      if app.significant != nil {
        .significant
      } else if app.standard != nil {
        app.isContinuous(in: rules.era) ? .continuous : .standard
      } else {
        nil
      }
    var verdict: Verdict?
    if !app.declaration.authorization.allowsLocation {
      verdict = Verdict(.unauthorized)
    } else if kind != .significant, app.state == .notRunning {
      verdict = Verdict(.notRunning)
    } else if kind != .significant, app.state == .suspended, !app.awaitsMotion {
      verdict = Verdict(.suspended)
    } else if !plan.isOn {
      verdict = Verdict(.receiverOff)
    }
    verdict?.since = anchor?.since(now)
    if kind == .significant {
      verdict?.movedRequired = rules.significantDistance
      verdict?.sinceRequired = rules.significantInterval
    }
    return Explanation(app: id, state: app.state, service: kind, plan: plan, verdict: verdict)
  }
}
