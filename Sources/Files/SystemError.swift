// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the system says is wrong.
package enum SystemError {
  /// The words for an error number, without it that of the last call that failed (strerror(3)).
  package static func text(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
