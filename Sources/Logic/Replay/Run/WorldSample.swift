// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel

/// One second of the world, or a stride of several, the same for all runs of a comparison.
///
/// It is large, and copied often: so it refers to nothing, and the rare events of the truth go beside it.
struct WorldSample: Sendable {
  var truth: TruthSample
  /// The cell that a modem camps on.
  var cell: CellID
  /// The receiver's environment at the place.
  var environment: Environment
  /// Whether the receiver's fix, if it has one, goes missing on its way.
  var losesFix = false
  /// Windows in which the motion sensor fired since the previous sample: in one second, one at most.
  var felt = 0
  /// Whether the true device stands.
  var stands: Bool
  /// Whether no receiver could know the place (`LostSky`).
  var isHidden = false
  /// A tracking receiver's report; `nil` if it sees no sky.
  var fix: Fix?

  /// Whether a tracking receiver sees the sky.
  @inline(__always)
  var hasSky: Bool { if case .some = fix { true } else { false } }

  /// Whether the fix of a receiver that tracks reaches the device.
  @inline(__always)
  var hasReport: Bool { hasSky && !losesFix }

  /// The causal bound's view of this second.
  func second(
    _ hint: DeviceSensors.Hint, hasOwnFix: Bool, mixesEnvironments: Bool
  ) -> CausalReceiver.Second {
    CausalReceiver.Second(
      hasSky: hasSky, losesFix: losesFix, stands: stands, isHinted: hint.isCell || hint.isMotion,
      hasOwnFix: hasOwnFix, environment: mixesEnvironments ? environment : nil)
  }
}
