// SPDX-License-Identifier: Apache-2.0

/// Wires the edges to the engine.
package actor Daemon {
}
