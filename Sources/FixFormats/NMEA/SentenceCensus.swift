// SPDX-License-Identifier: Apache-2.0

/// Counts sentences by address without making strings; the ledger gets its words at the end.
struct SentenceCensus: Sendable {
  private var addresses: [UInt64] = []
  private var counts: [Int] = []
  private var others = 0

  mutating func count(_ address: UInt64) {
    for index in addresses.indices where addresses[index] == address {
      counts[index] += 1
      return
    }
    if addresses.count < TraceLedger.typeLimit {
      addresses.append(address)
      counts.append(1)
    } else {
      others += 1
    }
  }

  func write(to ledger: inout TraceLedger) {
    for index in addresses.indices {
      ledger.count(type: SentenceAddress.text(addresses[index]), times: counts[index])
    }
    if others > 0 { ledger.count(type: "other", times: others) }
  }
}
