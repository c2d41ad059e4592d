// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// Who watches what becomes of a run's app, beside the run itself.
package protocol RunObserver: AnyObject, Sendable {
  /// The engine decided something.
  func saw(_ command: EngineCommand, at time: UTCInstant)
}
