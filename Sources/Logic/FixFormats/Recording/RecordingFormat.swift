// SPDX-License-Identifier: Apache-2.0

extension TraceFormat {
  package static let recording = TraceFormat(
    "recording", name: "recording of the service", isListed: false,
    decoder: RecordedFixDecoder.init(options:)
  ) { sample in
    !sample.isUTF16 && sample.text.starts(with: RecordedFixDecoder.mark) ? .beginning : .none
  }
}
