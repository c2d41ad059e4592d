// SPDX-License-Identifier: Apache-2.0

import JSONText

extension GPSDEvent {
  /// The event as a phrase for people; `nil` for fixes and lines, which are data.
  package var words: String? {
    switch self {
    case .fix, .sky, .line, .signal, .heading, .declination: nil
    case .searching(let device): "\(Self.name(device)) has no fix"
    case .link(let link): link.words
    case .device(let device): device.words
    case .trouble(let trouble): trouble.words
    }
  }

  fileprivate static func name(_ device: String) -> String {
    device.isEmpty ? "the receiver" : device
  }

  fileprivate static func seconds(_ seconds: Double) -> String {
    Decimal.text(seconds, decimals: 1) + " s"
  }
}

extension GPSDEvent.Link {
  package var words: String {
    switch self {
    case .connected(let release, let major, let minor):
      "gpsd \(release.prefix(40)) answers (protocol \(major).\(minor))"
    case .unreachable(let reason, let retryAfter):
      "gpsd cannot be reached: \(reason); next attempt in \(GPSDEvent.seconds(retryAfter))"
    case .lost(let reason, let retryAfter):
      "gpsd is gone: \(reason); next attempt in \(GPSDEvent.seconds(retryAfter))"
    case .watching(true): "the watch began: gpsd opens its receivers"
    case .watching(false): "the watch ended: gpsd may switch its receivers off"
    }
  }
}

extension GPSDEvent.Device {
  package var words: String {
    switch self {
    case .none: "gpsd knows no receiver"
    case .opened(let path, let driver):
      "gpsd opened \(path)" + (driver.map { " (\($0))" } ?? "")
    case .identified(let path, let identity):
      "\(path) is a \(identity.family?.title ?? identity.driver ?? "receiver of unknown kind")"
    case .asleep(let path, _): "\(path) sleeps, and gpsd closed it"
    case .released(let path): "gpsd closed \(path), as it was told"
    case .closed(let path): "gpsd closed \(path): unplugged, or no longer wanted"
    }
  }
}

extension GPSDEvent.Trouble {
  package var words: String {
    switch self {
    case .timeWentBack(let seconds, let device):
      "the time of \(GPSDEvent.name(device)) went back by \(GPSDEvent.seconds(seconds))"
    case .overlongLine(let limit):
      "gpsd sent a line of more than \(limit) bytes; it was skipped"
    case .notReleased(let reason): "gpsd holds its receiver for a minute after each look: \(reason)"
    case .notAsleep(let reason): "the receiver goes on at full power after a look: \(reason)"
    case .badLine(let reason):
      "gpsd sent a line that is no report (\(reason)); it was skipped"
    case .unpackDiffers(let field):
      "libgps and gpsd's own line differ on \(field); the line is believed"
    case .protocolMismatch(let server, let library):
      "\(server), does not go with \(library); what both know is read"
    case .reported(let message): "gpsd reports: \(message)"
    }
  }
}
