// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import JSONText
import ServiceCore
import TraceFiles

/// `milepost web`
struct Web: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Print the address of the live page, which opens it once.",
    discussion: """
      The page is served where milepostd runs with --web, or with web in milepostd.yaml. The address works \
      once, for the browser that opens it; run this again for another one.
      """)

  @OptionGroup(title: "Service options") var service: ServiceOptions

  func run() throws {
    guard let status: StatusDocument = try service.ask(.status), let web = status.web else {
      throw Complaint(
        "milepostd serves no page; write web: 127.0.0.1:8080 into milepostd.yaml and start it anew"
      )
    }
    var text = ""
    try UnpackedFile.forEachChunk(of: web.urlFile) { text += String(decoding: $0, as: UTF8.self) }
    try Console.standardOutput(text)
  }
}
