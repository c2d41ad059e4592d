// SPDX-License-Identifier: Apache-2.0

/// Errors with Core Location's codes.
public enum LocationError: Int, Error, Sendable {
  case locationUnknown = 0
  case denied = 1
  case network = 2
  case headingFailure = 3
}
