// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// An observer of a run's app, besides the run itself.
package protocol RunObserver: AnyObject, Sendable {
  /// Takes a decision of the engine.
  func saw(_ command: EngineCommand, at time: UTCInstant)
}
