// SPDX-License-Identifier: Apache-2.0

import JSONText
public import LocationClient
import LocationModel
import Replay
import ServiceContract

extension ReplayedTrace {
  /// Says what must hold of the app's life, in the sentences that a scenario's file has below `expect`
  /// (`milepost test`), and names the places of these sentences by their identifiers.
  ///
  ///     let home = CLCircularRegion(center: centre, radius: 200, identifier: "home")
  ///     trace.expect("woken within 5 min of leaving home", "at most 30 J", places: [home])
  ///     let account = try trace.run { reason in Reminders() }
  ///     #expect(account.unmet == [])
  ///
  /// *told of each fence* is about these places, if the app monitors them under the same identifiers. A run throws
  /// `ReplayError` for a sentence or a place that is not understood.
  public mutating func expect(_ sentences: String..., places: [CLCircularRegion] = []) {
    expected += sentences
    expectedPlaces += places.map {
      .init(
        $0.identifier,
        .object([
          .init("lat", .number($0.center.latitude)), .init("lon", .number($0.center.longitude)),
          .init("radius", .string("\(Decimal.shortest($0.radius)) m")),
        ]))
    }
  }

  /// The judge of what is expected; `nil` if nothing is.
  func judge() throws -> ExpectationJudge? {
    guard !expected.isEmpty else { return nil }
    let monitors = expectedPlaces.map { JSONValue.string("monitor region \($0.key)") }
    let app = JSONValue.object([
      .init("name", .string(Self.app)), .init("on launch", .array(monitors)),
    ])
    let file = JSONValue.object([
      .init("places", .object(expectedPlaces)), .init("apps", .array([app])),
      .init("expect", .array(expected.map(JSONValue.string))),
    ])
    do throws(SettingsError) {
      return ExpectationJudge(try Scenario(file, file: ""))
    } catch {
      throw ReplayError(error.problems.map { "\($0.path): \($0.message)" }.joined(separator: "\n"))
    }
  }
}

/// An expectation that does not hold.
public struct UnmetExpectation: Sendable, Hashable, CustomStringConvertible {
  /// The sentence, as it was given.
  public let sentence: String
  /// What happened: `woken 6 min 12 s after it left home`.
  public let reason: String
  /// When; `nil` for what is of the whole trace.
  public let date: Date?

  init(_ failure: ExpectationJudge.Failure) {
    sentence = failure.expectation.sentence
    reason = failure.words
    date = failure.time.map { Date($0) }
  }

  /// `woken within 5 min of leaving home: woken 6 min 12 s after it left home (2026-03-17T06:32:10Z)`.
  public var description: String {
    "\(sentence): \(reason)" + (date.map { " (\($0.ISO8601Format()))" } ?? "")
  }
}
