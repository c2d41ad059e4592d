// SPDX-License-Identifier: Apache-2.0

/// Whether notifications can be shown here, asked once.
package enum NotifierSurvey: Sendable, Equatable {
  /// The name of the server that shows them.
  case shown(by: String)
  /// The reason why they go to the journal.
  case notShown(String)

  /// Asks; blocks for some seconds at most, and starts the server if the bus can. `address` is that of a bus; the
  /// default is the user's own.
  package static func taken(address: String? = nil) -> NotifierSurvey {
    do throws(DesktopNotifier.Failure) {
      return .shown(by: try SessionBus(address).serverName())
    } catch {
      return .notShown(error.words)
    }
  }
}
