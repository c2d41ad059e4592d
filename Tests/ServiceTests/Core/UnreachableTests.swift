// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import ServiceContract
import ServiceCore
import Testing

@Suite("explain names what keeps every location from an app, and what ends it")
struct UnreachableTests {
  /// A handler of significant changes that has done its first run, and is suspended.
  private func resting() throws -> ServiceBench {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.add("h", kind: .handler)
    _ = bench.move(toKilometre: 0)
    bench.tell(.process(.started(app: "h", pid: 5)))
    bench.tell(.process(.ended(app: "h", .exited(status: 0))))
    bench.wait(60)
    bench.tell(.timePassed)
    return bench
  }

  private func explained(_ bench: inout ServiceBench) throws -> (text: String?, advice: String?) {
    let document = bench.document(.explain("h"))
    return (document["text"]?.string, document["advice"]?.string)
  }

  @Test("Background refresh")
  func refresh() throws {
    var bench = try resting()
    bench.user(.device(.backgroundRefresh(false)))
    let answer = try explained(&bench)
    #expect(answer.text == "no location wakes it: background refresh is switched off")
    #expect(answer.advice == "milepost apps device refresh-on")
    bench.user(.device(.backgroundRefresh(true)))
    #expect(try explained(&bench).text?.hasPrefix("no location") == false)
  }

  @Test("An authorization that is too low, and a device that nobody has unlocked")
  func others() throws {
    var bench = try resting()
    bench.user(.authorize("h", .whenInUse))
    #expect(
      try explained(&bench) == (
        "no location wakes it: that needs another authorization (it is authorized: when_in_use)",
        "milepost apps authorize h always"
      ))
    bench.user(.authorize("h", .always))
    bench.user(.device(.rebooted(isLocked: true)))
    #expect(
      try explained(&bench) == (
        "no location wakes it: the device has not been unlocked since it was started",
        "milepost apps device unlocked"
      ))
  }
  @Test("Whoever opens an app has unlocked the device")
  func unlocks() throws {
    var bench = try resting()
    bench.user(.device(.rebooted(isLocked: true)))
    #expect(try explained(&bench).advice == "milepost apps device unlocked")
    bench.user(.control("h", .launch))
    bench.user(.control("h", .quit))
    #expect(try explained(&bench).advice != "milepost apps device unlocked")
  }
}
