// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc

/// The kernel's routes (rtnetlink(7)).
package enum RouteTable {
  /// Whether there is a default route of IPv4 or IPv6 through any interface but the loopback, that is no blackhole and
  /// not of the local table; `nil` if the kernel does not say.
  package static var hasDefault: Bool? {
    let answer = unix_has_default_route()
    return answer < 0 ? nil : answer > 0
  }
}
