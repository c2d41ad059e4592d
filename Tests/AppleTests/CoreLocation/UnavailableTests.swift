// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Impossible uses, and the compiler's words for each. It reads them with the modules beside this test.
@Suite("What a compiler says of Core Location's names that are not here")
struct UnavailableTests {
  private static let beacons =
    "beacons are not here: Milepost reads positions, not Bluetooth signals"
  private static let addresses =
    "geocoding is not here: it is an address service on the network; ask one over HTTP"
  private static let tokens =
    "there is no token here: milepost apps send APP location_push sends such a push"

  /// In the order of the page "Core Location on Linux".
  private static let uses = [
    ("manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: UUID()))", beacons),
    ("_ = CLMonitor.BeaconIdentityCondition(uuid: UUID())", beacons),
    ("_ = try await CLGeocoder().reverseGeocodeLocation(location)", addresses),
    (#"_ = try await CLGeocoder().geocodeAddressString("Marienplatz 1")"#, addresses),
    ("func name(_ place: CLPlacemark) -> String? { place.locality }", addresses),
    (
      "manager.startMonitoringLocationPushes { token, error in print(token as Any, error as Any) }",
      tokens
    ),
    ("func hear(_ beacons: [CLBeacon]) {}", beacons),
    (
      "CLGeocoder().reverseGeocodeLocation(location) { places, error in print(places as Any) }",
      addresses
    ),
  ]

  private static let modules = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "Modules")

  /// The C modules that the client's modules need.
  private static let headers = ["CUnix", "CVector"].map {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/C/\($0)")
  }

  @Test(
    "Each is refused in the words of its page",
    .enabled(if: FileManager.default.fileExists(atPath: modules.path), "the modules lie elsewhere"))
  func words() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "main.swift")
    let head = [
      "import CoreLocation", "import Foundation", "let manager = CLLocationManager()",
      "let location = CLLocation(latitude: 1, longitude: 2)",
    ]
    let source = (head + Self.uses.map(\.0)).joined(separator: "\n") + "\n"
    try source.write(to: file, atomically: true, encoding: .utf8)
    let said = try Self.compiled(file)
    for (number, use) in Self.uses.enumerated() {
      let line = "main.swift:\(head.count + number + 1):"
      let words = said.split(separator: "\n").filter { $0.contains(line) && $0.contains("error:") }
      #expect(words.contains { $0.contains(use.1) }, "\(use.0): \(words)")
    }
  }

  /// The compiler's messages about a file.
  private static func compiled(_ file: URL) throws -> String {
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    let folders = ([modules] + headers).flatMap { ["-I", $0.path] }
    compiler.arguments = ["swiftc", "-typecheck"] + folders + [file.path]
    let output = Pipe()
    compiler.standardError = output
    try compiler.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }
}
