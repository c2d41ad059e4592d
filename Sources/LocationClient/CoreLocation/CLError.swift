// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of `CLError` as an `NSError`.
public let kCLErrorDomain = "kCLErrorDomain"

/// What Milepost could not do, with Core Location's codes.
public struct CLError: Error, Sendable, Hashable, CustomNSError, LocalizedError {
  /// Core Location's numbers. Those that stand for what this library does not have are never reported.
  public enum Code: Int, Sendable, CaseIterable {
    /// There is no position now; the service goes on trying.
    case locationUnknown = 0
    /// The user allows no location, or the daemon does not know this app; the service has ended.
    case denied = 1
    /// The daemon refused a message or could not keep it; the text says why.
    case network = 2
    /// This machine has no compass.
    case headingFailure = 3
    case regionMonitoringDenied = 4
    case regionMonitoringFailure = 5
    case regionMonitoringSetupDelayed = 6
    case regionMonitoringResponseDelayed = 7
    case geocodeFoundNoResult = 8
    case geocodeFoundPartialResult = 9
    case geocodeCanceled = 10
    case deferredFailed = 11
    case deferredNotUpdatingLocation = 12
    case deferredAccuracyTooLow = 13
    case deferredDistanceFiltered = 14
    case deferredCanceled = 15
    case rangingUnavailable = 16
    case rangingFailure = 17
    case promptDeclined = 18

    /// Makes `case CLError.denied:` match in a `catch` or a `switch` over any error.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? CLError)?.code == code
    }
  }

  public let code: Code
  /// What happened and what to do, for people.
  public let message: String

  public init(_ code: Code, _ message: String = "") {
    self.code = code
    self.message = message
  }

  public static var errorDomain: String { kCLErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] {
    message.isEmpty ? [:] : [NSLocalizedDescriptionKey: message]
  }
  public var errorDescription: String? { message.isEmpty ? nil : message }

  public static var locationUnknown: Code { .locationUnknown }
  public static var denied: Code { .denied }
  public static var network: Code { .network }
  public static var headingFailure: Code { .headingFailure }
  public static var promptDeclined: Code { .promptDeclined }
}
