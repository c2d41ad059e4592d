// SPDX-License-Identifier: Apache-2.0

import Testing

/// All tests with real processes, one after the other.
@Suite("Real processes", .serialized, .timeLimit(.minutes(5)))
enum RealProcesses {}
