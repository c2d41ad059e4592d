// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ServiceSimulation
import Synchronization

/// A simulated receiver on a pseudo-terminal, which gpsd takes for a serial port: four epochs a second of RMC and GGA
/// while it is awake.
final class ReceiverLine: Sendable {
  /// The device for gpsd.
  let path: String
  private let master: Int32
  /// Held open, so that the line outlives gpsd's closing.
  private let slave: Int32
  private struct State {
    var receiver: SimulatedReceiver
    var isOver = false
    var skipped = 0.0
  }
  private let state: Mutex<State>
  private let begun = Waiting.now
  private let place: @Sendable (Double) -> Place

  /// Where it is, degrees and metres per second to the east.
  struct Place {
    var latitude = 52.0
    var longitude = 5.0
    var speed = 0.0
  }

  struct NoTerminal: Error {}

  /// `place`: where it is at a second of its own.
  init(
    _ model: SimulatedReceiver.Model,
    _ place: @escaping @Sendable (Double) -> Place = { _ in Place() }
  ) throws {
    self.place = place
    // ioctl_tty(2): TIOCSPTLCK unlocks, TIOCGPTN tells its number; the C library's module lacks posix_openpt.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (isLocked, number): (Int32, Int32) = (0, 0)
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0,
      ioctl(master, 0x8004_5430, &number) == 0
    else { throw NoTerminal() }
    path = "/dev/pts/\(number)"
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw NoTerminal() }
    var modes = termios()
    tcgetattr(slave, &modes)
    cfmakeraw(&modes)
    tcsetattr(slave, TCSANOW, &modes)
    // gpsd gives up root's rights before it opens it.
    chmod(path, 0o666)
    state = Mutex(State(receiver: SimulatedReceiver(model, at: 0, hasEphemeris: true)))
    let thread = Thread { [self] in serve() }
    thread.start()
  }

  func close() { state.withLock { $0.isOver = true } }

  /// Its own seconds, with those that were skipped.
  var now: Double { Waiting.now - begun + state.withLock { $0.skipped } }

  /// Lets seconds pass at once.
  func skip(_ seconds: Double) { state.withLock { $0.skipped += seconds } }

  /// The receiver now.
  var receiver: SimulatedReceiver {
    let now = now
    return state.withLock {
      $0.receiver.advance(to: now)
      return $0.receiver
    }
  }

  private func serve() {
    var next = Waiting.now
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while !state.withLock({ $0.isOver }) {
      var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, 20) > 0, waiting.revents & Int16(POLLIN) != 0 {
        let count = read(master, &bytes, bytes.count)
        let now = now
        let answer = state.withLock {
          $0.receiver.receive(Array(bytes.prefix(max(0, count))), at: now)
        }
        write(answer)
      }
      guard Waiting.now >= next else { continue }
      next = Waiting.now + 0.25
      let receiver = receiver
      guard receiver.isAwake else { continue }
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      time.tv_sec += Int(state.withLock { $0.skipped })
      let place = place(now)
      write(
        Array(
          Feed.epoch(
            place.latitude, place.longitude, speed: place.speed, course: 90,
            hasFix: receiver.hasFix, at: time
          ).utf8))
    }
    Glibc.close(slave)
    Glibc.close(master)
  }

  private func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    _ = Glibc.write(master, bytes, bytes.count)
  }
}
