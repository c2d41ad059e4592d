// SPDX-License-Identifier: Apache-2.0

/// The costs of a cellular network (or of its substitute): all rows of the component `cell`.
package struct NetworkProfile: Sendable, Equatable {
  /// Name of the file, without its ending.
  package let name: String
  /// One line for people.
  package let title: String
  /// All rows in the order of the file, for `profiles show`.
  package var numbers: [ProfileNumber] { values.rows }
  /// The kind of link, as in the file: `lte`, `lte_three_tails`, `3g`, `tailender`, `iot`, `lora`, `wifi`.
  package var model: String { shape.model }

  /// Seconds for which the radio stays up behind a small transfer from idle: promotion, set-up and
  /// tails, nominal.
  package var tailDuration: Double { shape.tailDuration(component: "cell", values) }

  /// The duration of a transfer of `bytes` bytes, from the request to the last byte, seconds, nominal; 0 if the profile
  /// states only energy.
  package func transferDuration(of bytes: Int) -> Double {
    shape.transferDuration(of: bytes, component: "cell", values)
  }

  /// The limits of one frame and of the pause behind it; `nil` for a link without frames.
  package var frame: LoRaFrame? {
    shape.transfer == .byFrame ? LoRaFrame(values, component: "cell") : nil
  }

  /// Whether a modem of a cellular network carries it.
  package var isCellular: Bool { shape.isCellular }

  let shape: LinkShape
  let values: ProfileNumbers

  /// Reads a network profile; throws all of its faults at once.
  package static func parse(
    _ bytes: borrowing Span<UInt8>, name: String
  ) throws(ProfileErrors) -> NetworkProfile {
    let text = ProfileText(bytes)
    let models = LinkShape.all.map(\.model)
    let shape = text.entries["model"].flatMap { entry in
      LinkShape.all.first { $0.model == entry.value }
    }
    // Without a known model the expected rows are unknown.
    let rows =
      shape?.rows(component: "cell")
      ?? text.numbers.map { ProfileSchema.Row(key: $0.key, unit: $0.unit) }
    let schema = ProfileSchema(
      texts: [.init(key: "name"), .init(key: "title"), .init(key: "model", allowed: models)],
      rows: rows)
    var errors = schema.check(text, of: name)
    if shape?.transfer == .byFrame { errors += Self.frameErrors(text) }
    guard errors.isEmpty, let shape else { throw ProfileErrors(errors: errors) }
    return NetworkProfile(
      name: name, title: text.entries["title"]?.value ?? name, shape: shape,
      values: ProfileNumbers(text.numbers))
  }

  /// Numbers of a frame that LoRa does not have.
  private static func frameErrors(_ text: ProfileText) -> [ProfileError] {
    text.numbers.compactMap { number in
      guard let range = LoRaFrame.ranges[number.key.quantity],
        !range.contains(number.value.nominal)
      else { return nil }
      return ProfileError(
        line: number.line, key: number.key.description,
        "\(Int(number.value.nominal)) is not from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
      )
    }
  }
}
