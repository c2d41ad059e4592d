// SPDX-License-Identifier: Apache-2.0

package import Glibc
import Host

/// Asks NetworkManager whether the connection is metered: the property `Metered` of its object [doc:
/// networkmanager.dev, org.freedesktop.NetworkManager; NMMetered].
package enum MeteredQuestion {
  /// The time limit of an answer, including the connection to the bus, seconds.
  private static let patience = 2.0
  private static let service = "org.freedesktop.NetworkManager"

  /// For `poll`: nothing interrupts the wait.
  package static let uncut = pollfd(fd: -1, events: 0, revents: 0)

  /// `nil` if there is no bus or no NetworkManager (which is not started for this), or it does not know. `address` is
  /// that of a bus; the default is the system bus. It waits for the answer, at most until `bell` rings.
  package static func answer(_ address: String? = nil, until bell: pollfd = uncut) -> Bool? {
    guard let bus = try? BusConnection(address ?? BusConnection.systemAddress),
      let hello = BusMessage.hello, bus.send(hello) != nil,
      let question = BusMessage.call(
        service, "/org/freedesktop/NetworkManager", "org.freedesktop.DBus.Properties", "Get",
        [.string(service), .string("Metered")]),
      let serial = bus.send(question),
      let answer = answer(to: serial, on: bus, until: bell), answer.kind == .answer
    else { return nil }
    return answer.arguments.variant?.uint32.flatMap(isMetered)
  }

  /// NM_METERED_UNKNOWN 0, YES 1, NO 2, GUESS_YES 3, GUESS_NO 4.
  static func isMetered(_ number: UInt32) -> Bool? {
    switch number {
    case 1, 3: true
    case 2, 4: false
    default: nil
    }
  }

  private static func answer(
    to serial: UInt32, on bus: BusConnection, until bell: pollfd
  ) -> BusMessage? {
    let end = BlockingThread.now + patience
    while true {
      var entries = [bell] + bus.awaited
      let left = end - BlockingThread.now
      guard left > 0 else { return nil }
      let count = poll(&entries, nfds_t(entries.count), Int32((left * 1_000).rounded(.up)))
      guard count > 0 || (count < 0 && errno == EINTR), entries[0].revents == 0,
        let arrivals = bus.exchange(Array(entries.dropFirst()))
      else { return nil }
      if let answer = arrivals.first(where: { $0.replySerial == serial }) { return answer }
    }
  }
}
