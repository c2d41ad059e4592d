// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The same manifest in each form; the binary property list was made by Python's plistlib.
enum Forms {
  static let yaml = """
    name: walker
    kind: handler
    command: [./walker, --fast]
    directory: run
    background_modes:
      - location
    exits_on_suspend: no
    service: standard
    desired_accuracy_m: 100
    distance_filter_m: 12.5
    pauses: true
    authorization: always
    launch: manual
    environment: {LANG: C, LEVEL: "3"}
    """

  static let json = """
    {"name": "walker", "kind": "handler", "command": ["./walker", "--fast"], "directory": "run",
     "modes": ["location"], "exits_on_suspend": false, "service": "standard",
     "desired_accuracy_m": 100, "distance_filter_m": 12.5, "pauses": true,
     "authorization": "always", "launch": "manual", "environment": {"LANG": "C", "LEVEL": "3"}}
    """

  /// Bundle identifier `org.example.Walker-1`, modes audio and location, exits on suspend.
  static let infoPlist = bytes(
    """
    YnBsaXN0MDDWAQIDBAUGBwgJCgkLXxASQ0ZCdW5kbGVJZGVudGlmaWVyXxAPQ0ZCdW5kbGVWZXJzaW9uXxASTFNS
    ZXF1aXJlc0lQaG9uZU9TXxAsTlNMb2NhdGlvbkFsd2F5c0FuZFdoZW5JblVzZVVzYWdlRGVzY3JpcHRpb25fEBtV
    SUFwcGxpY2F0aW9uRXhpdHNPblN1c3BlbmRfEBFVSUJhY2tncm91bmRNb2Rlc18QFG9yZy5leGFtcGxlLldhbGtl
    ci0xUTcJXxAPVG8gc2hvdyB0aGUgd2F5ogwNVWF1ZGlvWGxvY2F0aW9uCBUqPFGAnrLJy8ze4ecAAAAAAAABAQAA
    AAAAAAAOAAAAAAAAAAAAAAAAAAAA8A==
    """)

  static let all: [(file: String, bytes: [UInt8])] = [
    ("walker.yaml", Array(yaml.utf8)), ("walker.YML", Array(yaml.utf8)),
    ("walker.json", Array(json.utf8)), ("walker.yaml", Array(json.utf8)),
  ]

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
  }
}
