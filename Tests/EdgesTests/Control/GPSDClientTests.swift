// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import Glibc
import JSONText
import LocationModel
import Servers
import ServiceContract
import Synchronization
import Testing

extension ConnectionTests {
  /// Debian's gpsd-clients, unmodified, against our port.
  @Suite("gpsd's own clients")
  struct GPSDClientTests {
    static let fix = Fix(
      time: RFC3339.parse("2026-05-04T07:08:09.500Z")?.instant,
      coordinate: Coordinate(clampingLatitude: 45.5231, wrappingLongitude: 13.5688),
      horizontalAccuracy: 4.5, altitude: 12.25, ellipsoidalHeight: 57.5, verticalAccuracy: 8,
      speed: 1.5, course: 271)

    /// A daemon's behaviour towards a gpsd client: it greets, echoes the watch and sends reports.
    private func daemon() throws -> Daemon {
      try Daemon { server, event in
        switch event {
        case .connected(let id, .gpsdPort): server.send(.version(release: "0.1.0"), to: id)
        case .message(let id, .gpsd(.watch(let isOn)), _):
          server.send(.devices([.init(path: "/dev/ttyACM0", driver: "u-blox")]), to: id)
          server.send(.watch(isOn: isOn), to: id)
          guard isOn else { return }
          for second in 0..<10 as Range<Int64> {
            var fix = Self.fix
            fix.time = fix.time?.advanced(bySeconds: Double(second))
            server.send(.report(fix, device: "/dev/ttyACM0"), to: id)
          }
        case .message(let id, .poll, _):
          let time = UTCInstant(microseconds: 1_777_878_490_000_000)
          server.send(.poll(Self.fix, device: "/dev/ttyACM0", at: time), to: id)
        case .message(let id, .version, _): server.send(.version(release: "0.1.0"), to: id)
        default: break
        }
      }
    }

    @Test("gpspipe -w sees VERSION, DEVICES, WATCH and the reports")
    func gpspipe() async throws {
      let tool = "/usr/bin/gpspipe"
      guard access(tool, X_OK) == 0 else {
        print("skipped: gpspipe is not installed (gpsd-clients)")
        return
      }
      let daemon = try daemon()
      let port = try await daemon.server.listen(gpsdPort: 0)
      let text = try Command.run(tool, ["-w", "-n", "6", "127.0.0.1:\(port)"])
      let lines = text.split(whereSeparator: \.isNewline).map(String.init)
      #expect(lines.count == 6)
      let expected: [String] = [
        #"{"class":"VERSION","release":"0.1.0","rev":"milepost-0.1.0","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox"}]}"#,
        """
        {"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,\
        "timing":false,"split24":false,"pps":false}
        """,
        """
        {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-05-04T07:08:09.500Z",\
        "lat":45.5231,"lon":13.5688,"altHAE":57.5,"altMSL":12.25,"alt":12.25,"eph":4.5,"epv":8,\
        "track":271,"speed":1.5}
        """,
      ]
      #expect(Array(lines.prefix(4)) == expected)
      #expect(daemon.messages.first == .watch(isOn: true))
      await daemon.stop()
    }

    @Test("cgps shows our position")
    func cgps() async throws {
      // script(1) gives it the terminal that it needs. timeout(1) must not make a separate process group there: one in
      // the background may not touch the terminal, and would be stopped.
      let tools = ["/usr/bin/cgps", "/usr/bin/script", "/usr/bin/timeout"]
      guard tools.allSatisfy({ access($0, X_OK) == 0 }) else {
        print("skipped: cgps (gpsd-clients), script and timeout are not all installed")
        return
      }
      let daemon = try daemon()
      let port = try await daemon.server.listen(gpsdPort: 0)
      let screen = try Command.run(
        "/usr/bin/script",
        [
          "-qec", "TERM=xterm exec timeout --foreground -k 1 5 cgps -s -u m 127.0.0.1:\(port)",
          "/dev/null",
        ],
        // script(1) runs its command with the user's shell, whichever that is; curses draws for a size.
        environment: ["SHELL": "/bin/sh", "LINES": "24", "COLUMNS": "80"])
      for text in ["45.52310000 N", "13.56880000 E", "+/-  8.0 m", "5.40 km/h"] {
        #expect(screen.contains(text), "\(text) is not in \(screen)")
      }
      await daemon.stop()
    }

    @Test("On that port there is nothing else to be had")
    func nothingElse() async throws {
      let daemon = try daemon()
      let port = try await daemon.server.listen(gpsdPort: 0)
      let stream = try #require(RawSocket(port: port))
      #expect(stream.line().hasPrefix(#"{"class":"VERSION""#))
      for message in ["?STATUS;", #"?HELLO={"app":"walker"};"#, "?RELOAD;", "?FOO;"] {
        stream.write(message)
        let name = message.prefix { $0 != ";" && $0 != "=" }
        #expect(
          stream.line()
            == #"{"class":"ERROR","message":"\#(name) is not answered on a gpsd port, which knows "#
            + #"?VERSION, ?DEVICES, ?WATCH and ?POLL; apps and commands use the Unix socket","#
            + #""code":"denied"}"#)
      }
      stream.write("?POLL;")
      #expect(
        stream.line().hasPrefix(
          #"{"class":"POLL","time":"2026-05-04T07:08:10.000Z","active":1,"tpv":[{"class":"TPV","#))
      #expect(daemon.messages == [.poll])
      await daemon.stop()
    }

    @Test("Both addresses of localhost are listened to, on the same port")
    func addresses() async throws {
      let daemon = try daemon()
      let port = try await daemon.server.listen(gpsdPort: 0)
      for address in ["127.0.0.1", "::1"] {
        guard let descriptor = Self.connected(to: address, port) else {
          // Without IPv6 it cannot exist.
          #expect(address == "::1" && errno == EADDRNOTAVAIL, "\(address): \(errno)")
          continue
        }
        close(descriptor)
      }
      await daemon.stop()
    }

    private static func connected(to address: String, _ port: Int) -> Int32? {
      var hints = addrinfo()
      hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var found: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(address, String(port), &hints, &found) == 0, let found else { return nil }
      defer { freeaddrinfo(found) }
      let descriptor = socket(
        found.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
        let reason = errno
        close(descriptor)
        errno = reason
        return nil
      }
      return descriptor
    }

    @Test("A port that is taken is an error")
    func takenPort() async throws {
      let daemon = try daemon()
      let port = try await daemon.server.listen(gpsdPort: 0)
      await #expect(
        throws: Complaint(
          "127.0.0.1:\(port): cannot listen for gpsd clients: Address already in use; choose another "
            + "port")
      ) { try await daemon.server.listen(gpsdPort: port) }
      await daemon.stop()
    }
  }
}
