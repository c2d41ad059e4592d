// SPDX-License-Identifier: Apache-2.0

// A receiver on a host is a file of its own: the receiver's rows, and
//
//     profile,host,pi-zero-neo-m8
//
// which takes all else from that built-in profile: its other keys, and its other components whole. So a host is described
// once, and a receiver once for each way to connect it. The whole file has the host's rows behind its own, so lines keep
// their numbers.

/// A profile that is completed from another one.
enum HostedProfile {
  private static let key = "profile,host,"

  /// The whole file; itself if it names no host, or one that is not built in.
  static func whole(_ bytes: borrowing Span<UInt8>) -> [UInt8] {
    let own = bytes.indices.map { bytes[$0] }
    guard let text = String(validating: own, as: UTF8.self) else { return own }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let place = lines.firstIndex(where: { $0.hasPrefix(key) }),
      let file = ProfileLibrary.file(named: String(lines[place].dropFirst(key.count)))
    else { return own }
    let said = Set(lines.compactMap(subject))
    lines[place] = "# The host is \(lines[place].dropFirst(key.count))."[...]
    for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
      if let subject = subject(of: line), !said.contains(subject) { lines.append(line) }
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// The key of a text row, the component of another; `nil` for a comment, the heading and the host.
  private static func subject(of line: Substring) -> Substring? {
    guard !line.hasPrefix("#"), !line.hasPrefix("component,"), !line.hasPrefix(key),
      let comma = line.firstIndex(of: ",")
    else { return nil }
    guard line.hasPrefix("profile,") else { return line[..<comma] }
    return line[..<(line[line.index(after: comma)...].firstIndex(of: ",") ?? line.endIndex)]
  }
}
