// SPDX-License-Identifier: Apache-2.0

import LocationModel

extension LocationService.Phase {
  var isStopping: Bool {
    if case .stopping = self { true } else { false }
  }

  /// The latest time until which a stopping service waits.
  var deadline: EngineInstant? {
    if case .stopping(let until) = self { until } else { nil }
  }
}
