// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Synchronization

/// States for how long an app wants which authorization, and asks for it if the user has not decided.
///
///     let session = CLServiceSession(authorization: .always)
///     for try await diagnostic in session.diagnostics where diagnostic.authorizationDenied {
///       print("milepost apps authorize NAME always gives it back")
///     }
///
/// Here an authorization does not end with the session: the user gives and revokes it with `milepost apps authorize`.
public final class CLServiceSession: Sendable {
  /// The requested authorization.
  public enum AuthorizationRequirement: Int, Sendable {
    case none = 0
    case whenInUse = 1
    case always = 2

    fileprivate var model: Authorization? {
      switch self {
      case .none: nil
      case .whenInUse: .whenInUse
      case .always: .always
      }
    }
  }

  /// The obstacles to the request.
  public struct Diagnostic: Sendable, Hashable {
    /// Whether the user allows this app no location.
    public let authorizationDenied: Bool
    /// Always false: there is no switch for all apps.
    public var authorizationDeniedGlobally: Bool { false }
    /// Whether something other than the user forbids it.
    public let authorizationRestricted: Bool
    /// Whether the user has not decided yet.
    public let authorizationRequestInProgress: Bool
    /// Whether *always* was requested and the user allows less.
    public let alwaysAuthorizationDenied: Bool
    /// Whether full accuracy was requested and the user allows this app only positions to 5 km.
    public let fullAccuracyDenied: Bool
    /// Always false: the daemon decides whether the app is in the foreground.
    public var insufficientlyInUse: Bool { false }
    /// Always false: this is the session.
    public var serviceSessionRequired: Bool { false }

    fileprivate init(_ permission: Permission, asking wish: Wish) {
      let authorization = permission.authorization
      let requirement = wish.requirement
      authorizationDenied = authorization == .denied
      authorizationRestricted = authorization == .restricted
      authorizationRequestInProgress = authorization == .notDetermined && requirement != .none
      alwaysAuthorizationDenied =
        requirement == .always && authorization != .always && authorization != .notDetermined
      fullAccuracyDenied = wish.isForFullAccuracy && permission.accuracy == .reduced
    }
  }

  /// The request of a session.
  fileprivate struct Wish: Sendable {
    let requirement: AuthorizationRequirement
    let isForFullAccuracy: Bool
  }

  private let wish: Wish
  private let hold: AuthorizationHold

  public convenience init(authorization: AuthorizationRequirement) {
    self.init(Wish(requirement: authorization, isForFullAccuracy: false))
  }

  /// The same, with full accuracy; the user is not asked for that, and the diagnostics report whether it is granted.
  public convenience init(
    authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String
  ) {
    self.init(Wish(requirement: authorization, isForFullAccuracy: true))
  }

  private init(_ wish: Wish) {
    self.wish = wish
    hold = AuthorizationHold(.current)
    if let wanted = wish.requirement.model { hold.session.send(input: .asks(wanted)) }
  }

  deinit { hold.leave() }

  /// Ends the session, and with it the loops over its diagnostics.
  public func invalidate() { hold.leave() }

  /// The current diagnostic and every change of it; ends with the session.
  public var diagnostics: Diagnostics {
    Diagnostics { [hold, wish] in
      let reader = hold.reader()
      return { await reader.line.next().map { Diagnostic($0, asking: wish) } }
    }
  }

  public typealias Diagnostics = CLEvents<Diagnostic>
}

/// While a session exists, standard updates of this process may continue in the background; the app must have declared
/// the mode `location`.
///
///     let activity = CLBackgroundActivitySession()
///     defer { activity.invalidate() }
///     for try await update in CLLocationUpdate.liveUpdates() {
///       if let location = update.location { print(location.coordinate) }
///     }
public final class CLBackgroundActivitySession: Sendable {
  /// The obstacles to the request.
  public struct Diagnostic: Sendable, Hashable {
    /// Whether the user allows this app no location.
    public let authorizationDenied: Bool
    /// Always false: there is no switch for all apps.
    public var authorizationDeniedGlobally: Bool { false }
    /// Whether something other than the user forbids it.
    public let authorizationRestricted: Bool
    /// Whether the user has not decided yet.
    public let authorizationRequestInProgress: Bool
    /// Always false: the daemon decides whether the app is in the foreground.
    public var insufficientlyInUse: Bool { false }
    /// Always false: the declared mode decides.
    public var serviceSessionRequired: Bool { false }

    init(_ authorization: Authorization) {
      authorizationDenied = authorization == .denied
      authorizationRestricted = authorization == .restricted
      authorizationRequestInProgress = authorization == .notDetermined
    }
  }

  private let hold: AuthorizationHold

  public init() {
    hold = AuthorizationHold(.current)
    hold.session.change(hold.id) { $0.allowsBackground = true }
  }

  deinit { hold.leave() }

  /// Ends the session, as releasing it does.
  public func invalidate() { hold.leave() }

  /// The current diagnostic and every change of it; ends with the session.
  public var diagnostics: Diagnostics {
    Diagnostics { [hold] in
      let reader = hold.reader()
      return { await reader.line.next().map { Diagnostic($0.authorization) } }
    }
  }

  public typealias Diagnostics = CLEvents<Diagnostic>
}

/// The user's permissions for this app.
private struct Permission: Sendable {
  var authorization: Authorization
  var accuracy: LocationAccuracy
}

/// A part of an app that makes a request for as long as it is held, and receives the user's permissions.
private final class AuthorizationHold: Sendable {
  private final class Ear: LocationSession.Consumer {
    let lines: EventLines<Permission>
    private let session: LocationSession
    /// The newest permission; `nil` until the daemon has reported it.
    private let permission = Mutex<Permission?>(nil)

    init(_ session: LocationSession) {
      self.session = session
      lines = EventLines(session, keeping: .newest)
    }

    func receive(_ notice: Notice) {
      let changed: Permission? = permission.withLock { permission in
        switch notice {
        case .authorization(let new):
          permission = Permission(authorization: new, accuracy: session.heardAccuracy)
        case .accuracy(let new): permission?.accuracy = new
        default: return nil
        }
        return permission
      }
      if let changed { lines.put(changed) }
    }

    func sessionClosed() { lines.end() }
  }

  let session: LocationSession
  let id: Int
  private let ear: Ear
  private let hasLeft = Atomic(false)

  init(_ session: LocationSession) {
    self.session = session
    ear = Ear(session)
    id = session.join(ear)
  }

  func reader() -> LineReader<Permission> { LineReader(ear.lines) }

  /// Leaves the session once; later calls change nothing.
  func leave() {
    guard !hasLeft.exchange(true, ordering: .relaxed) else { return }
    session.leave(id, tickets: [])
    ear.lines.end()
  }
}
