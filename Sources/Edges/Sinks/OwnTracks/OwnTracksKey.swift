// SPDX-License-Identifier: Apache-2.0

import CSodium
import ControlProtocol
import JSONText

/// The shared key of OwnTracks' encrypted messages (libsodium's secretbox: XSalsa20 and Poly1305).
///
/// The key is the passphrase itself, padded with zero bytes to 32 [doc: owntracks.org/booklet/features/encrypt]. An
/// encrypted message holds the 24 bytes of the nonce followed by the sealed message, as base64.
struct OwnTracksKey: Sendable, Equatable {
  /// The length of the longest passphrase, bytes.
  static let limit = Int(crypto_secretbox_KEYBYTES)

  private let bytes: [UInt8]

  /// `nil` if the passphrase is empty or longer than 32 bytes.
  init?(passphrase: String) {
    let text = Array(passphrase.utf8)
    guard (1...Self.limit).contains(text.count), sodium_init() >= 0 else { return nil }
    bytes = text + [UInt8](repeating: 0, count: Self.limit - text.count)
  }

  /// The message `plain` in encrypted form, under a new random nonce.
  func sealed(_ plain: [UInt8]) -> [UInt8] {
    var nonce = [UInt8](repeating: 0, count: Int(crypto_secretbox_NONCEBYTES))
    randombytes_buf(&nonce, nonce.count)
    return sealed(plain, nonce: nonce)
  }

  func sealed(_ plain: [UInt8], nonce: [UInt8]) -> [UInt8] {
    precondition(nonce.count == Int(crypto_secretbox_NONCEBYTES))
    var box = [UInt8](repeating: 0, count: plain.count + Int(crypto_secretbox_MACBYTES))
    // It fails only for messages beyond its limit of 2⁶⁴ bytes.
    let result = crypto_secretbox_easy(&box, plain, UInt64(plain.count), nonce, bytes)
    precondition(result == 0)
    var json = JSONWriter()
    json.object { json in
      json.member("_type", "encrypted")
      json.member("data", Base64.text(nonce + box))
    }
    return json.bytes
  }

  /// The message within the `data` of an encrypted one; `nil` if it was sealed with another key, changed in transit, or
  /// is invalid.
  func openMessage(_ data: String) -> [UInt8]? {
    let (head, seal) = (Int(crypto_secretbox_NONCEBYTES), Int(crypto_secretbox_MACBYTES))
    guard let all = Base64.bytes(data), all.count >= head + seal else { return nil }
    var plain = [UInt8](repeating: 0, count: all.count - head - seal)
    let box = Array(all[head...])
    guard
      crypto_secretbox_open_easy(&plain, box, UInt64(box.count), Array(all[..<head]), bytes) == 0
    else { return nil }
    return plain
  }
}
