// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The same manifest in each form. The binary property lists were made by Python's plistlib.
enum Forms {
  static let toml = """
    # A walker.
    name = "walker"
    kind = "handler"
    command = ["./walker", "--fast"]
    directory = "run"
    modes = ["location"]
    exits_on_suspend = false
    service = "standard"
    desired_accuracy_m = 100
    distance_filter_m = 12.5
    pauses = true
    authorization = "always"
    launch = "manual"

    [environment]
    LANG = "C"
    LEVEL = "3"
    """

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

  static let propertyList = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>authorization</key><string>always</string>
      <key>command</key><array><string>./walker</string><string>--fast</string></array>
      <key>desired_accuracy_m</key><integer>100</integer>
      <key>directory</key><string>run</string>
      <key>distance_filter_m</key><real>12.5</real>
      <key>environment</key>
      <dict><key>LANG</key><string>C</string><key>LEVEL</key><string>3</string></dict>
      <key>exits_on_suspend</key><false/>
      <key>kind</key><string>handler</string>
      <key>launch</key><string>manual</string>
      <key>modes</key><array><string>location</string></array>
      <key>name</key><string>walker</string>
      <key>pauses</key><true/>
      <key>service</key><string>standard</string>
    </dict>
    </plist>
    """

  static let binaryPropertyList = bytes(
    """
    YnBsaXN0MDDdAQIDBAUGBwgJCgsMDQ4PEhMUFRobHB0fICFdYXV0aG9yaXphdGlvbldjb21tYW5kXxASZGVzaXJl
    ZF9hY2N1cmFjeV9tWWRpcmVjdG9yeV8QEWRpc3RhbmNlX2ZpbHRlcl9tW2Vudmlyb25tZW50XxAQZXhpdHNfb25f
    c3VzcGVuZFRraW5kVmxhdW5jaFVtb2Rlc1RuYW1lVnBhdXNlc1dzZXJ2aWNlVmFsd2F5c6IQEVguL3dhbGtlclYt
    LWZhc3QQZFNydW4jQCkAAAAAAADSFhcYGVRMQU5HVUxFVkVMUUNRMwhXaGFuZGxlclZtYW51YWyhHlhsb2NhdGlv
    blZ3YWxrZXIJWHN0YW5kYXJkAAgAIwAxADkATgBYAGwAeACLAJAAlwCdAKIAqQCxALgAuwDEAMsAzQDRANoA3wDk
    AOoA7ADuAO8A9wD+AQABCQEQAREAAAAAAAACAQAAAAAAAAAiAAAAAAAAAAAAAAAAAAABGg==
    """)

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
    ("walker.toml", Array(toml.utf8)), ("walker.yaml", Array(yaml.utf8)),
    ("walker.YML", Array(yaml.utf8)), ("walker.json", Array(json.utf8)),
    ("walker.plist", Array(propertyList.utf8)), ("walker.plist", binaryPropertyList),
    ("walker", binaryPropertyList),
  ]

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
  }
}
