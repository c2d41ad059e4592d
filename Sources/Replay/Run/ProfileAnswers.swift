// SPDX-License-Identifier: Apache-2.0

import RadioPower
import RadioWorld

extension ReplayOptions {
  /// How the profile's receiver starts in the chosen environment.
  var receiverParameters: Receiver.Parameters {
    .init(
      cold: .init(seconds: 50, failure: 0), warm: .init(seconds: 40, failure: 0),
      hot: .init(seconds: 12, failure: 0), assisted: .init(seconds: 5, failure: 0),
      firstStart: firstStart, isDrawn: drawsAcquisition, losesSupply: cutsSupply)
  }
}
