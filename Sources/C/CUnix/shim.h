// SPDX-License-Identifier: Apache-2.0
// The parts of Glibc that Swift does not import.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/// `struct ucred` of `SO_PEERCRED`, which needs _GNU_SOURCE (unix(7)).
struct peer_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

/// A descriptor that another thread makes readable; closed on exec. -1 with errno (eventfd(2)).
static inline int unix_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// A timer of the boot-time clock, which goes on while the machine is suspended; readable when it is due. One that wakes
/// the machine for that needs CAP_WAKE_ALARM. -1 with errno (timerfd_create(2)).
static inline int unix_boot_timer(int wakes) {
  return timerfd_create(wakes ? CLOCK_BOOTTIME_ALARM : CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

/// Makes it due once after this number of nanoseconds; 0 stops it. False with errno.
static inline int unix_set_timer(int timer, long long nanoseconds) {
  struct itimerspec due = {
      .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  return timerfd_settime(timer, 0, &due, NULL) == 0;
}

/// Makes the kernel mark this wall-clock timer readable when that clock is set, or the machine has been suspended;
/// it is never due. False with errno (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET).
static inline int unix_await_clock_set(int timer) {
  struct itimerspec due = {.it_value = {.tv_sec = (time_t)(sizeof(time_t) > 4 ? INT64_MAX : INT32_MAX)}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &due, NULL) == 0;
}

/// A timer for `unix_await_clock_set`; -1 with errno.
static inline int unix_clock_timer(void) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0 || unix_await_clock_set(timer)) return timer;
  close(timer);
  return -1;
}

/// A socket on which the kernel reports changes to devices; -1 with errno (netlink(7)).
static inline int unix_uevent_descriptor(void) {
  int descriptor =
      socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
  if (descriptor < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1 /* the kernel's own */};
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}

/// The events of a device of industrial I/O, which does not block; -1 with errno (linux/iio/events.h:
/// IIO_GET_EVENT_FD_IOCTL; a device has one such reader at a time).
static inline int unix_iio_events(const char *path) {
  int device = open(path, O_RDONLY | O_CLOEXEC);
  if (device < 0) return -1;
  int events = -1;
  if (ioctl(device, _IOR('i', 0x90, int), &events) != 0) events = -1;
  int code = errno;
  close(device);
  if (events >= 0) fcntl(events, F_SETFL, O_RDONLY | O_NONBLOCK);
  errno = code;
  return events;
}

/// The next connection of a listening socket, which does not block; -1 with errno. Closed on exec from its
/// beginning: another thread may be starting a program (accept4(2), which needs _GNU_SOURCE).
static inline int unix_accept(int listener) {
  return (int)syscall(SYS_accept4, listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// Octets that a TCP socket has carried above TCP: sent, with retransmissions, and received; -1 with
/// errno. They are members of `struct tcp_info`, which only ever grows at its end and in glibc's header ends
/// before them: `tcpi_bytes_received` (Linux 4.1) and `tcpi_bytes_sent` (4.19) [source: linux/tcp.h].
static inline int unix_octets(int descriptor, int64_t *sent, int64_t *received) {
  enum { TCP = 6, TCP_INFORMATION = 11, CLOSE_WAIT = 8, LAST_ACK = 9 };
  enum { BYTES_RECEIVED = 128, BYTES_SENT = 200 };
  unsigned char info[208];
  socklen_t length = sizeof info;
  if (getsockopt(descriptor, TCP, TCP_INFORMATION, info, &length) != 0) return -1;
  if (length < sizeof info) return -1;
  memcpy(sent, info + BYTES_SENT, sizeof *sent);
  memcpy(received, info + BYTES_RECEIVED, sizeof *received);
  // The other side's FIN counts as an octet there; the state is the first byte.
  *received -= info[0] == CLOSE_WAIT || info[0] == LAST_ACK;
  return 0;
}

/// The one descriptor that comes with the next byte of a Unix socket, closed on exec; -1 if there is none, or more
/// than one, which are closed (unix(7), SCM_RIGHTS).
static inline int unix_receive_descriptor(int connection) {
  char byte;
  struct iovec part = {.iov_base = &byte, .iov_len = 1};
  union {
    char bytes[CMSG_SPACE(4 * sizeof(int))];
    struct cmsghdr aligned;
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) <= 0) return -1;
  int found = -1;
  int count = 0;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    int descriptors[4];
    size_t size = part->cmsg_len - CMSG_LEN(0);
    if (size > sizeof descriptors) size = sizeof descriptors;
    memcpy(descriptors, CMSG_DATA(part), size);
    for (size_t index = 0; index < size / sizeof(int); index++) {
      if (count++ == 0) found = descriptors[index];
      else close(descriptors[index]);
    }
  }
  if (count == 1) return found;
  if (found >= 0) close(found);
  return -1;
}

/// Sends one byte with a descriptor; false with errno (unix(7), SCM_RIGHTS).
static inline int unix_send_descriptor(int connection, int descriptor) {
  char byte = '\n';
  struct iovec part = {.iov_base = &byte, .iov_len = 1};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &descriptor, sizeof(int));
  return sendmsg(connection, &message, MSG_NOSIGNAL) == 1;
}

/// A socket on which the kernel reports changes to routes; -1 with errno (rtnetlink(7)).
static inline int unix_route_descriptor(void) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (descriptor < 0) return -1;
  struct sockaddr_nl address = {
      .nl_family = AF_NETLINK, .nl_groups = RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE};
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}

/// Whether one message of a dump is a default route that is in use now (rtnetlink(7)).
static inline int unix_is_default_route(const struct nlmsghdr *message) {
  if (message->nlmsg_type != RTM_NEWROUTE) return 0;
  const struct rtmsg *route = (const struct rtmsg *)NLMSG_DATA(message);
  return route->rtm_dst_len == 0 && route->rtm_type == RTN_UNICAST &&
         route->rtm_table != RT_TABLE_LOCAL &&
         (route->rtm_flags & (RTM_F_CLONED | RTNH_F_DEAD | RTNH_F_LINKDOWN)) == 0;
}

/// Whether there is a default route: 1, 0, or -1 with errno.
static inline int unix_has_default_route(void) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (descriptor < 0) return -1;
  // The kernel answers at once; the limit is a safeguard.
  struct timeval limit = {.tv_sec = 2};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  struct {
    struct nlmsghdr head;
    struct rtmsg route;
  } request = {
      .head = {.nlmsg_len = sizeof request,
               .nlmsg_type = RTM_GETROUTE,
               .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
      .route = {.rtm_family = AF_UNSPEC}};
  int found = 0, is_done = send(descriptor, &request, sizeof request, 0) < 0 ? -1 : 0;
  union {
    char bytes[32768];
    struct nlmsghdr aligned;
  } answer;
  while (is_done == 0) {
    int count = (int)recv(descriptor, answer.bytes, sizeof answer.bytes, 0);
    if (count <= 0) is_done = -1;
    for (struct nlmsghdr *message = &answer.aligned; count > 0 && NLMSG_OK(message, count);
         message = NLMSG_NEXT(message, count)) {
      if (message->nlmsg_type == NLMSG_DONE) is_done = 1;
      if (message->nlmsg_type == NLMSG_ERROR) is_done = -1;
      if (unix_is_default_route(message)) found = 1;
    }
  }
  close(descriptor);
  return is_done < 0 ? -1 : found;
}
