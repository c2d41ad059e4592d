// SPDX-License-Identifier: Apache-2.0

import Replay

extension SimulatedReceiver {
  /// Its times to first fix are the means: 30 s for the first, 8 s for any later one.
  static let notDrawn = SimulatedReceiver(
    seed: 1,
    parameters: SimulatedReceiver.Parameters(
      cold: .init(seconds: 30, failure: 0), warm: .init(seconds: 20, failure: 0),
      hot: .init(seconds: 8, failure: 0), assisted: .init(seconds: 8, failure: 0),
      isDrawn: false, timeout: 120))
}
