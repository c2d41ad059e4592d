// SPDX-License-Identifier: Apache-2.0

import Glibc
import MessageBus
import Testing

@Suite(
  "A connection to a bus",
  .enabled(
    if: PrivateBus.obstacle == nil, Comment(rawValue: PrivateBus.obstacle ?? "a bus can serve")))
struct BusConnectionTests {
  @Test("A bus that dies with unread messages is found gone by a send; nothing awaited would tell")
  func gone() throws {
    let bus = try PrivateBus()
    try bus.start()
    let connection = try BusConnection(bus.address)
    try connection.register(within: 10_000)
    #expect(connection.isConnected)
    #expect(!connection.awaited.isEmpty)
    let process = try #require(bus.processID)
    let message = try #require(BusMessage.hello)
    kill(process, SIGSTOP)
    connection.send(message)
    bus.stop()
    connection.send(message)
    #expect(!connection.isConnected)
    #expect(connection.awaited.isEmpty)
  }
}
