// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import NIOCore
import NIOPosix

/// The reason why no connection was made.
package enum ReachFailure: Error, Sendable, Equatable {
  /// No process listens there.
  case refused
  /// The name has no address.
  case unknownHost
  /// No answer within `GPSDSource.connectTimeout`.
  case timedOut
  /// There is no route to it.
  case unroutable
  case other(String)

  init(_ error: any Error) {
    if let error = error as? NIOConnectionError {
      if let first = error.connectionErrors.first {
        // A refusal at one of a name's addresses says more than an unroutable one.
        let all = error.connectionErrors.map { Self($0.error) }
        self = all.contains(.refused) ? .refused : Self(first.error)
      } else {
        self = .unknownHost
      }
    } else if case ChannelError.connectTimeout? = error as? ChannelError {
      self = .timedOut
    } else if let error = error as? IOError {
      switch error.errnoCode {
      case ECONNREFUSED: self = .refused
      case ETIMEDOUT: self = .timedOut
      case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL: self = .unroutable
      default: self = .other(SystemError.text(error.errnoCode))
      }
    } else {
      self = .other("\(error)")
    }
  }

  package func words(_ address: GPSDSource.Address) -> String {
    let place = "\(address.host):\(address.port)"
    return switch self {
    case .refused: "nobody listens on \(place)"
    case .unknownHost: "the name \(address.host) has no address"
    case .timedOut: "\(place) does not answer"
    case .unroutable: "no way leads to \(place)"
    case .other(let text): "\(place): \(text)"
    }
  }
}
