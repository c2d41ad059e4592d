// SPDX-License-Identifier: Apache-2.0

/// The tail of a logistic distribution, which is close to that of a normal one.
enum LogisticTail {
  /// 1/7!, 1/6! … of the exponential's series, after 1/8!.
  private static let series: InlineArray<8, Double> = [
    1 / 5_040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 0.5, 1, 1,
  ]

  /// The shares that lie beyond borders which the means have passed by `z` standard deviations.
  static func share(beyond z: PaceBelief.States) -> PaceBelief.States {
    let far = z .< -7
    // Beyond this the share is 1 to the last bit.
    let near = z.replacing(with: 22, where: z .> 22)
    // exp x = (exp x/64)⁶⁴, the inner one by its series: x/64 is within 0.6, and next to 0 where the share is neither
    // 0 nor 1.
    let x = near * (-1.702 / 64)
    var power = PaceBelief.States(repeating: 1 / 40_320)
    for index in series.indices { power = power * x + series[index] }
    for _ in 0..<6 { power *= power }
    return (1 / (1 + power)).replacing(with: 0, where: far)
  }
}
