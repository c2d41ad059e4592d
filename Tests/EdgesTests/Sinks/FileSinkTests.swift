// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import Glibc
import JSONText
import LocationModel
import ServiceContract
import Sinks
import Testing

@Suite("The sink of files")
struct FileSinkTests {
  /// 2026-11-22T23:59:59Z; UTC has no other name for it (date -u -d @1795391999).
  private static let beforeMidnight: Int64 = 1_795_391_999

  private static let kinds =
    "file, owntracks, overland, traccar, webhook, homeassistant, mqtt"

  private static func delivery(_ number: UInt64, at seconds: Int64) -> PendingDelivery {
    PendingDelivery(
      app: AppID(1),
      delivery: Delivery(
        sequence: number, service: .significant,
        fix: Fix(
          time: UTCInstant(microseconds: seconds * 1_000_000),
          coordinate: Coordinate(clampingLatitude: 48.5, wrappingLongitude: 11.25),
          horizontalAccuracy: 5),
        isCached: false, moved: 612, since: 300),
      received: UTCInstant(microseconds: seconds * 1_000_000))
  }

  private static func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/sink-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  private static func sink(in folder: String) throws -> any Sink {
    try SinkKind.sink(
      SinkSettings(.object([.init("kind", "file"), .init("folder", "tracks")])), file: "m.yaml",
      directory: folder)
  }

  private static func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test("An event of a place is the line that a handler reads")
  func places() async throws {
    try await Self.withFolder { folder in
      mkdir(folder + "/tracks", 0o700)
      var pending = Self.delivery(1, at: Self.beforeMidnight)
      pending.delivery = Delivery(
        sequence: 1, service: .significant, fix: pending.delivery.fix, isCached: false, moved: nil,
        since: nil, event: .entered("gate"))
      _ = try await Self.sink(in: folder).send([pending])
      let line = try Self.lines(folder + "/tracks/deliveries-2026-11-22.jsonl")
      #expect(
        line == [
          #"{"class":"REGION","sequence":1,"identifier":"gate","event":"entered","state":"inside","#
            + #""time":"2026-11-22T23:59:59.000Z","received":"2026-11-22T23:59:59.000Z"}"#
        ])
    }
  }

  @Test("Each delivery is a line as the protocol has it, in the file of its day")
  func days() async throws {
    try await Self.withFolder { folder in
      mkdir(folder + "/tracks", 0o700)
      let sink = try Self.sink(in: folder)
      #expect(sink.fault() == nil)
      let midnight = Self.beforeMidnight
      _ = try await sink.send([
        Self.delivery(1, at: midnight - 1), Self.delivery(2, at: midnight),
        Self.delivery(3, at: midnight + 1),
      ])
      // The clock went back over midnight.
      _ = try await sink.send([Self.delivery(4, at: midnight)])
      let first = try Self.lines(folder + "/tracks/deliveries-2026-11-22.jsonl")
      let second = try Self.lines(folder + "/tracks/deliveries-2026-11-23.jsonl")
      #expect(first.count == 3 && second.count == 1)
      let delivery = Self.delivery(4, at: midnight)
      let message = ServerMessage.location(delivery.delivery, received: delivery.received)
      #expect(first.last.map { $0 + "\n" } == String(decoding: message.encode(), as: UTF8.self))
      let found = try JSONSerialization.jsonObject(with: Data(second[0].utf8)) as? [String: Any]
      #expect(found?["class"] as? String == "LOCATION" && found?["sequence"] as? Int == 3)
    }
  }

  //  whole lines │ a line that a crash cut off      the next batch
  @Test("What was cut off is taken away by the next batch; what fits on no line is left alone")
  func torn() async throws {
    try await Self.withFolder { folder in
      mkdir(folder + "/tracks", 0o700)
      let path = folder + "/tracks/deliveries-2026-11-22.jsonl"
      for (before, kept) in [("", ""), ("{\"class\":", ""), ("{}\n{\"cl", "{}\n")] {
        try before.write(toFile: path, atomically: false, encoding: .utf8)
        _ = try await Self.sink(in: folder).send([Self.delivery(7, at: Self.beforeMidnight)])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let first = kept + #"{"class":"LOCATION""#
        #expect(text.hasPrefix(first) && text.hasSuffix("}\n"))
        let lines = kept.split(separator: "\n").count + 1
        #expect(text.split(separator: "\n").count == lines)
      }
    }
  }

  @Test(
    "A folder that is missing, a file in its place and a full disk are said, and nothing is lost")
  func faults() async throws {
    try await Self.withFolder { folder in
      let sink = try Self.sink(in: folder)
      let tracks = folder + "/tracks"
      let path = tracks + "/deliveries-2026-11-22.jsonl"
      let batch = [Self.delivery(1, at: Self.beforeMidnight)]
      func message() async -> String? {
        do throws(SinkError) {
          _ = try await sink.send(batch)
          return nil
        } catch {
          return error.message
        }
      }
      #expect(
        sink.fault()
          == "there is no folder \(tracks); make it, as the user that the service runs as")
      #expect(await message() == "cannot write \(path): No such file or directory")
      try "".write(toFile: tracks, atomically: false, encoding: .utf8)
      #expect(sink.fault() == "nothing can be written in \(tracks): Not a directory")
      #expect(await message() == "cannot write \(path): Not a directory")
      unlink(tracks)
      mkdir(tracks, 0o700)
      symlink("/dev/full", path)
      #expect(await message() == "cannot write \(path): No space left on device")
      unlink(path)
      #expect(await message() == nil)
      #expect(try Self.lines(path).count == 1)
    }
  }

  @Test("All that is wrong with a sink's table is told at once, with what is allowed")
  func settings() {
    func problems(_ members: [JSONValue.Member]) -> [String] {
      do throws(SettingsError) {
        _ = try SinkKind.sink(SinkSettings(.object(members)), file: "m.yaml", directory: "/opt")
        return []
      } catch {
        return error.problems.map(\.text)
      }
    }
    #expect(problems([]) == ["m.yaml: sink.kind: missing; say one of \(Self.kinds)"])
    #expect(
      problems([.init("kind", "fil"), .init("x", 1)])
        == ["m.yaml: sink.kind: 'fil' is not one of \(Self.kinds); did you mean 'file'?"])
    #expect(
      problems([.init("kind", "file"), .init("foldr", "a")]) == [
        "m.yaml: sink.folder: missing; say where the files go",
        "m.yaml: sink.foldr: no such key; did you mean 'folder'?",
      ])
    #expect(
      problems([.init("kind", "file"), .init("folder", "~/a")]) == [
        "m.yaml: sink.folder: '~/a' is not a path; write it out, from / or from where this file lies"
      ])
  }
}
