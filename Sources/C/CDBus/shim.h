// SPDX-License-Identifier: Apache-2.0
// libdbus-1.
#pragma once

#include <dbus/dbus.h>
