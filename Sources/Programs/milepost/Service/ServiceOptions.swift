// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol

/// The service's socket; `ServiceQuestion` asks it.
struct ServiceOptions: ParsableArguments {
  @Option(
    file: "Where milepostd listens; else MILEPOST_SOCKET, else milepost/socket in XDG_RUNTIME_DIR.",
    "path")
  var socket: String?
}

/// The options of a command that shows one document of the daemon.
struct ToldOptions<Document: ControlDocument>: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      stringLiteral: "One JSON document (schema \(Document.documentClass.schema))."))
  var json = false

  @OptionGroup(title: "Service options") var service: ServiceOptions

  /// Prints the document that answers `message`, rendered by `text` or as JSON.
  @discardableResult
  func show(
    _ message: ClientMessage, _ patience: ServiceOptions.Patience = ServiceOptions.usualPatience,
    as text: (Document) -> String
  ) throws -> Document {
    try service.show(message, json: json, patience, as: text)
  }
}
