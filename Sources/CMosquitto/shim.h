// SPDX-License-Identifier: Apache-2.0
// libmosquitto, and what a socket has carried.
#pragma once

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// A descriptor that another thread makes readable; closed on exec. -1 with errno (eventfd(2)).
static inline int cmosquitto_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Octets that a TCP socket has carried above TCP, each counted once; -1 with errno. They are four counters of
/// `struct tcp_info` (linux/tcp.h, `tcpi_bytes_received`, since Linux 4.1, and `tcpi_bytes_sent` and
/// `tcpi_bytes_retrans`, since 4.19), which glibc's own header lacks.
static inline int cmosquitto_octets(int descriptor, int64_t *up, int64_t *down) {
  unsigned char info[216];
  socklen_t length = sizeof info;
  memset(info, 0, sizeof info);
  if (getsockopt(descriptor, 6 /* IPPROTO_TCP */, 11 /* TCP_INFO */, info, &length) != 0) return -1;
  uint64_t received, sent, again;
  memcpy(&received, info + 128, sizeof received);
  memcpy(&sent, info + 200, sizeof sent);
  memcpy(&again, info + 208, sizeof again);
  *up = (int64_t)(sent - again);
  // The other side's FIN counts as an octet there: it has come in the states CLOSE_WAIT and LAST_ACK.
  *down = (int64_t)received - (info[0] == 8 || info[0] == 9);
  return 0;
}
