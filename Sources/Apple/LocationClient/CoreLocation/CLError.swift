// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of `CLError` as an `NSError`.
public let kCLErrorDomain = "kCLErrorDomain"
/// The `userInfo` key of the region that is monitored instead; never set here.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

/// A failure of Milepost, with Core Location's codes.
///
/// Two errors are equal if their code and text are.
public struct CLError: Error, @unchecked Sendable, Hashable, CustomNSError, LocalizedError {
  // Nothing here changes after `init`; values that a caller puts into `userInfo` are read, never written.

  /// Core Location's numbers. The codes of features that this library does not have are never reported.
  @nonexhaustive(warn)
  public enum Code: Int, Sendable, CaseIterable {
    /// There is no position now; the service keeps trying.
    case locationUnknown = 0
    /// The user allows no location, or the daemon does not know this app; the service has ended.
    case denied = 1
    /// The daemon refused a message or could not keep it; the text says why.
    case network = 2
    /// Never reported: without a compass, the receiver's course stands in for it.
    case headingFailure = 3
    /// Regions cannot be monitored because the user allows no location.
    case regionMonitoringDenied = 4
    /// A region cannot be monitored; the text says why.
    case regionMonitoringFailure = 5
    case regionMonitoringSetupDelayed = 6
    case regionMonitoringResponseDelayed = 7
    case geocodeFoundNoResult = 8
    case geocodeFoundPartialResult = 9
    case geocodeCanceled = 10
    /// The era does not defer updates, or no daemon is there to do so.
    case deferredFailed = 11
    case deferredNotUpdatingLocation = 12
    case deferredAccuracyTooLow = 13
    case deferredDistanceFiltered = 14
    case deferredCanceled = 15
    case rangingUnavailable = 16
    case rangingFailure = 17
    /// The user does not allow this app exact positions.
    case promptDeclined = 18
    case historicalLocationError = 19

    /// Makes `case CLError.denied:` match in a `catch` or a `switch` over any error.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? CLError)?.code == code
    }
  }

  public let code: Code
  /// Details beside the code; the text is under `NSLocalizedDescriptionKey`.
  public let userInfo: [String: Any]

  /// `message`: the failure and its remedy, for people.
  public init(_ code: Code, _ message: String = "") {
    self.init(code, userInfo: message.isEmpty ? [:] : [NSLocalizedDescriptionKey: message])
  }

  public init(_ code: Code, userInfo: [String: Any]) {
    self.code = code
    self.userInfo = userInfo
  }

  /// The failure and its remedy, for people; empty if there is no text.
  public var message: String { userInfo[NSLocalizedDescriptionKey] as? String ?? "" }
  /// The region that is monitored instead.
  public var alternateRegion: CLRegion? {
    userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion
  }

  public static var errorDomain: String { kCLErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { userInfo }
  public var errorDescription: String? { message.isEmpty ? nil : message }

  public static func == (a: CLError, b: CLError) -> Bool {
    a.code == b.code && a.message == b.message
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}

extension CLError {
  public static var locationUnknown: Code { .locationUnknown }
  public static var denied: Code { .denied }
  public static var network: Code { .network }
  public static var headingFailure: Code { .headingFailure }
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  public static var geocodeCanceled: Code { .geocodeCanceled }
  public static var deferredFailed: Code { .deferredFailed }
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  public static var deferredCanceled: Code { .deferredCanceled }
  public static var rangingUnavailable: Code { .rangingUnavailable }
  public static var rangingFailure: Code { .rangingFailure }
  public static var promptDeclined: Code { .promptDeclined }
  public static var historicalLocationError: Code { .historicalLocationError }
}
