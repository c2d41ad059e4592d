// SPDX-License-Identifier: Apache-2.0

package import Glibc
import Host

/// Asks NetworkManager what this machine is connected by: the properties `Metered`, `PrimaryConnectionType` and
/// `PrimaryConnection` of its object, and `Id` of that connection [doc: networkmanager.dev,
/// org.freedesktop.NetworkManager, NMMetered; org.freedesktop.NetworkManager.Connection.Active].
package enum ConnectionQuestion {
  /// What it knows.
  package struct Answer: Sendable, Equatable {
    /// Whether traffic is metered; `nil` if it does not know.
    package var isMetered: Bool?
    /// The name of the Wi-Fi network over which the default route goes; `nil` if it goes over none.
    package var wifi: String?

    package init(isMetered: Bool? = nil, wifi: String? = nil) {
      self.isMetered = isMetered
      self.wifi = wifi
    }
  }

  /// The time limit of an answer, including the connection to the bus, seconds.
  private static let patience = 2.0
  private static let service = "org.freedesktop.NetworkManager"

  /// For `poll`: nothing interrupts the wait.
  package static let uncut = pollfd(fd: -1, events: 0, revents: 0)

  /// `nil` if there is no bus or no NetworkManager (which is not started for this). `address` is that of a bus; the
  /// default is the system bus. It waits for the answer, at most until `bell` rings.
  package static func answer(_ address: String? = nil, until bell: pollfd = uncut) -> Answer? {
    let end = BlockingThread.now + patience
    guard let bus = try? BusConnection(address ?? BusConnection.systemAddress),
      let hello = BusMessage.hello, bus.send(hello) != nil
    else { return nil }
    func property(
      _ name: String, of path: String = "/org/freedesktop/NetworkManager",
      _ interface: String = service
    ) -> BusCursor? {
      guard
        let question = BusMessage.call(
          service, path, "org.freedesktop.DBus.Properties", "Get",
          [.string(interface), .string(name)]),
        let serial = bus.send(question),
        let reply = reply(to: serial, on: bus, by: end, until: bell), reply.kind == .answer
      else { return nil }
      return reply.arguments.variant
    }
    guard let metered = property("Metered")?.uint32 else { return nil }
    var answer = Answer(isMetered: isMetered(metered))
    if property("PrimaryConnectionType")?.string == "802-11-wireless",
      let path = property("PrimaryConnection")?.path
    {
      answer.wifi = property("Id", of: path, service + ".Connection.Active")?.string
    }
    return answer
  }

  /// NM_METERED_UNKNOWN 0, YES 1, NO 2, GUESS_YES 3, GUESS_NO 4.
  static func isMetered(_ number: UInt32) -> Bool? {
    switch number {
    case 1, 3: true
    case 2, 4: false
    default: nil
    }
  }

  private static func reply(
    to serial: UInt32, on bus: BusConnection, by end: Double, until bell: pollfd
  ) -> BusMessage? {
    while true {
      var entries = [bell] + bus.awaited
      let left = end - BlockingThread.now
      guard left > 0 else { return nil }
      let count = poll(&entries, nfds_t(entries.count), Int32((left * 1_000).rounded(.up)))
      guard count > 0 || (count < 0 && errno == EINTR), entries[0].revents == 0,
        let arrivals = bus.exchange(Array(entries.dropFirst()))
      else { return nil }
      if let reply = arrivals.first(where: { $0.replySerial == serial }) { return reply }
    }
  }
}
