// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

/// What the apps of a script are doing: the steps of their handlers, which take no time but `work`. Work goes on only
/// while the app's code runs; what is left of it then is dropped.
struct AndroidProgram: Sendable {
  private struct Job: Sendable {
    let app: AppID
    var at: EngineInstant
    var rest: ArraySlice<AndroidStep>
  }
  private var jobs: [Job] = []

  /// Jobs of all apps at a time, at most: later ones are not begun [ours].
  private static let limit = 256

  var nextDeadline: EngineInstant? { jobs.map(\.at).min() }

  mutating func begin(_ steps: [AndroidStep], of app: AppID, at now: EngineInstant) {
    guard jobs.count < Self.limit else { return }
    jobs.append(Job(app: app, at: now, rest: steps[...]))
  }

  /// The next step that is due, and whose; the step is `nil` when a handler has come to its end.
  mutating func next(at now: EngineInstant) -> (app: AppID, step: AndroidStep?)? {
    while let index = jobs.firstIndex(where: { $0.at <= now }) {
      let app = jobs[index].app
      guard let step = jobs[index].rest.popFirst() else {
        jobs.remove(at: index)
        return (app, nil)
      }
      guard case .work(let seconds) = step else { return (app, step) }
      jobs[index].at = jobs[index].at.advanced(bySeconds: seconds)
    }
    return nil
  }

  func isBusy(_ app: AppID) -> Bool { jobs.contains { $0.app == app } }

  /// The app's code no longer runs; returns whether it was at work.
  mutating func drop(_ app: AppID) -> Bool {
    let before = jobs.count
    jobs.removeAll { $0.app == app }
    return jobs.count < before
  }
}
