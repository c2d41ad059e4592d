// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// An app asks for a level, the user answers, and the era decides the resulting authorization:
//
//   one level (`knowsWhenInUse` is false)        two levels
//
//   not determined ──any yes──► always           not determined ──yes──► what was asked for, at most
//        │                                             │                 what was answered
//        └──no──► denied                               ├──no──► denied
//                                                      └──asked for always, answered when in use──►
//                                                           when in use, or always on trial
//                                                when in use ──asks for always, yes──► always
//                                                            └──no──► when in use
//
// A decision stands: an app that was denied, is restricted or holds all that it asks for puts no question. *On trial*
// (`grantsAlwaysOnTrial`) the app is told *always*, and is given the rights of *when in use*; when that first matters
// in the background the user is asked again, and that answer is a change of authorization like any other.

/// The outcome of a question for authorization.
package struct AuthorizationOutcome: Sendable, Equatable {
  /// The authorization that the app is told.
  package var told: Authorization
  /// What the rules go by.
  package var granted: Authorization

  package init(told: Authorization, granted: Authorization) {
    self.told = told
    self.granted = granted
  }

  init(_ both: Authorization) { self.init(told: both, granted: both) }

  /// Whether the app holds a level that the user has yet to confirm.
  package var isOnTrial: Bool { told != granted }
}

extension Authorization {
  /// What this amounts to in an era: with one level any yes is *always*.
  package func held(in era: Era) -> Authorization { held(knowsWhenInUse: era.knowsWhenInUse) }

  package func held(knowsWhenInUse: Bool) -> Authorization {
    self == .whenInUse && !knowsWhenInUse ? .always : self
  }

  /// Whether an app that holds this authorization and asks for `level` puts a question to the user.
  package func isQuestion(asking level: Authorization, in era: Era) -> Bool {
    switch self {
    case .notDetermined: true
    case .whenInUse: era.upgradesToAlways && level == .always
    case .restricted, .denied, .always: false
    }
  }

  /// The authorization of an app that holds this after it asked for `level` (*when in use* or *always*) and the user
  /// gave `answer`; *not determined* is no answer yet.
  ///
  /// Without a question to put, the answer is ignored.
  package func after(
    asking level: Authorization, answer: Authorization, in era: Era
  ) -> AuthorizationOutcome {
    guard isQuestion(asking: level, in: era) else { return AuthorizationOutcome(self) }
    switch answer {
    case .notDetermined: return AuthorizationOutcome(self)
    case .restricted, .denied:
      return AuthorizationOutcome(self == .notDetermined ? answer : self)
    case .whenInUse, .always:
      if !era.knowsWhenInUse { return AuthorizationOutcome(.always) }
      if level == .whenInUse { return AuthorizationOutcome(.whenInUse) }
      if answer == .whenInUse, self == .notDetermined, era.grantsAlwaysOnTrial {
        return AuthorizationOutcome(told: .always, granted: .whenInUse)
      }
      return AuthorizationOutcome(answer)
    }
  }
}
