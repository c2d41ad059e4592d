// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// An app whose part is played by real code instead of a built-in script.
///
/// Called on the replay's thread, one call at a time. What it answers is taken at the same instant,
/// after the commands at hand.
package protocol AppDriver: AnyObject, Sendable {
  /// When the app or its user does something without having been told anything.
  var nextDeadline: EngineInstant? { get }
  /// The trace begins; what the app says of itself, and its launch.
  func begin(at now: EngineInstant, _ time: UTCInstant) -> [AppInput]
  /// What is due now, first things first; `nil` where nothing is. Asked again after each answer.
  func due(at now: EngineInstant, _ time: UTCInstant) -> AppInput?
  /// The engine commands something; what the app does about it.
  func heard(_ command: EngineCommand, at now: EngineInstant, _ time: UTCInstant) -> [AppInput]
}
