// SPDX-License-Identifier: Apache-2.0

import Foundation
package import LocationModel

extension Date {
  package init(_ instant: UTCInstant) {
    self.init(timeIntervalSince1970: Double(instant.microseconds) / 1e6)
  }
}
