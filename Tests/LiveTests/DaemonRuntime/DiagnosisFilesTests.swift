// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DaemonRuntime

/// gpsd's `DEVICES` is empty for three reasons, which look the same to its clients: no device was assigned, the
/// assigned one does not exist, or gpsd may not open it.
@Suite("Why gpsd names no device")
struct DiagnosisFilesTests {
  private func text(
    ports: [DoctorFacts.Port]?, assigned: [DoctorFacts.Port] = []
  ) -> String {
    Diagnosis(
      DiagnosisTests.facts {
        $0.ports = ports
        $0.assigned = assigned
        if ports == nil { ($0.host, $0.isInstalled) = ("roof", nil) }
      }
    ).text
  }

  private let usb = DoctorFacts.Port(
    path: "/dev/ttyUSB0", names: ["/dev/serial/by-id/usb-u-blox_7"], file: .usable)

  @Test("Nothing is plugged in")
  func nothing() {
    #expect(
      text(ports: []) == """
        There is no fix.
        - gpsd runs, but knows no receiver.
        - there is no file of a receiver here (/dev/ttyACM*, /dev/ttyUSB*, /dev/ttyAMA*, /dev/gps*).
          What to do: plug a receiver in; dmesg says whether the kernel knows it, and by which name.

        """)
  }

  @Test("A port is here that gpsd was not told of: it is to be told, for good by the lasting name")
  func unknown() {
    #expect(
      text(ports: [usb]) == """
        There is no fix.
        - gpsd runs, but knows no receiver.
          What to do: give it one that is here: gpsdctl add /dev/ttyUSB0 (for good: \
        DEVICES="/dev/serial/by-id/usb-u-blox_7" in /etc/default/gpsd).

        """)
  }

  @Test("A port is here that gpsd's user may not use, because of its group or its rights")
  func forbidden() {
    #expect(
      text(ports: [
        .init(path: "/dev/ttyACM0", file: .forbidden(user: "gpsd", group: "dialout")),
        .init(path: "/dev/ttyACM1", file: .closed(user: "gpsd", mode: "rw-------")),
      ]) == """
        There is no fix.
        - gpsd runs, but knows no receiver.
        - /dev/ttyACM0 belongs to group dialout, and gpsd's user gpsd is not in it.
          What to do: usermod -aG dialout gpsd, then systemctl restart gpsd.
        - /dev/ttyACM1 has the rights rw-------, and gpsd's user gpsd may not use it.
          What to do: chmod g+rw /dev/ttyACM1, with a group that gpsd is in (for good: a rule of udev's).

        """)
  }

  @Test("What gpsd was told to use is not there, with and without another that is")
  func gone() {
    let told = DoctorFacts.Port(path: "/dev/ttyACM0", file: .missing)
    #expect(
      text(ports: [], assigned: [told]) == """
        There is no fix.
        - gpsd was told to use /dev/ttyACM0, which does not exist.
          What to do: plug the receiver in; dmesg says by which name the kernel knows it.

        """)
    #expect(
      text(ports: [usb], assigned: [told]) == """
        There is no fix.
        - gpsd was told to use /dev/ttyACM0, which does not exist.
          What to do: if the receiver is now /dev/ttyUSB0: give it one that is here: gpsdctl add \
        /dev/ttyUSB0 (for good: DEVICES="/dev/serial/by-id/usb-u-blox_7" in /etc/default/gpsd).

        """)
  }

  @Test("What gpsd was told to use may not be opened, or is dropped for another reason")
  func refused() {
    let closed = DoctorFacts.Port(
      path: "/dev/ttyACM0", file: .forbidden(user: "nobody", group: "dialout"))
    #expect(
      text(ports: [closed], assigned: [closed]) == """
        There is no fix.
        - /dev/ttyACM0 belongs to group dialout, and gpsd's user nobody is not in it.
          What to do: usermod -aG dialout nobody, then systemctl restart gpsd.

        """)
    #expect(
      text(ports: [usb], assigned: [usb]) == """
        There is no fix.
        - gpsd was told to use /dev/ttyUSB0, and does not name it.
          What to do: see why in its log (journalctl -u gpsd), then: gpsdctl add /dev/ttyUSB0.

        """)
  }

  @Test("Of gpsd on another machine no file is known")
  func elsewhere() {
    #expect(
      text(ports: nil) == """
        There is no fix.
        - gpsd runs, but knows no receiver.
          What to do: plug a receiver into roof, or give gpsd there its path.

        """)
  }

  @Test("gpsd's command line says what it was told, and whose rights it has")
  func process() throws {
    // gpsd 3.22 as Debian's unit starts it, and its status by proc(5): real, effective, saved, file.
    let status = """
      Name:\tgpsd
      Uid:\t0\t114\t0\t114
      Gid:\t20\t20\t20\t20
      Groups:\t20 46\u{20}
      """
    let process = try #require(
      GPSDProcess(
        arguments: ["-F", "/run/gpsd.sock", "-n", "-D", "2", "/dev/ttyACM0"], status: status,
        port: 2_947))
    #expect(process.devices == ["/dev/ttyACM0"])
    #expect(process.control == "/run/gpsd.sock" && process.isAlwaysOpen)
    #expect(process.user == 114 && process.groups == [20, 20, 46])
    for words in [["-S", "3000"], ["-S3000"]] {
      #expect(GPSDProcess(arguments: words, status: status, port: 2_947) == nil)
      #expect(GPSDProcess(arguments: words, status: status, port: 3_000)?.devices == [])
      #expect(GPSDProcess(arguments: words, status: status, port: 3_000)?.isAlwaysOpen == false)
    }
    #expect(GPSDProcess(arguments: [], status: "Name:\tgpsd\n", port: 2_947) == nil)
  }

  @Test("Debian's defaults file names the devices")
  func defaults() {
    // As the package gpsd 3.22-4.1 installs it, with a device written in.
    let text = """
      # Devices gpsd should collect to at boot time.
      # They need to be read/writeable, either by user gpsd or the group dialout.
      DEVICES="/dev/ttyACM0 /dev/pps0"

      # Other options you want to pass to gpsd
      GPSD_OPTIONS=""
      """
    #expect(GPSDProcess.devices(inDefaults: text) == ["/dev/ttyACM0", "/dev/pps0"])
    #expect(GPSDProcess.devices(inDefaults: "DEVICES=\"\"\n") == [])
    #expect(GPSDProcess.devices(inDefaults: "#DEVICES=\"/dev/ttyS0\"\n") == [])
  }
}
