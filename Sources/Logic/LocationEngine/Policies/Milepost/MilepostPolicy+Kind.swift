// SPDX-License-Identifier: Apache-2.0

import LocationModel

extension MilepostPolicy {
  static let kind = PolicyKind("milepost", .receiver, hints: [.motion, .cells]) {
    (settings) -> MilepostPolicy? in
    guard let timeout = settings.timeout, let hotStart = settings.hotStart else { return nil }
    let memory = AcquisitionMemory(
      logMedian: hotStart, timeout: timeout, isAssisted: settings.isAssisted ?? false)
    return MilepostPolicy(settings, memory: memory)
  }

  var kind: PolicyKind { Self.kind }

  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String {
    "\(stated.networkEnergy == nil ? "the receiver is switched on" : "the network or the receiver is asked") when a "
      + "move of \(plain(rules.significantDistance)) m is likely, by speed and hints; "
      + rules.limits(plain)
  }
}

extension SignificantPolicy {
  /// Seconds within which a hot start hears satellites, if there are any.
  package static var silence: Double { AcquisitionMemory.deaf }

  /// `hotStart`: mean seconds of a hot start, as expected at first; `timeout`: the timeout of any
  /// acquisition, seconds.
  package static func milepost(
    senses: Senses, hotStart: Double, timeout: Double
  ) -> SignificantPolicy {
    let settings = PolicySettings(name: MilepostPolicy.kind.name, senses: senses)
    let memory = AcquisitionMemory(hot: hotStart, timeout: timeout)
    return SignificantPolicy(MilepostPolicy(settings, memory: memory))
  }
}
