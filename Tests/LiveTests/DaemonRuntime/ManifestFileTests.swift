// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import LocationModel
import ServiceContract
import Testing

@testable import DaemonRuntime

@Suite("Manifests as clients send them")
struct ManifestFileTests {
  private func reading(_ command: String, path: String? = nil) -> ManifestReading {
    let environment = path.map { "environment: {PATH: \"\($0)\"}\n" } ?? ""
    let text = "name: moved\nkind: connected\ncommand: [\"\(command)\"]\n" + environment
    return ManifestFile.readManifest(
      .init(file: "moved.yaml", directory: "/etc", bytes: Array(text.utf8)),
      unstated: .notDetermined)
  }

  private func missing(_ reading: ManifestReading) -> String? {
    if case .read(_, let missing, _) = reading { missing } else { "\(reading)" }
  }

  @Test("A program that is not there is named, with the place that was looked at")
  func missingProgram() {
    #expect(
      missing(reading("./moved.sh")) == """
        moved.yaml: its program ./moved.sh is not there: /etc/moved.sh was looked for; build it, or mend its \
        path (command in the manifest), which begins at the app's directory
        """)
  }

  @Test("What is wrong with a sink is told with all else")
  func sink() {
    let text = "name: s\nkind: sink\nsink:\n  kind: fil\n"
    let reading = ManifestFile.readManifest(
      .init(file: "s.yaml", directory: "/etc", bytes: Array(text.utf8)), unstated: .notDetermined)
    #expect(
      reading
        == .refused(
          """
          s.yaml:1: service: missing; a sink cannot ask for one itself: standard, significant or continuous (or \
          regions, or visits)
          s.yaml:4: sink.kind: 'fil' is not one of file, owntracks, overland, traccar, webhook, homeassistant, \
          mqtt; did you mean 'file'?
          """))
  }

  @Test("A program is looked for on the PATH that the app will have")
  func path() {
    #expect(missing(reading("sh", path: "/usr/bin:/bin")) == nil)
    #expect(missing(reading("sh", path: "/etc"))?.contains("its program sh is not there") == true)
    #expect(missing(reading("/bin/sh")) == nil)
  }
}
