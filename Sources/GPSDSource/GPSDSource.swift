// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// gpsd as a stream of fixes.
package final class GPSDSource: Sendable {
  package struct Address: Sendable, Equatable {
    package var host: String
    package var port: Int
    /// Only this device; `nil` watches all.
    package var device: String?

    package init(host: String = "localhost", port: Int = 2947, device: String? = nil) {
      self.host = host
      self.port = port
      self.device = device
    }
  }

  /// `sink` is called on `group`'s loop, in the order of events, and must not block.
  package init(
    _ address: Address, on group: any EventLoopGroup, sink: @escaping @Sendable (GPSDEvent) -> Void
  ) {
    fatalError("not yet")
  }

  /// Begins or ends the watch; connects where there is no connection yet. Without a watch the
  /// connection is closed, so that gpsd can switch its devices off.
  package func watch(_ isOn: Bool) {}

  /// Ends everything; no event follows.
  package func close() async {}
}
