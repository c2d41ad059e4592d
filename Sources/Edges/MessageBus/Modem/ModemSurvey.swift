// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
package import ServiceContract

/// The modems that ModemManager knows, asked once, without any setup or subscription, and without
/// starting ModemManager.
package enum ModemSurvey: Sendable, Equatable {
  /// The system bus cannot be reached, with the reason.
  case noBus(String)
  case noModemManager
  /// ModemManager, or the bus, refused the question or did not answer.
  case refused(String)
  /// The modems in ModemManager's list; empty if it knows none.
  case modems([Modem])

  package struct Modem: Sendable, Equatable {
    /// The model, if known, and its number.
    package var title: String
    package var state: ModemState
    /// Whether it can report its cells, and whether it does now.
    package var knowsCells: Bool
    package var tellsCells: Bool

    package init(title: String, state: ModemState, knowsCells: Bool, tellsCells: Bool) {
      self.title = title
      self.state = state
      self.knowsCells = knowsCells
      self.tellsCells = tellsCells
    }
  }

  /// Asks; blocks for at most `patience` seconds. `address` is that of a bus; the default is the system bus.
  package static func taken(
    address: String? = nil, patience: Double = 3
  ) -> ModemSurvey {
    let end = BlockingThread.now + patience
    var question = BusCall.hello
    do throws(BusConnection.Failure) {
      let bus = try BusConnection(address ?? BusConnection.systemAddress)
      for next in [BusCall.hello, .owner, .modems] {
        question = next
        guard let call = question.message else { return .refused("out of memory") }
        let left = Int32((max(0, end - BlockingThread.now) * 1_000).rounded(.up))
        let reader = MessageReader(try bus.ask(call, within: left))
        switch reader.answer(to: question) {
        case .modems(let records):
          return .modems(
            records.map {
              Modem(
                title: $0.title, state: $0.state, knowsCells: $0.knowsCells,
                tellsCells: $0.location?.setup.tellsCells ?? false)
            })
        case .refused(_, let text): return .refused(text)
        case .done, .owner, .location: continue
        }
      }
      return .refused("its answer is not understood")
    } catch {
      return switch (error.name, question) {
      case ("org.freedesktop.DBus.Error.NoReply", _):
        .refused("no answer within \(Int(patience)) s")
      case ("org.freedesktop.DBus.Error.Disconnected", _): .noBus("it ended the connection")
      case (_, .owner): .noModemManager
      case (_, .modems): .refused(error.words)
      default: .noBus(error.words)
      }
    }
  }
}
