// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import ServiceContract
package import Settings

/// Takes what an app's deliveries are, outside of the service.
///
/// One for each app that has one, for as long as its settings stay the same; what it holds open ends with
/// it. It is asked for one batch at a time.
package protocol Sink: Sendable {
  /// Why it could take nothing now, and what to do; `nil` where it could. Asked when an app is added: looks at
  /// this machine only (a folder, a file with a password), and sends nothing.
  func fault() -> String?

  /// Takes a batch, in order. When it returns, all of them are safe where they belong: they are
  /// acknowledged then, and never come again. When it throws, those after `passed` come again, under the same
  /// numbers.
  @discardableResult
  func take(_ deliveries: [PendingDelivery]) async throws(SinkError) -> SinkReceipt

  /// Finds out whether the other side is there and would take something, without leaving anything there that
  /// looks like a position; says what it saw, as one sentence for people.
  func probe() async throws(SinkError) -> String
}

/// A sink that may hold a connection open, over which the other side can ask at any time.
package protocol ListeningSink: Sink {
  /// From now on `hear` is called for what is asked while no batch is under way, on the sink's own thread; it
  /// must not block.
  func listen(_ hear: @escaping @Sendable (SinkRequest) -> Void)
}

/// A sink that tells the other side which regions are monitored for its app.
package protocol RegionSink: Sink {
  /// The regions of which the other side may know: before each batch, and where they change in between. It sends
  /// nothing by itself, and must not block.
  func monitors(_ regions: [MonitoredRegion])
}

/// What there is to say of a batch that was taken.
package struct SinkReceipt: Sendable, Equatable {
  /// `nil` where nothing was sent over a network.
  package var traffic: SinkTraffic?
  /// What the other side asked for meanwhile.
  package var requests: [SinkRequest] = []
  /// What is worth to be said once though all was taken, for people.
  package var notes: [String] = []
}

/// Why a sink takes nothing: what, where, and what the system or the other side says; no final full stop.
package struct SinkError: Error, Sendable, Equatable {
  package let message: String
  /// What follows from it.
  package var fault: SinkFault
  /// All deliveries up to this number are safe where they belong; `nil` where none of the batch is.
  package var passed: UInt64?
  package var traffic: SinkTraffic?

  package init(
    _ message: String, _ fault: SinkFault = .later(after: nil), passed: UInt64? = nil,
    traffic: SinkTraffic? = nil
  ) {
    self.message = message
    self.fault = fault
    self.passed = passed
    self.traffic = traffic
  }
}

/// A sink's name in manifests, and how one is made.
package struct SinkKind: Sendable {
  /// All kinds, in the order in which they are listed; a new one is one file and one line here.
  package static let all: [SinkKind] = [
    .file, .ownTracks, .overland, .traccar, .webhook, .homeAssistant, .mqtt,
  ]

  package let name: String
  /// Makes one of a manifest's table; notes there what is wrong, and opens nothing yet. `directory` is
  /// where relative paths begin. `nil` where something that it needs is missing.
  let make: @Sendable (_ table: inout SettingsTable, _ directory: String) -> (any Sink)?

  init(
    _ name: String,
    make: @escaping @Sendable (_ table: inout SettingsTable, _ directory: String) -> (any Sink)?
  ) {
    self.name = name
    self.make = make
  }

  /// Makes the sink that `settings` describe. `file` is what messages call their file, and `path` the table
  /// in it. Throws `SettingsError` with all that is wrong.
  package static func sink(
    _ settings: SinkSettings, file: String, path: String = "sink", directory: String
  ) throws(SettingsError) -> any Sink {
    var table = SettingsTable(settings.table, file: file, path: path)
    let names = all.map(\.name)
    let name = table.word("kind", among: names)
    if !table.states("kind") {
      table.note("kind", "missing; say one of \(names.joined(separator: ", "))")
    }
    guard let kind = all.first(where: { $0.name == name }) else {
      // Which keys there may be is not known either.
      throw SettingsError(problems: table.problems)
    }
    let sink = kind.make(&table, directory)
    // The service reads these again; here they are known, and what is wrong with them is said.
    _ = SinkSchedule(&table)
    table.finish()
    guard let sink, table.problems.isEmpty else { throw SettingsError(problems: table.problems) }
    return sink
  }
}
