// SPDX-License-Identifier: Apache-2.0

/// What systemd gives a service and wants to hear of it (sd_notify(3), sd_listen_fds(3)).
package enum Systemd {
  /// Tells the service's state, for example `READY=1`; nothing where there is no `NOTIFY_SOCKET`.
  package static func notify(_ state: String) {}
}
