// SPDX-License-Identifier: Apache-2.0

import ServiceContract

extension HTTPSink {
  /// The settings shared by all kinds over HTTP.
  struct Reading {
    let endpoint: Endpoint
    let login: Login
    let onlyNewest: Bool

    /// Reads `url`, `only_newest` and the settings of `Login`; `nil` if there is no URL.
    init?(_ table: inout SettingsTable, from directory: String) {
      let endpoint = Endpoint.readSetting(
        &table, schemes: [.http, .https], meaning: "where the server takes positions")
      login = Login(reading: &table, from: directory)
      onlyNewest = table.bool("only_newest") ?? false
      guard let endpoint else { return nil }
      self.endpoint = endpoint
      login.check(for: endpoint, &table)
    }

    func sink(_ format: any HTTPFormat) -> HTTPSink {
      HTTPSink(endpoint, login: login, onlyNewest: onlyNewest, format: format)
    }
  }
}

extension Login {
  /// Notes conflicts: a certificate without TLS, a placeholder for a token without one, or two kinds of credentials.
  func check(for endpoint: Endpoint, _ table: inout SettingsTable) {
    checkCertificate(for: endpoint, &table)
    if endpoint.holdsToken, !table.states("token_file") {
      table.noteProblem(
        at: "url", "holds \(Secrets.placeholder), and no token_file says what to put there")
    }
    if token != nil, password != nil, !endpoint.holdsToken {
      table.noteProblem(
        at: "token_file",
        "beside password_file; keep one, or write \(Secrets.placeholder) into the url"
      )
    }
  }
}

extension HTTPSession {
  /// Sends a request of a trial.
  borrowing func ask(_ request: HTTPRequest, at place: String) throws(SinkError) -> HTTPAnswer {
    do throws(HTTPFailure) {
      return try send(request: request)
    } catch {
      throw AnswerMeaning.fault(of: error, at: place)
    }
  }
}
