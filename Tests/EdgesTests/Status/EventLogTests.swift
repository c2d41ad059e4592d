// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Servers

@Suite("Events for who comes back")
struct EventLogTests {
  @Test("An event goes over the wire as the HTML standard has it")
  func wire() {
    var log = EventLog(era: "7.0")
    #expect(
      log.addEvent("overview", "{\"a\":1}").text
        == "id: 7.0-1\nevent: overview\ndata: {\"a\":1}\n\n")
  }

  @Test("Who says the last one gets those behind it")
  func resume() {
    var log = EventLog(era: "7.0")
    for number in 1...5 { _ = log.addEvent("overview", "\(number)") }
    #expect(log.after("7.0-3")?.map(\.data) == ["4", "5"])
    #expect(log.after("7.0-5") == [])
  }

  @Test("What is no longer kept, of another era, or nonsense, is not known")
  func unknown() {
    var log = EventLog(era: "7.0")
    for number in 1...40 { _ = log.addEvent("overview", "\(number)") }
    #expect(log.events.count == 32)
    #expect(log.after("7.0-8") == nil)
    #expect(log.after("7.0-9")?.count == 31)
    #expect(log.after("") == nil && log.after("7.0-41") == nil && log.after("x\ny") == nil)
    log.begin(era: "7.1")
    #expect(log.after("7.0-40") == nil)
    #expect(log.addEvent("overview", "").id == "7.1-1")
  }
}
