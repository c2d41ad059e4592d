// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import FixFormats
import Host
import JSONText
import Logging
import NIOCore
import Servers
import ServiceContract
import ServiceCore
import TraceFiles

/// The live page of a daemon: one more client of its service.
struct LivePage: Sendable {
  private let server: StatusServer
  private let configuration: DaemonConfiguration
  private let urlFile: String
  private let address: WebAddress

  init(
    _ address: WebAddress, _ configuration: DaemonConfiguration, urlFile: String,
    on loop: any EventLoop, _ inbox: Inbox
  ) {
    self.address = address
    (self.configuration, self.urlFile) = (configuration, urlFile)
    server = StatusServer(on: loop) { inbox.offer(.client($0)) }
  }

  /// The ground under the page's map; `nil` if there is none.
  private var groundFile: String? { configuration.webTiles == nil ? configuration.webMap : nil }

  /// Reads the ground for the page, which is served already, on a separate thread. Called once.
  func prepareGround(_ log: Logger) {
    guard let path = groundFile else { return }
    let server = server
    do throws(BlockingThread.Missing) {
      try BlockingThread.start { server.lay(ground: Self.ground(path, log)) }
    } catch {
      log.warning("web_map: \(error); the live page's map has no ground")
      server.lay(ground: nil)
    }
  }

  /// The ground in the page's form; if it cannot be read, the page has none, and the log says why.
  private static func ground(_ path: String, _ log: Logger) -> [UInt8]? {
    do throws(Complaint) {
      let sheets = try GroundFile(path, stands: true).read(for: [
        .earth(scale: PageSurroundings.groundScale)
      ])
      guard let sheet = sheets.first, !sheet.features.isEmpty else {
        log.warning(
          "web_map: \(path) has no water, road or town; the live page's map has no ground")
        return nil
      }
      if sheet.leftOut > 0 {
        log.notice(
          "web_map: \(path) has more than a page can hold; the \(sheet.leftOut) least important things of it are left out: cut it to where the device is"
        )
      }
      return sheet.json
    } catch {
      log.warning("web_map: \(error.message); the live page's map has no ground")
      return nil
    }
  }

  /// Serves the page; returns its address for the service's status.
  func listen(_ log: Logger) async throws -> StatusDocument.Web {
    let setup = StatusServer.Setup(
      host: address.host, port: address.port, name: configuration.webName, urlFile: urlFile,
      surroundings: PageSurroundings(
        tiles: configuration.webTiles, ground: groundFile != nil,
        leaflet: configuration.webLeaflet ?? PageSurroundings.usualLeaflet))
    let bound = try await server.listen(setup)
    log.notice("the live page is on \(bound); milepost web prints its address")
    if !address.isLoopback {
      log.warning(
        "others reach the live page on \(bound), and HTTP is readable on its way; a tunnel (ssh -L) is not"
      )
    }
    if setup.surroundings.tiles != nil, !setup.surroundings.hasLeaflet {
      log.warning(
        "web_tiles needs Leaflet (Debian: libjs-leaflet), and there is none; no tiles are shown")
    }
    return StatusDocument.Web(address: bound, urlFile: setup.urlFile)
  }

  /// Whether the message was for the page.
  func took(_ message: ServerMessage, for client: ClientID, _ id: String?) -> Bool {
    guard client == StatusServer.client else { return false }
    server.answer(message, id: id)
    return true
  }

  /// Notifies viewers of events other than their own views.
  func follow(events: [DaemonEvent]) {
    if !events.allSatisfy(\.isOfPage) { server.stirred() }
  }

  func stop() async { await server.stop() }
}

extension DaemonEvent {
  fileprivate var isOfPage: Bool {
    switch self {
    case .client(.connected(StatusServer.client, _)), .client(.disconnected(StatusServer.client)),
      .client(.message(StatusServer.client, _, _)):
      true
    default: false
    }
  }
}
