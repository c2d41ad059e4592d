// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// One row for each app, in the order of their numbers.
struct AppTable<Row: Sendable>: Sendable {
  private var numbers: [AppID] = []
  private var rows: [Row] = []

  var count: Int { rows.count }
  var all: [Row] { rows }
  var ids: [AppID] { numbers }

  /// Reads a row, changes it, or with `nil` forgets the app.
  subscript(id: AppID) -> Row? {
    get { index(of: id).map { rows[$0] } }
    set {
      let index = index(of: id)
      switch (index, newValue) {
      case (let index?, let row?): rows[index] = row
      case (nil, let row?):
        let place = numbers.firstIndex { $0.number > id.number } ?? rows.count
        rows.insert(row, at: place)
        numbers.insert(id, at: place)
      case (let index?, nil):
        rows.remove(at: index)
        numbers.remove(at: index)
      case (nil, nil): break
      }
    }
  }

  /// Works on a row in place; nothing for an unknown app.
  @discardableResult
  mutating func change<Result>(_ id: AppID, _ body: (inout Row) -> Result) -> Result? {
    guard let index = index(of: id) else { return nil }
    return body(&rows[index])
  }

  /// Reads a row without a copy of it.
  func withRow<Result>(of id: AppID, _ body: (Row) -> Result) -> Result? {
    guard let index = index(of: id) else { return nil }
    return body(rows[index])
  }

  /// Changes all rows.
  mutating func changeAll(_ body: (AppID, inout Row) -> Void) {
    for index in rows.indices { body(numbers[index], &rows[index]) }
  }

  /// Apps are numbered from 1 in order of arrival, so the guess is right for all but those behind a removed one.
  private func index(of id: AppID) -> Int? {
    let guess = Int(id.number) - 1
    if guess >= 0, guess < rows.count, numbers[guess] == id { return guess }
    return numbers.firstIndex { $0 == id }
  }
}
