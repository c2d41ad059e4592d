// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// A handle of libcurl for the duration of a piece of work.
package struct HTTPSession: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  private let share: UnsafeMutableRawPointer?
  private let settings: HTTPClient.Settings
  private let octets: Octets

  init(
    handle: UnsafeMutableRawPointer, share: UnsafeMutableRawPointer?, settings: HTTPClient.Settings,
    octets: Octets
  ) {
    self.handle = handle
    self.share = share
    self.settings = settings
    self.octets = octets
  }

  /// Sends a request and waits for its answer, whatever its status; redirects are not followed.
  package func send(request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    // The connections, and TLS's sessions, stay.
    curl_easy_reset(handle)
    let body = ReceivedBody()
    let wait = AskedWait()
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    text.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    var headers: UnsafeMutablePointer<curl_slist>?
    defer {
      curl_slist_free_all(headers)
      // Nothing of this call may be used when the connection is closed later.
      curl_easy_reset(handle)
      setCloser()
      text.deallocate()
    }
    setUp(request, errors: text)
    // An empty `Expect` sends none: without it a body beyond 1 MiB waits a second for permission to continue.
    for header in request.headers + [HTTPRequest.Header("Expect", "")] {
      let line = header.value.isEmpty ? header.name + ":" : "\(header.name): \(header.value)"
      headers = curl_slist_append(headers, line)
    }
    ccurl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    let code = withExtendedLifetime((body, wait)) {
      ccurl_set_header_reader(
        handle,
        { bytes, size, count, context in
          guard let bytes, let context else { return 0 }
          Unmanaged<AskedWait>.fromOpaque(context).takeUnretainedValue().read(
            header: UnsafeRawBufferPointer(start: bytes, count: size * count))
          return size * count
        }, Unmanaged.passUnretained(wait).toOpaque())
      ccurl_set_writer(
        handle,
        { bytes, size, count, context in
          guard let bytes, let context else { return 0 }
          return Unmanaged<ReceivedBody>.fromOpaque(context).takeUnretainedValue().append(
            octets: UnsafeRawBufferPointer(start: bytes, count: size * count))
        }, Unmanaged.passUnretained(body).toOpaque())
      return performTransfer(of: request.body)
    }
    return try answer(code, request, body, wait, String(cString: text))
  }

  /// libcurl reads the body in place.
  private func performTransfer(of body: [UInt8]?) -> CURLcode {
    guard let body else { return curl_easy_perform(handle) }
    return body.withUnsafeBytes { bytes in
      var none: UInt8 = 0
      return withUnsafePointer(to: &none) { empty in
        ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(bytes.count))
        ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(empty))
        return curl_easy_perform(handle)
      }
    }
  }

  private func setUp(_ request: HTTPRequest, errors: UnsafeMutablePointer<CChar>) {
    ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errors)
    ccurl_set_text(handle, CURLOPT_URL, request.url)
    ccurl_set_text(handle, CURLOPT_USERAGENT, settings.userAgent)
    if request.body != nil { ccurl_set_number(handle, CURLOPT_POST, 1) }
    ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
    if request.method == "HEAD" { ccurl_set_number(handle, CURLOPT_NOBODY, 1) }
    ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    ccurl_set_number(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // Time-outs without signals: this is not the main thread.
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(settings.connectTimeout * 1_000))
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(settings.timeout * 1_000))
    if let authorities = settings.authorities {
      ccurl_set_text(handle, CURLOPT_CAINFO, authorities)
      // Otherwise the system's directory would be trusted too.
      ccurl_set_text(handle, CURLOPT_CAPATH, nil)
    }
    if let certificate = settings.certificate {
      ccurl_set_text(handle, CURLOPT_SSLCERT, certificate.file)
      ccurl_set_text(handle, CURLOPT_SSLKEY, certificate.key)
    }
    if let proxy = settings.proxy { ccurl_set_text(handle, CURLOPT_PROXY, proxy) }
    if let share { ccurl_set_pointer(handle, CURLOPT_SHARE, share) }
    setCloser()
  }

  private func setCloser() {
    ccurl_set_closer(
      handle,
      { context, socket in
        guard let context else { return Glibc.close(socket) }
        return Unmanaged<Octets>.fromOpaque(context).takeUnretainedValue().closeSocket(socket)
      }, Unmanaged.passUnretained(octets).toOpaque())
  }

  /// What libcurl's code means; `text` is its additional message.
  private func answer(
    _ code: CURLcode, _ request: HTTPRequest, _ body: ReceivedBody, _ wait: AskedWait,
    _ text: String
  ) throws(HTTPFailure) -> HTTPAnswer {
    let status = ccurl_number(handle, CURLINFO_RESPONSE_CODE)
    let cuts: [CURLcode: HTTPAnswer.Cut] = [
      CURLE_WRITE_ERROR: .tooLong, CURLE_PARTIAL_FILE: .brokenOff,
    ]
    if code == CURLE_OK || cuts[code] != nil, status >= 200 {
      let seconds = ccurl_size(handle, CURLINFO_RETRY_AFTER)
      return HTTPAnswer(
        status: status, body: body.bytes, cut: cuts[code],
        retryAfter: seconds > 0 ? Double(seconds) : wait.seconds,
        redirect: ccurl_text(handle, CURLINFO_REDIRECT_URL).map { String(cString: $0) },
        contentType: ccurl_text(handle, CURLINFO_CONTENT_TYPE).map { String(cString: $0) })
    }
    // Its texts for these hold milliseconds, and would differ each time.
    let isTimed = code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT
    let said = text.isEmpty || isTimed ? String(cString: curl_easy_strerror(code)) : text
    let kind = TLSAlert.refusesOurCertificate(said) ? .unproven : kind(of: code, request)
    throw HTTPFailure(kind, said.hasSuffix(".") ? String(said.dropLast()) : said)
  }

  private func kind(of code: CURLcode, _ request: HTTPRequest) -> HTTPFailure.Kind {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
      CURLE_OPERATION_TIMEDOUT, CURLE_SSL_CONNECT_ERROR, CURLE_PROXY:
      return .unreachable
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE:
      return .untrusted
    case CURLE_SSL_CACERT_BADFILE: return .noAuthorities
    case CURLE_SSL_CERTPROBLEM: return .unproven
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR:
      let sent = ccurl_size(handle, CURLINFO_SIZE_UPLOAD_T)
      let isWhole =
        ccurl_number(handle, CURLINFO_REQUEST_SIZE) > 0
        && sent >= Int64(request.body?.count ?? 0)
      let isSilent = ccurl_number(handle, CURLINFO_HEADER_SIZE) == 0
      return isWhole && isSilent ? .silent : .broken
    case CURLE_URL_MALFORMAT, CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT,
      CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN:
      return .unusable
    default: return .broken
    }
  }
}

/// The body of an answer as it arrives, up to its limit.
private final class ReceivedBody {
  private(set) var bytes: [UInt8] = []

  /// Returns the number of accepted octets; fewer than given end the transfer.
  func append(octets more: UnsafeRawBufferPointer) -> Int {
    let room = HTTPAnswer.limit - bytes.count
    bytes.append(contentsOf: more.prefix(room))
    return more.count <= room ? more.count : 0
  }
}

/// A `Retry-After` of so many digits that libcurl, which counts in 64 bits, takes it for none.
private final class AskedWait {
  /// The longest that is told: 30 years.
  private static let longest = 1e9

  private(set) var seconds: Double?

  func read(header line: UnsafeRawBufferPointer) {
    let line = String(decoding: line, as: UTF8.self)
    // Another answer begins: that of a proxy, or an informational one, came before.
    if line.hasPrefix("HTTP/") { seconds = nil }
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "retry-after" else { return }
    let value = parts[1].filter { !$0.isWhitespace }
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let wait = Double(value), wait > 0
    else { return }
    seconds = min(wait, Self.longest)
  }
}

/// An alert of the other side of TLS (RFC 8446, 6.2), in OpenSSL's words.
package enum TLSAlert {
  /// Whether OpenSSL's words mean that the other side rejects our certificate, or requires one. Only an alert comes
  /// from the other side: our own objections to its certificate have other names. In TLS 1.3 it comes when the
  /// handshake is over for us, in place of an answer.
  package static func refusesOurCertificate(_ words: String) -> Bool {
    guard words.contains(" alert ") else { return false }
    return words.contains("certificate") || words.contains("unknown ca")
      || words.contains("access denied")
  }
}
