// SPDX-License-Identifier: Apache-2.0

/// Whether notifications can be shown here, asked once.
package enum NotifierSurvey: Sendable, Equatable {
  /// The name of the server that shows them.
  case shown(by: String)
  /// Why they go to the journal.
  case notShown(String)

  /// Asks; blocks for some seconds at most, and starts the server where the bus can. `address` is that of a
  /// bus; without one the user's own is looked for.
  package static func taken(address: String? = nil) -> NotifierSurvey {
    do throws(DesktopNotifier.Failure) {
      return .shown(by: try SessionBus(address).serverName())
    } catch {
      return .notShown(error.words)
    }
  }
}
