// SPDX-License-Identifier: Apache-2.0

import CUnix

/// A descriptor that another thread makes readable; -1 with errno (eventfd(2)). In a separate file, since the header
/// also brings types of Glibc, which then would be the header's.
func eventDescriptor() -> Int32 { unix_event_descriptor() }
