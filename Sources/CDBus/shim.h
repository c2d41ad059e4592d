// SPDX-License-Identifier: Apache-2.0
// libdbus-1, and an event descriptor whose flags Swift does not import.
#pragma once

#include <dbus/dbus.h>
#include <sys/eventfd.h>

/// A descriptor that another thread makes readable; closed on exec. -1 with errno (eventfd(2)).
static inline int cdbus_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
