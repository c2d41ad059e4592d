// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A delegate has a default for each method. A delegate method with other labels or types is a different method: it
// compiles but is never called. Each default of a method that reports requested news notes the call (`isUnheard`). If
// only defaults were called for a piece of news, the program is told on standard error, once per manager and kind of
// news.

/// The kinds of news from a manager that the app should handle.
enum Told: Hashable, Sendable {
  case locations, regions, visits, headings

  /// The number of delegate methods that report it.
  fileprivate var methods: Int {
    switch self {
    case .locations, .regions: 2
    case .visits, .headings: 1
    }
  }

  /// The method to implement instead.
  fileprivate var method: String {
    switch self {
    case .locations:
      "func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])"
    case .regions:
      "func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)"
    case .visits: "func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)"
    case .headings:
      "func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)"
    }
  }
}

/// The kinds of news for which a delegate has no method.
struct DelegateSilence: Sendable {
  private var defaults: [Told: Int] = [:]
  private var complained: Set<Told> = []

  /// A default was called.
  mutating func addDefault(_ told: Told) { defaults[told, default: 0] += 1 }

  /// Whether, of `times` calls for `told`, all were defaults; true only once.
  mutating func isNews(_ told: Told, times: Int) -> Bool {
    guard defaults.removeValue(forKey: told) == told.methods * times else { return false }
    return complained.insert(told).inserted
  }

  static func words(_ delegate: any CLLocationManagerDelegate, _ told: Told) -> String {
    "milepost: \(type(of: delegate)) is told of \(told) and has no method that hears it; write "
      + "\(told.method) (a method with other labels or types, as Swift 1 had them, is another one)"
      + remark(onClassOf: delegate) { $0 is any CLLocationManagerDelegate.Type }
  }
}
