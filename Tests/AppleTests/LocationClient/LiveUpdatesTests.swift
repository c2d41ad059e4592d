// SPDX-License-Identifier: Apache-2.0

import LocationClient
import LocationClientReplay
import Synchronization
import Testing

@Suite("Updates as a sequence")
struct LiveUpdatesTests {
  private final class Log: Sendable {
    let locations = Mutex<[CLLocation]>([])
    let ends = Mutex(0)
  }

  private func trace() throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.firstStart = .hot
    return trace
  }

  @Test("A loop over live updates gets what a delegate gets, and ends with the trace")
  func whole() async throws {
    let log = Log()
    let account = try await trace().run { _ in
      do {
        for try await update in CLLocationUpdate.liveUpdates() {
          if let location = update.location { log.locations.withLock { $0.append(location) } }
        }
      } catch {
        Issue.record(error)
      }
      log.ends.withLock { $0 += 1 }
    }
    let told = log.locations.withLock { $0 }
    #expect(told.count == account.deliveries.count)
    #expect(told.count > 2_000)
    #expect(told.map(\.timestamp) == account.deliveries.map(\.location.timestamp))
    #expect(log.ends.withLock { $0 } == 1)
  }

  @Test("A loop that is left stops the updates, and time goes on without it")
  func left() async throws {
    let log = Log()
    let account = try await trace().run { _ in
      do {
        for try await update in CLLocationUpdate.liveUpdates(.fitness) {
          guard let location = update.location else { continue }
          if log.locations.withLock({
            $0.append(location)
            return $0.count == 10
          }) {
            break
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(log.locations.withLock { $0.count } == 10)
    // Only those under way when the loop was left.
    #expect(account.deliveries.count <= 11)
    #expect(account.receiver.last?.isOn == false)
  }

  @Test("A purge ends the loop; nothing launches an app again that has only standard updates")
  func purged() async throws {
    var trace = try trace()
    trace.background(after: 60)
    let log = Log()
    let account = try await trace.run { _ in
      do {
        for try await update in CLLocationUpdate.liveUpdates() {
          if let location = update.location { log.locations.withLock { $0.append(location) } }
        }
      } catch {
        Issue.record(error)
      }
      log.ends.withLock { $0 += 1 }
    }
    #expect(account.launches.count == 1)
    #expect(log.ends.withLock { $0 } == 1)
    let last = try #require(log.locations.withLock { $0.last })
    #expect(last.timestamp.timeIntervalSince(account.start) <= 66)
  }

  @Test("Denied: one update says so")
  func denied() async throws {
    var trace = try trace()
    trace.authorization = .denied
    let denials = Mutex(0)
    _ = try await trace.run { _ in
      do {
        for try await update in CLLocationUpdate.liveUpdates() where update.authorizationDenied {
          denials.withLock { $0 += 1 }
          break
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(denials.withLock { $0 } == 1)
  }
}
