// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The registered apps, in the order of their numbers; found by number, or by name.
struct AppTable: Sendable, Equatable {
  private var rows: [AppRecord] = []
  private var names: [String: AppID] = [:]

  var count: Int { rows.count }
  /// In the order of their numbers.
  var all: [AppRecord] { rows }
  var ids: [AppID] { rows.map(\.id) }

  func contains(where predicate: (AppRecord) -> Bool) -> Bool { rows.contains(where: predicate) }

  func id(of name: String) -> AppID? { names[name] }

  /// Reads a record, changes it in place, or with `nil` forgets the app.
  subscript(id: AppID) -> AppRecord? {
    get { index(of: id).map { rows[$0] } }
    set {
      let index = index(of: id)
      switch (index, newValue) {
      case (let index?, let record?): rows[index] = record
      case (nil, let record?):
        let place = rows.firstIndex { $0.id.number > id.number } ?? rows.count
        rows.insert(record, at: place)
        names[record.name] = id
      case (let index?, nil):
        if names[rows[index].name] == id { names[rows[index].name] = nil }
        rows.remove(at: index)
      case (nil, nil): break
      }
    }
  }

  /// Works on a record in place, which also spares readers the copy of a large record; nothing for an unknown app.
  mutating func with<Result>(
    _ id: AppID, _ body: (inout AppRecord) -> Result
  ) -> Result? {
    guard let index = index(of: id) else { return nil }
    return body(&rows[index])
  }

  /// Whether a delivery waits for an app.
  func holds(_ number: UInt64, for id: AppID) -> Bool {
    index(of: id).map { rows[$0].outbox.holds(number) } ?? false
  }

  /// Changes all records.
  mutating func changeAll(_ body: (inout AppRecord) -> Void) {
    for index in rows.indices { body(&rows[index]) }
  }

  /// Apps are numbered from 1 in order of arrival, so the guess is right for all but those behind a removed one.
  private func index(of id: AppID) -> Int? {
    let guess = Int(id.number) - 1
    if guess >= 0, guess < rows.count, rows[guess].id == id { return guess }
    return rows.firstIndex { $0.id == id }
  }
}
