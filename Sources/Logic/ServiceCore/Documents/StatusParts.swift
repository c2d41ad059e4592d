// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

extension StatusDocument {
  /// Periodic work of all apps.
  package struct SharedWakes: JSONObject, Equatable {
    /// Calls of fetches and keep-alives.
    package var calls: Int
    /// Wakes of a sleeping processor.
    package var wakes: Int
    /// Joules that a separate wake for each call would have cost in addition, nominal.
    package var saved: Double

    package static let empty = Self(calls: 0, wakes: 0, saved: 0)
    package static let table = JSONTable<Self> { shared in
      shared.field("calls", \.calls)
      shared.field("wakes", \.wakes)
      shared.field("saved_j", \.saved, .number(in: 0...1e15))
    }
  }

  /// A sink.
  package struct Outlet: JSONObject, Equatable {
    package var app: String
    package var kind: String
    /// The host to which it sends; `nil` if it names none, and writes on this machine.
    package var host: String?
    package var accuracy: LocationAccuracy
    package var authorization: Authorization

    package static let empty = Self(
      app: "", kind: "", host: nil, accuracy: .full, authorization: .notDetermined)
    package static let table = JSONTable<Self> { outlet in
      outlet.field("app", \.app)
      outlet.field("kind", \.kind)
      outlet.field("host", \.host)
      outlet.field("accuracy", \.accuracy)
      outlet.field("authorization", \.authorization)
    }
  }

  /// The connection to gpsd.
  package struct GPSDLink: JSONObject, Equatable {
    package enum State: String, Sendable, JSONWord {
      case connecting
      /// Connected and watching.
      case watching
      /// No fix is needed, connected or not: the watch is ended, so that gpsd closes the device.
      case released
      /// Unreachable; retried with pauses.
      case unreachable
    }

    package var host: String
    package var port: Int
    package var state: State
    /// The state in plain words, and a remedy if something is wrong.
    package var text: String
    /// The start of this state, UTC of the host.
    package var since: UTCInstant

    package static let empty = Self(host: "", port: 0, state: .released, text: "", since: .epoch)
    package static let table = JSONTable<Self> { link in
      link.field("host", \.host)
      link.field("port", \.port)
      link.field("state", \.state)
      link.field("text", \.text)
      link.field("since", \.since)
    }
  }

  /// One of gpsd's devices.
  package struct Device: JSONObject, Equatable {
    package var path: String
    package var driver: String?
    /// Seconds since its last report; `nil` if it made none.
    package var silence: Double?

    package static let empty = Self(path: "", driver: nil, silence: nil)
    package static let table = JSONTable<Self> { device in
      device.field("path", \.path)
      device.field("driver", \.driver)
      device.field("silent_s", \.silence, .number())
    }
  }

  /// The receiver's plan, and the reason.
  package struct Receiver: JSONObject, Equatable {
    package enum Plan: String, Sendable, JSONWord {
      case off
      /// On for as long as any app asks.
      case continuous
      /// On until a position is good enough.
      case session
    }

    package var plan: Plan
    /// The reason why it is off, or the apps that need it, in plain words.
    package var reason: String
    package var since: UTCInstant
    /// The next time that it is switched on; `nil` if unknown.
    package var until: UTCInstant?
    /// Seconds for which gpsd holds a device after its last watcher.
    package var hold: Double
    /// Its sleeps since the service began, each told to it at the end of a look; `nil` if there was none.
    package var sleep: Sleep?

    package static let empty = Self(
      plan: .off, reason: "", since: .epoch, until: nil, hold: 0, sleep: nil)
    package static let table = JSONTable<Self> { receiver in
      receiver.field("plan", \.plan)
      receiver.field("reason", \.reason)
      receiver.field("since", \.since)
      receiver.field("until", \.until)
      receiver.field("hold_s", \.hold, .number(in: 0...1e15))
      receiver.option("sleep", \.sleep, Sleep.json)
    }
  }

  /// The sleeps of a receiver that was told to.
  package struct Sleep: JSONObject, Equatable {
    package var count: Int
    /// Seconds of all of them.
    package var seconds: Double
    /// Joules, modelled: it would have gone on at full power; `nil` where the profile does not know both.
    package var saved: Double?

    package static let empty = Self(count: 0, seconds: 0, saved: nil)
    package static let table = JSONTable<Self> { sleep in
      sleep.field("count", \.count, .whole(in: 0...JSONShape.exactWholes.upperBound))
      sleep.field("asleep_s", \.seconds, .number(in: 0...1e15))
      sleep.field("saved_j", \.saved, .number())
    }
  }

  /// The last position received.
  package struct LastFix: JSONObject, Equatable {
    package var fix: Fix
    package var device: String?
    /// Its arrival, UTC of the host, and its age in seconds.
    package var received: UTCInstant
    package var age: Double

    package static let empty = Self(fix: Fix.empty, device: nil, received: .epoch, age: 0)
    package static let table = JSONTable<Self> { last in
      last.field("fix", \.fix)
      last.field("device", \.device)
      last.field("received", \.received)
      last.field("age_s", \.age, .number(in: 0...1e15))
    }
  }

  /// The database.
  package struct Store: JSONObject, Equatable {
    package enum State: String, Sendable, JSONWord {
      case ok
      /// Nothing can be written now: the disk is full or read-only; it is retried.
      case failing
      /// It could not be opened; nothing outlives this daemon.
      case absent
    }

    package var state: State
    package var path: String
    /// The trouble, its start, and a remedy; `nil` if there is none.
    package var warning: String?

    package static let empty = Self(state: .absent, path: "", warning: nil)
    package static let table = JSONTable<Self> { store in
      store.field("state", \.state)
      store.field("path", \.path)
      store.field("warning", \.warning)
    }
  }

  /// The live page.
  package struct Web: JSONObject, Equatable, Codable {
    /// Its address: `127.0.0.1:8080`.
    package var address: String
    /// The file with its address and a token that opens it once; only the daemon's user can read it.
    package var urlFile: String

    package init(address: String, urlFile: String) {
      self.address = address
      self.urlFile = urlFile
    }

    package static let empty = Self(address: "", urlFile: "")
    package static let table = JSONTable<Self> { web in
      web.field("address", \.address)
      web.field("url_file", \.urlFile)
    }
  }

  /// An unwatched time.
  package struct Gap: JSONObject, Equatable {
    /// `nil` if unknown, since the clock went back meanwhile.
    package var start: UTCInstant?
    package var end: UTCInstant
    package var reason: String

    package static let empty = Self(start: nil, end: .epoch, reason: "")
    package static let table = JSONTable<Self> { gap in
      gap.field("start", \.start)
      gap.field("end", \.end)
      gap.field("reason", \.reason)
    }
  }
}
