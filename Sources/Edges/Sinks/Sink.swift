// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import ServiceContract

/// Delivers an app's events to a place outside of the service.
///
/// Each app with a sink has one, for as long as its settings stay the same; its open resources are released with it. It
/// gets one batch at a time, oldest first, of at most 64. The same delivery makes the same bytes each time, without the
/// clock or chance, so that the other side can recognise a repeat. A sink runs no timer while idle, and blocks no thread
/// but its own.
package protocol Sink: Sendable {
  /// The reason why it could accept nothing now, and the remedy; `nil` if it could. Called when an app is added: it
  /// checks only this machine (a folder, a file with a password), and sends nothing.
  func fault() -> String?

  /// Takes a batch, in order. `arrived` is called, on any thread, as deliveries become safe at their destination, with
  /// the number of the last of them: they are acknowledged then, so that a kill repeats none of them. When it returns,
  /// all are. When it throws, those after `passed` come again, under the same numbers.
  ///
  /// If its task is cancelled, nothing more leaves: it throws `SinkError.recalled` once the outcome of the rest is known.
  @discardableResult
  func send(
    deliveries: [PendingDelivery], arrived: @escaping @Sendable (UInt64) -> Void
  ) async throws(SinkError) -> SinkReceipt

  /// The path of its files, with `*` for the day: no other sink may write there. `nil` if it writes none.
  var files: String? { get }

  /// Checks whether the other side is there and would accept deliveries, without leaving anything there that looks like
  /// a position; returns its observations, as one sentence for people.
  func probe() async throws(SinkError) -> String
}

extension Sink {
  package var files: String? { nil }
}

/// A sink that may hold a connection open, over which the other side can send requests at any time.
package protocol ListeningSink: Sink {
  /// Sets `hear`, which is called for requests while no batch is under way, on the sink's own thread; it must not
  /// block.
  func listen(_ hear: @escaping @Sendable (SinkRequest) -> Void)
}

/// A sink that reports an app's monitored regions to the other side.
package protocol RegionSink: Sink {
  /// Sets the regions of which the other side may know: before each batch, and when they change in between. It sends
  /// nothing by itself, and must not block.
  func monitors(_ regions: [MonitoredRegion])
}

/// The report on an accepted batch.
package struct SinkReceipt: Sendable, Equatable {
  /// `nil` if nothing was sent over a network.
  package var traffic: SinkTraffic?
  /// The other side's requests meanwhile.
  package var requests: [SinkRequest] = []
  /// Remarks to be reported once although all was accepted, for people.
  package var notes: [String] = []
}

/// The reason why a sink accepts nothing: the fault, its place, and the message of the system or the other side; no
/// final full stop.
package struct SinkError: Error, Sendable, Equatable {
  package let message: String
  /// What the service does about it.
  package var fault: SinkFault
  /// All deliveries up to this number are safe at their destination; `nil` if none of the batch is.
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

extension SinkError {
  /// A batch was recalled before all of it had left.
  static let recalled = SinkError("the rest of the batch was recalled", .recalled)

  /// The message of the error that `body` throws; `nil` if it throws none.
  static func message(of body: () throws(SinkError) -> Void) -> String? {
    do throws(SinkError) {
      try body()
      return nil
    } catch {
      return error.message
    }
  }
}

/// A kind of sink: its name in manifests, and its constructor. This one appends each event to a named pipe:
///
///     extension SinkKind {
///       static let pipe = SinkKind("pipe") { table, directory in
///         let path = table.absolutePath("path", from: directory)
///         if !table.states("path") { table.noteProblem(at: "path", "missing; say which pipe") }
///         return path.map { PipeSink(path: $0) }
///       }
///     }
///
/// Over HTTP only the format is missing: an `HTTPFormat`, which `HTTPSink` sends.
package struct SinkKind: Sendable {
  /// All kinds, in the order of listings; a new one is one file and one line here.
  package static let all: [SinkKind] = [
    .file, .ownTracks, .overland, .traccar, .webhook, .homeAssistant, .mqtt,
  ]

  package let name: String
  /// Makes a sink from a manifest's table; notes its faults there, and opens nothing yet. Relative paths begin at
  /// `directory`. `nil` if a required part is missing.
  let make: @Sendable (_ table: inout SettingsTable, _ directory: String) -> (any Sink)?

  init(
    _ name: String,
    make: @escaping @Sendable (_ table: inout SettingsTable, _ directory: String) -> (any Sink)?
  ) {
    self.name = name
    self.make = make
  }

  /// Makes the sink that `settings` describe. `file` is the name of their file in messages, and `path` the table in it.
  /// Throws `SettingsError` with all faults.
  package static func sink(
    _ settings: SinkSettings, file: String, path: String = "sink", directory: String
  ) throws(SettingsError) -> any Sink {
    var table = SettingsTable(settings.table, file: file, path: path)
    let names = all.map(\.name)
    let name = table.word("kind", among: names)
    if !table.states("kind") {
      table.noteProblem(at: "kind", "missing; say one of \(names.joined(separator: ", "))")
    }
    guard let kind = all.first(where: { $0.name == name }) else {
      // The allowed keys are not known either.
      throw SettingsError(problems: table.problems)
    }
    let sink = kind.make(&table, directory)
    // The service reads these again; here they are accepted, and their faults reported.
    _ = SinkSchedule(&table)
    table.finish()
    guard let sink, table.problems.isEmpty else { throw SettingsError(problems: table.problems) }
    return sink
  }
}
