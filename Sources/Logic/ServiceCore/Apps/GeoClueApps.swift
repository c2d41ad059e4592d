// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// A program's cost is its share of all energy metered while it asked: energy is borne in equal parts by those whose
// request keeps the receiver as it is. If any ask for standard or continuous updates, they bear it alone; else those
// who monitor significant changes do. Followers bear nothing. gpsd holds a receiver for a while after its last watcher
// left: the last ones to ask bear that.
//
// Requests change only with inputs, and never with a fix, so the energy since the last settlement is shared among its
// bearers before each other input.

/// Programs that ask GeoClue, and the cost of each.
struct GeoClueApps: Sendable, Equatable {
  /// The deliveries to programs of one name since the start of the service.
  struct Account: Sendable, Equatable {
    let program: String
    /// The request of its newest client.
    var request: GeoClueRequest
    var deliveries = 0
    /// UTC of the host.
    var lastDelivery: UTCInstant?
    /// Joules above the baseline, modelled.
    var energy = 0.0
  }

  /// The greatest number of accounts kept; beyond it, those without a client go first.
  static let accountLimit = 64

  var apps: [AppID: GeoClueApp] = [:]
  private(set) var accounts: [Account] = []
  /// Whether Milepost answers on the bus, or the reason why not; `nil` if it is not configured to.
  var standing: (isAnswering: Bool, words: String)?
  /// Joules up to which everything is shared.
  var sharedEnergy = 0.0
  /// The bearers of the coming energy, each program once for every client.
  private var bearers: [String] = []
  private var others = 0

  /// Whether any program follows the positions of others.
  var hasFollowers: Bool { apps.values.contains { $0.terms == .follows } }

  /// The number of a program's clients that ask now.
  func clients(of program: String) -> Int {
    apps.values.count { $0.request.program == program }
  }

  mutating func open(_ request: GeoClueRequest) {
    if let index = accounts.firstIndex(where: { $0.program == request.program }) {
      return accounts[index].request = request
    }
    if accounts.count >= Self.accountLimit {
      let index = accounts.firstIndex { clients(of: $0.program) == 0 } ?? 0
      accounts.remove(at: index)
    }
    accounts.append(Account(program: request.program, request: request))
  }

  mutating func count(deliveryTo program: String, at utc: UTCInstant) {
    guard let index = accounts.firstIndex(where: { $0.program == program }) else { return }
    accounts[index].deliveries += 1
    accounts[index].lastDelivery = utc
  }

  /// Shares the energy up to `energy` among its bearers; without any, among the last ones.
  mutating func share(upTo energy: Double, among bearers: [String], andOthers others: Int) {
    if !bearers.isEmpty || others > 0 { (self.bearers, self.others) = (bearers, others) }
    let count = self.bearers.count + self.others
    let part = count > 0 ? max(0, energy - sharedEnergy) / Double(count) : 0
    sharedEnergy = energy
    guard part > 0 else { return }
    for program in self.bearers {
      guard let index = accounts.firstIndex(where: { $0.program == program }) else { continue }
      accounts[index].energy += part
    }
  }

  static func == (a: Self, b: Self) -> Bool {
    a.apps == b.apps && a.accounts == b.accounts && a.standing?.words == b.standing?.words
      && a.standing?.isAnswering == b.standing?.isAnswering && a.sharedEnergy == b.sharedEnergy
      && a.bearers == b.bearers && a.others == b.others
  }
}
