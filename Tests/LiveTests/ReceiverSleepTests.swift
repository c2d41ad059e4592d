// SPDX-License-Identifier: Apache-2.0

import Foundation
import GPSDSource
import NIOPosix
import ServiceContract
import ServiceSimulation
import Synchronization
import Testing

extension Live {
  /// A simulated u-blox on a pseudo-terminal, through a real gpsd.
  @Suite("A receiver that sleeps")
  struct ReceiverSleepTests {
    private final class Events: Sendable {
      private let all = Mutex<[GPSDEvent]>([])
      func add(_ event: GPSDEvent) { all.withLock { $0.append(event) } }
      func count(where matches: (GPSDEvent) -> Bool) -> Int {
        all.withLock { $0.count(where: matches) }
      }
      var fixes: Int { count { if case .fix = $0 { true } else { false } } }
      var sleeps: Int { count { if case .device(.asleep) = $0 { true } else { false } } }
      var families: [ReceiverFamily?] {
        all.withLock {
          $0.compactMap {
            if case .device(.identified(_, let identity)) = $0 {
              .some(identity.family)
            } else {
              nil
            }
          }
        }
      }
    }

    private func gpsd(_ line: ReceiverLine, control: String, port: UInt16) throws -> Child {
      try Child(
        [
          Station.which("gpsd") ?? "gpsd", "-N", "-S", String(port), "-F", control, line.path,
        ], output: "/dev/null")
    }

    @Test(
      "It sleeps as told, comes back by its timer, and by a byte before that; gpsd's close does not wake it"
    )
    func source() async throws {
      let line = try ReceiverLine(.m8)
      defer { line.close() }
      let control = NSTemporaryDirectory() + "/control-\(UUID().uuidString)"
      let port = try Feed.freePort()
      let gpsd = try gpsd(line, control: control, port: port)
      defer {
        gpsd.end(SIGKILL)
        unlink(control)
      }
      let events = Events()
      let source = GPSDSource(
        .init(host: "127.0.0.1", port: Int(port), control: control, sleep: .timed),
        on: MultiThreadedEventLoopGroup.singleton, passesLines: false
      ) { events.add($0) }
      func look(_ number: Int) {
        let before = events.fixes
        source.watch(true)
        Waiting.until("gpsd knows it at look \(number)", limit: 30) {
          events.families.contains(.ubloxM8) && events.fixes > before
        }
      }
      look(1)
      // Its timer has twice the time.
      source.watch(false, sleep: .init(seconds: 1.5))
      Waiting.until("the first sleep") { events.sleeps == 1 }
      #expect(!line.receiver.isAwake)
      Waiting.until("its timer wakes it", limit: 6) { line.receiver.isAwake }
      look(2)
      source.watch(false, sleep: .init(seconds: 600))
      Waiting.until("the second sleep") { events.sleeps == 2 }
      Waiting.pass(1)
      #expect(!line.receiver.isAwake, "gpsd has closed it, and nothing woke it")
      look(3)
      #expect(line.receiver.sleeps == 2)
      // Without a duration it is left awake.
      source.watch(false)
      await source.close()
      #expect(line.receiver.isAwake && line.receiver.sleeps == 2)
    }

    @Test(
      "The service sends it to sleep; killed at any moment it leaves none that does not wake by itself"
    )
    func killed() throws {
      let line = try ReceiverLine(.m8)
      defer { line.close() }
      let control = NSTemporaryDirectory() + "/control-\(UUID().uuidString)"
      let station = try Station(
        settings: "gpsd_control: \(control)\npolicy: periodic\ndevice_profile: pi-zero-neo-m8\n")
      let gpsd = try gpsd(line, control: control, port: station.gpsdPort)
      defer {
        gpsd.end(SIGKILL)
        unlink(control)
      }
      try station.startDaemon()
      try station.addListener("walker", "authorization: always", service: "significant")
      Waiting.until("it sleeps", limit: 40) { line.receiver.sleeps > 0 }
      Waiting.until("status says so") {
        let status = try? station.document(["status"])
        let sleep = (status?["receiver"] as? [String: Any])?["sleep"] as? [String: Any]
        return sleep?["count"] as? Int == 1
      }
      let text = try station.milepost(["status"]).text
      #expect(text.contains("in 1 rest; going on would have taken"), "\(text)")
      #expect(station.daemonLog.contains("it sleeps between looks (UBX-RXM-PMREQ)"))
      for _ in 0..<3 {
        station.killDaemon()
        var receiver = line.receiver
        if case .asleep(let until, let byByte) = receiver.state {
          let end = try #require(until)
          #expect(byByte)
          receiver.advance(to: end + 1)
        }
        #expect(receiver.isAwake)
        try station.startDaemon()
        Waiting.pass(.random(in: 0...1.5))
      }
    }
  }
}
