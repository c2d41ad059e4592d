// SPDX-License-Identifier: Apache-2.0

package import Logging
package import ServiceContract

extension ServiceContract.LogLevel {
  /// The level in swift-log's terms.
  package var level: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    }
  }
}
