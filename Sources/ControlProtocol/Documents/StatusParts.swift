// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel

extension StatusDocument {
  /// The connection to gpsd.
  package struct GPSDLink: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
      case connecting
      /// Connected and watching.
      case watching
      /// Connected or not, nobody needs a fix: the watch is ended, so that gpsd closes the device.
      case released
      /// Not to be reached; tried again with pauses.
      case unreachable
    }

    package var host: String
    package var port: Int
    package var state: State
    /// In plain words what is the matter, and what to do where something is wrong.
    package var text: String
    /// Since when, UTC of the host.
    package var since: UTCInstant

    package init(host: String, port: Int, state: State, text: String, since: UTCInstant) {
      self.host = host
      self.port = port
      self.state = state
      self.text = text
      self.since = since
    }

    init(_ object: ObjectReader) throws(ProtocolError) {
      host = try object.string("host")
      port = try object.smallCount("port")
      state = try object.word("state", State.allCases)
      text = try object.string("text")
      since = try object.instant("since")
    }

    func write(into json: inout JSONWriter) {
      json.member("host", host)
      json.member("port", port)
      json.member("state", state.rawValue)
      json.member("text", text)
      json.member("since", since.rfc3339)
    }
  }

  /// One of gpsd's devices.
  package struct Device: Sendable, Equatable {
    package var path: String
    package var driver: String?
    /// Seconds since its last report; `nil` where it made none.
    package var silence: Double?

    package init(path: String, driver: String?, silence: Double?) {
      self.path = path
      self.driver = driver
      self.silence = silence
    }

    init(_ object: ObjectReader) throws(ProtocolError) {
      path = try object.string("path")
      driver = try object.optionalString("driver")
      silence = try object.optionalNumber("silent_s")
    }

    func write(into json: inout JSONWriter) {
      json.member("path", path)
      json.member("driver", driver)
      json.exactMember("silent_s", silence)
    }
  }

  /// What the receiver does, and why.
  package struct Receiver: Sendable, Equatable {
    package enum Plan: String, Sendable, CaseIterable {
      case off
      /// On for as long as somebody asks.
      case continuous
      /// On until a position is good enough.
      case session
    }

    package var plan: Plan
    /// Why it is off, or who needs it, in plain words.
    package var reason: String
    package var since: UTCInstant
    /// When it is switched on next; `nil` where no time is known.
    package var until: UTCInstant?
    /// Seconds for which gpsd holds a device after its last watcher.
    package var hold: Double

    package init(plan: Plan, reason: String, since: UTCInstant, until: UTCInstant?, hold: Double) {
      self.plan = plan
      self.reason = reason
      self.since = since
      self.until = until
      self.hold = hold
    }

    init(_ object: ObjectReader) throws(ProtocolError) {
      plan = try object.word("plan", Plan.allCases)
      reason = try object.string("reason")
      since = try object.instant("since")
      until = try object.optionalInstant("until")
      hold = try object.number("hold_s", in: 0...1e15)
    }

    func write(into json: inout JSONWriter) {
      json.member("plan", plan.rawValue)
      json.member("reason", reason)
      json.member("since", since.rfc3339)
      json.member("until", until?.rfc3339)
      json.exactMember("hold_s", hold)
    }
  }

  /// The last position that was received.
  package struct LastFix: Sendable, Equatable {
    package var fix: Fix
    package var device: String?
    /// When it came, UTC of the host, and how many seconds ago that was.
    package var received: UTCInstant
    package var age: Double

    package init(fix: Fix, device: String?, received: UTCInstant, age: Double) {
      self.fix = fix
      self.device = device
      self.received = received
      self.age = age
    }

    init(_ object: ObjectReader) throws(ProtocolError) {
      fix = try FixObject.read(try object.object("fix"))
      device = try object.optionalString("device")
      received = try object.instant("received")
      age = try object.number("age_s", in: 0...1e15)
    }

    func write(into json: inout JSONWriter) {
      json.key("fix")
      FixObject.write(fix, into: &json)
      json.member("device", device)
      json.member("received", received.rfc3339)
      json.exactMember("age_s", age)
    }
  }

  /// The database.
  package struct Store: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
      case ok
      /// Nothing can be written now: the disk is full or read-only; it is tried again.
      case failing
      /// It could not be opened; nothing outlives this daemon.
      case absent
    }

    package var state: State
    package var path: String
    /// What went wrong, when, and what to do; `nil` where nothing did.
    package var warning: String?

    package init(state: State, path: String, warning: String?) {
      self.state = state
      self.path = path
      self.warning = warning
    }

    init(_ object: ObjectReader) throws(ProtocolError) {
      state = try object.word("state", State.allCases)
      path = try object.string("path")
      warning = try object.optionalString("warning")
    }

    func write(into json: inout JSONWriter) {
      json.member("state", state.rawValue)
      json.member("path", path)
      json.member("warning", warning)
    }
  }

  /// A time that nobody watched.
  package struct Gap: Sendable, Equatable {
    /// `nil` where nobody knows, since the clock went back meanwhile.
    package var start: UTCInstant?
    package var end: UTCInstant
    package var reason: String

    package init(start: UTCInstant?, end: UTCInstant, reason: String) {
      self.start = start
      self.end = end
      self.reason = reason
    }

    init(_ object: ObjectReader) throws(ProtocolError) {
      start = try object.optionalInstant("start")
      end = try object.instant("end")
      reason = try object.string("reason")
    }

    func write(into json: inout JSONWriter) {
      json.member("start", start?.rfc3339)
      json.member("end", end.rfc3339)
      json.member("reason", reason)
    }
  }
}
