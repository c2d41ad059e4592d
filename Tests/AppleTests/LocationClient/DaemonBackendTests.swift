// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Dispatch
import Foundation
import LocationModel
import Synchronization
import Testing

@testable import LocationClient

/// An app that counts its deliveries, and can be made to hold a callback.
private final class Listener: NSObject, CLLocationManagerDelegate {
  let latitudes = Mutex<[Int]>([])
  let queues = Mutex<Set<String>>([])
  let failures = Mutex<[Int]>([])
  static let queueName = DispatchSpecificKey<String>()
  let entered = DispatchSemaphore(value: 0)
  let gate = DispatchSemaphore(value: 0)
  let holds: Bool

  init(holds: Bool = false) { self.holds = holds }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    let queue = DispatchQueue.getSpecific(key: Self.queueName) ?? "another"
    queues.withLock { _ = $0.insert(queue) }
    entered.signal()
    if holds { gate.wait() }
    // In hundredths of a degree, which is the delivery's number.
    latitudes.withLock { $0 += locations.map { Int(($0.coordinate.latitude * 100).rounded()) } }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    failures.withLock { $0.append((error as? CLError)?.errorCode ?? -1) }
  }
}

@Suite("The daemon behind the library", .serialized)
struct DaemonBackendTests {
  private let daemon = FakeDaemon()
  private let session: LocationSession
  private let manager: CLLocationManager

  init() {
    let daemon = daemon
    let backend = DaemonBackend(
      .init(app: "walker"), wait: { daemon.pause($0) },
      connect: { try daemon.connect() })
    session = LocationSession(backend, callsInline: false)
    let queue = DispatchQueue(label: "walker.locations")
    queue.setSpecific(key: Listener.queueName, value: "walker.locations")
    manager = LocationSession.$scoped.withValue(session) {
      CLLocationManager(delegateQueue: queue)
    }
  }

  private func start(_ listener: Listener) {
    manager.delegate = listener
    manager.startMonitoringSignificantLocationChanges()
    session.openSession()
  }

  @Test("It introduces itself with its token, then says what it wants")
  func hello() {
    let listener = Listener()
    start(listener)
    #expect(daemon.wait { $0.heard.count == 2 })
    #expect(
      daemon.look { $0.heard } == [
        .hello(.init(app: "walker")), .start(.init(.significant)),
      ])
    session.closeSession()
  }

  @Test("Delegates are called on the queue that the manager was given")
  func queue() {
    let listener = Listener()
    start(listener)
    daemon.deliver()
    #expect(daemon.wait { $0.acknowledged == 1 })
    #expect(listener.queues.withLock { $0 } == ["walker.locations"])
    session.closeSession()
  }

  @Test("By default that is the main queue")
  func mainQueue() {
    DispatchQueue.main.setSpecific(key: Listener.queueName, value: "main")
    let listener = Listener()
    let manager = LocationSession.$scoped.withValue(session) { CLLocationManager() }
    manager.delegate = listener
    manager.startMonitoringSignificantLocationChanges()
    session.openSession()
    daemon.deliver()
    #expect(daemon.wait { $0.acknowledged == 1 })
    #expect(listener.queues.withLock { $0 } == ["main"])
    session.closeSession()
  }

  @Test("A delivery is acknowledged only after the delegate has returned")
  func acknowledgedAfterwards() {
    let listener = Listener(holds: true)
    start(listener)
    daemon.deliver()
    // The daemon dies while the delegate works, and delivers again.
    #expect(listener.entered.wait(timeout: .now() + FakeDaemon.patience) == .success)
    daemon.kill()
    #expect(daemon.look { $0.acknowledged } == 0)
    daemon.restart()
    #expect(daemon.wait { $0.heard.count { $0 == .start(.init(.significant)) } == 2 })
    #expect(daemon.look { $0.acknowledged } == 0)
    daemon.deliver()
    listener.gate.signal()
    listener.gate.signal()
    #expect(daemon.wait { $0.acknowledged == 2 })
    #expect(listener.latitudes.withLock { $0 } == [1, 2])
    session.closeSession()
  }

  @Test("100 kills at seeded moments: nothing is lost, nothing is handed out twice")
  func kills() {
    let listener = Listener()
    start(listener)
    var state: UInt64 = 20_260_504
    for _ in 0..<100 {
      for _ in 0..<3 {
        daemon.deliver()
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let attempts = daemon.look { $0.attempts }
        if state >> 62 == 0 {
          // Let some of it arrive first.
          let acknowledged = daemon.look { $0.acknowledged }
          _ = daemon.wait { $0.acknowledged > acknowledged || $0.attempts > attempts }
        }
      }
      daemon.kill()
      daemon.restart()
    }
    #expect(daemon.wait { $0.acknowledged == 300 }, "seed 20260504")
    #expect(listener.latitudes.withLock { $0 } == Array(1...300), "seed 20260504")
    session.closeSession()
  }

  @Test("Without a daemon it tries again and again, and says once that it does not know")
  func absent() {
    daemon.kill()
    let listener = Listener()
    start(listener)
    #expect(daemon.wait { $0.attempts >= 5 })
    daemon.restart()
    daemon.deliver()
    #expect(daemon.wait { $0.acknowledged == 1 })
    #expect(listener.failures.withLock { $0 } == [0])
    session.closeSession()
  }

  @Test("A daemon that does not take the app is asked again, and the delegate told once")
  func refused() {
    daemon.refuse("walker is connected already")
    let listener = Listener()
    start(listener)
    #expect(daemon.wait { $0.attempts >= 3 })
    daemon.refuse(nil)
    daemon.deliver()
    #expect(daemon.wait { $0.acknowledged == 1 })
    #expect(listener.failures.withLock { $0 } == [0])
    session.closeSession()
  }

  @Test("A socket that another has replaced while it waited for its turn is not handed over")
  func handOver() throws {
    let nowhere = NSTemporaryDirectory() + "no-\(UUID().uuidString.prefix(8))"
    let daemon = daemon
    let backend = DaemonBackend(.init(app: "walker"), path: nowhere) { try daemon.connect() }
    let copy = try SocketCopy(of: 0)
    let answers = Mutex<[String?]>([])
    let done = DispatchSemaphore(value: 0)
    for isWanted in [false, true] {
      backend.handOver(copy, while: { isWanted }) { words in
        answers.withLock { $0.append(words) }
        done.signal()
      }
    }
    for _ in 0..<2 { #expect(done.wait(timeout: .now() + 20) == .success) }
    #expect(
      answers.withLock(\.self) == [
        nil, "\(nowhere).handover: the socket cannot be handed over: No such file or directory",
      ])
  }

  @Test("Over a real socket: greeted, told, acknowledged; killed, connected again, nothing twice")
  func socket() throws {
    let server = try SocketDaemon(daemon)
    defer { server.end() }
    let path = server.path
    let daemon = daemon
    let backend = DaemonBackend(.init(app: "walker"), wait: { daemon.pause($0) }) {
      try ControlClient(path: path)
    }
    let session = LocationSession(backend, callsInline: false)
    let manager = LocationSession.$scoped.withValue(session) {
      CLLocationManager(delegateQueue: DispatchQueue(label: "walker.socket"))
    }
    let listener = Listener()
    manager.delegate = listener
    manager.startMonitoringSignificantLocationChanges()
    session.openSession()
    for number in 1...20 {
      daemon.deliver()
      if number % 5 == 0 {
        daemon.kill()
        daemon.restart()
      }
    }
    #expect(daemon.wait { $0.acknowledged == 20 })
    #expect(listener.latitudes.withLock { $0 } == Array(1...20))
    #expect(daemon.look { $0.heard.contains(.hello(.init(app: "walker"))) })
    session.closeSession()
  }
}
