// SPDX-License-Identifier: Apache-2.0

import JSONText
import ServiceContract
import Testing

@testable import Sinks

extension HTTPSinkTests {
  //  1 ─ (recalled) ─ 200 │ 2 and 3 do not go
  @Test("A batch that is recalled ends with the request on its way, and says what had passed")
  func recalled() async throws {
    let server = try StandIn()
    try server.plan(#"{"status":200,"held":true}"#)
    let sink = try Samples.sink([
      .init("kind", "webhook"), .init("url", .string(server.url + "/in")),
    ])
    let batch = Task { await Self.fault(sink, (1...3).map { Samples.delivery($0) }) }
    _ = try server.request()
    batch.cancel()
    try server.plan(#"{"go":true}"#)
    let error = await batch.value
    #expect(error?.fault == .recalled && error?.passed == 1)
    #expect(await Self.fault(sink, [Samples.delivery(9)]) == nil)
    #expect(try JSONValue.parse(server.request().body)["sequence"]?.number == 9)
  }
}
