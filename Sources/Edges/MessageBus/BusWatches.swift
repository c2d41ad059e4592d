// SPDX-License-Identifier: Apache-2.0

import CDBus
import Glibc

/// The descriptors for which libdbus wants to be woken.
final class BusWatches {
  private var watches: [OpaquePointer] = []

  /// `false` if there is no memory.
  func watchConnection(_ connection: OpaquePointer) -> Bool {
    dbus_connection_set_watch_functions(
      connection,
      { watch, data in
        guard let watch, let data else { return 0 }
        BusWatches.at(data).watches.append(watch)
        return 1
      },
      { watch, data in
        guard let watch, let data else { return }
        BusWatches.at(data).watches.removeAll { $0 == watch }
      },
      { _, _ in }, Unmanaged.passUnretained(self).toOpaque(), nil) != 0
  }

  func forgetConnection(_ connection: OpaquePointer) {
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
  }

  private static func at(_ data: UnsafeMutableRawPointer) -> BusWatches {
    Unmanaged<BusWatches>.fromOpaque(data).takeUnretainedValue()
  }

  var awaited: [pollfd] {
    watches.filter { dbus_watch_get_enabled($0) != 0 }.map { watch in
      let flags = dbus_watch_get_flags(watch)
      var events: Int16 = 0
      if flags & DBUS_WATCH_READABLE.rawValue != 0 { events |= Int16(POLLIN) }
      if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events |= Int16(POLLOUT) }
      return pollfd(fd: dbus_watch_get_unix_fd(watch), events: events, revents: 0)
    }
  }

  func handle(ready: [pollfd]) {
    // Handling one watch may make another one disappear.
    for watch in watches where watches.contains(watch) {
      guard dbus_watch_get_enabled(watch) != 0 else { continue }
      let descriptor = dbus_watch_get_unix_fd(watch)
      let wanted = dbus_watch_get_flags(watch)
      var flags: UInt32 = 0
      for entry in ready where entry.fd == descriptor {
        let events = Int32(entry.revents)
        if events & POLLIN != 0 { flags |= DBUS_WATCH_READABLE.rawValue & wanted }
        if events & POLLOUT != 0 { flags |= DBUS_WATCH_WRITABLE.rawValue & wanted }
        if events & POLLERR != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
        if events & POLLHUP != 0 { flags |= DBUS_WATCH_HANGUP.rawValue }
      }
      if flags != 0 { dbus_watch_handle(watch, flags) }
    }
  }
}
