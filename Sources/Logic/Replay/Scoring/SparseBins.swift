// SPDX-License-Identifier: Apache-2.0

/// The written form of a histogram's bins: only the non-empty ones, as `[bin, value, bin, value, …]`.
enum SparseBins {
  static func write<Value: Encodable & AdditiveArithmetic>(
    _ bins: [Value], to list: any UnkeyedEncodingContainer
  ) throws {
    var list = list
    for (bin, value) in bins.enumerated() where value != .zero {
      try list.encode(bin)
      try list.encode(value)
    }
  }

  /// Reads bins, of which there are `count`, none if all are empty; throws if one is not among them, or out of order.
  static func read<Value: Decodable & AdditiveArithmetic>(
    _ list: any UnkeyedDecodingContainer, count: Int
  ) throws -> [Value] {
    var list = list
    var bins: [Value] = []
    var last = -1
    while !list.isAtEnd {
      let bin = try list.decode(Int.self)
      guard bin > last, bin < count else {
        throw DecodingError.dataCorruptedError(
          in: list, debugDescription: "bin \(bin) behind bin \(last) of \(count)")
      }
      if bins.isEmpty { bins = Array(repeating: .zero, count: count) }
      bins[bin] = try list.decode(Value.self)
      last = bin
    }
    return bins
  }
}
