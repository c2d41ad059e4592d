// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
import LocationModel

/// The numbers of a profile on which an energy depends, each with its slot in a set of values.
struct ParameterList: Sendable, Equatable {
  /// Slot 0 is a row that is absent: always 0.
  private(set) var numbers: [ProfileNumber?] = [nil]
  private var slots: [ProfileKey: Int] = [:]

  var count: Int { numbers.count }

  /// The slot of a number; 0 if the profile does not have it.
  mutating func slot(
    _ values: ProfileNumbers, _ component: String, _ state: String?, _ quantity: String
  ) -> Int {
    guard let state else { return 0 }
    let key = ProfileKey(component, state, quantity)
    if let slot = slots[key] { return slot }
    guard let number = values[key] else { return 0 }
    slots[key] = numbers.count
    numbers.append(number)
    return numbers.count - 1
  }

  /// All numbers at the same end of their ranges.
  func values(of lane: Lane) -> NumberSet { NumberSet(numbers.map { $0?.value[lane] ?? 0 }) }
}

/// A set of values, by the slots of a list.
struct NumberSet: Sendable, Equatable {
  private let values: [Double]
  private let offset: Int

  init(_ values: [Double], from offset: Int = 0) { (self.values, self.offset) = (values, offset) }

  subscript(slot: Int) -> Double { values[offset + slot] }
}

/// Sets of values, drawn.
///
/// A number is drawn log-uniformly between its ends [ours]. If the lower end is 0, it is drawn uniformly. A number
/// without a range is itself. A value depends only on the seed, the number's name and the draw: all runs of a comparison
/// share their draws, and a profile that gains a row keeps the others.
struct ParameterDraws: Sendable {
  let count: Int
  let width: Int
  /// Draw by draw, `width` each.
  let values: [Double]
  /// The uniform numbers, 0 to 1, behind the values, in the same order.
  let uniforms: [Double]

  init(_ list: ParameterList, seed: UInt64, count: Int) {
    self.count = count
    width = list.count
    var values = [Double](repeating: 0, count: count * list.count)
    var uniforms = values
    for (slot, number) in list.numbers.enumerated() {
      guard let number else { continue }
      let source = CountedRandom(seed: seed, name: number.key.description)
      let quantity = number.value
      let isFixed = quantity.low == quantity.high
      let isLogarithmic = quantity.low > 0
      let ratio = isLogarithmic ? logarithm(quantity.high / quantity.low) : 0
      for draw in 0..<count {
        let place = draw * list.count + slot
        let uniform = source.uniform(UInt64(draw))
        uniforms[place] = uniform
        values[place] =
          if isFixed {
            quantity.nominal
          } else if isLogarithmic {
            quantity.low * exponential(uniform * ratio)
          } else {
            uniform * quantity.high
          }
      }
    }
    self.values = values
    self.uniforms = uniforms
  }
}

/// Random numbers that depend on a seed, a name and a counter.
///
/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014) over
/// the counter; seed and name (FNV-1a) choose its start.
struct CountedRandom: Sendable {
  private let base: UInt64

  init(seed: UInt64, name: String) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    base = SplitMix64.mixed(SplitMix64.mixed(seed) ^ hash)
  }

  /// Uniform in 0 ≤ x < 1.
  func uniform(_ counter: UInt64) -> Double {
    SplitMix64.uniform(SplitMix64.mixed(base &+ counter &* SplitMix64.step))
  }
}
