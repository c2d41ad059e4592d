// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import Sinks

/// The open sinks and their batches under way.
struct OpenSinks {
  private struct Entry {
    let settings: SinkSettings
    let directory: String
    let sink: any Sink
  }

  private var entries: [AppID: Entry] = [:]
  /// The last batch of each app, under way or not.
  private var batches: [AppID: Task<Void, Never>] = [:]

  mutating func perform(order: SinkOrder, answering inbox: Inbox) {
    switch order {
    case .recall(let app): batches[app]?.cancel()
    case .close(let app):
      batches.removeValue(forKey: app)?.cancel()
      entries[app] = nil
    case .regions(let app, let regions):
      (entries[app]?.sink as? any RegionSink)?.monitors(regions)
    case .take(let batch):
      guard let last = batch.deliveries.last?.delivery.sequence else { return }
      let (app, opened) = (batch.app, opened(for: batch, answering: inbox))
      ((try? opened.get()) as? any RegionSink)?.monitors(batch.regions ?? [])
      batches[app] = Task {
        do throws(SinkError) {
          let receipt = try await opened.get().send(deliveries: batch.deliveries) { number in
            inbox.offer(.service(.sink(.passed(app, upTo: number, of: last))))
          }
          for request in receipt.requests { inbox.offer(.service(.sink(.asks(app, request)))) }
          inbox.offer(
            .service(
              .sink(
                .took(
                  app, upTo: last, traffic: receipt.traffic,
                  notes: receipt.notes.isEmpty ? nil : receipt.notes))))
        } catch {
          inbox.offer(
            .service(
              .sink(
                .failed(
                  app, upTo: last, reason: error.message, fault: error.fault,
                  passed: error.passed, traffic: error.traffic))))
        }
      }
    case .probe(let batch, let client, let id):
      let (app, opened) = (batch.app, opened(for: batch, answering: inbox))
      Task {
        let trial: SinkTrial
        do throws(SinkError) {
          trial = .reached(try await opened.get().probe())
        } catch {
          trial = .failed(error.message)
        }
        inbox.offer(.service(.sink(.tried(app, trial, for: client, id: id))))
      }
    }
  }

  /// Opens a new sink if the app's settings have changed; settings can be invalid only if another release has read
  /// them.
  private mutating func opened(
    for batch: SinkBatch, answering inbox: Inbox
  ) -> Result<any Sink, SinkError> {
    if let entry = entries[batch.app], entry.settings == batch.sink,
      entry.directory == batch.directory
    {
      return .success(entry.sink)
    }
    entries[batch.app] = nil
    do throws(SettingsError) {
      let sink = try SinkKind.sink(batch.sink, file: "manifest", directory: batch.directory)
      (sink as? any ListeningSink)?.listen { [app = batch.app] request in
        inbox.offer(.service(.sink(.asks(app, request))))
      }
      entries[batch.app] = Entry(settings: batch.sink, directory: batch.directory, sink: sink)
      return .success(sink)
    } catch {
      return .failure(SinkError(error.problems.map(\.text).joined(separator: "; "), .refused))
    }
  }
}
