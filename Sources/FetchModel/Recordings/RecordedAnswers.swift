import FetchValues

/// The answers of one recorded run. Each answer is used at most as often as it was recorded. The
/// plugin may send different requests in any order. The answers to equal recorded requests are used
/// in the recorded order.
package struct RecordedAnswers: Sendable {
  private struct Entry {
    var request: RecordedRequest
    var url: RecordedText
    var left: Int
  }

  private var entries: [Entry]
  private let secrets: DummySecrets

  /// Creates the answers of a recorded run.
  ///
  /// - Parameter secrets: the recording's secrets. In answers, their dummy values replace the marks
  ///   `[secret NAME]`.
  package init(_ run: RecordedRun, secrets: [RecordedSecret] = []) {
    self.secrets = DummySecrets(secrets)
    entries = run.requests.map { request in
      // The address is normalized in the same way as the host normalizes a sent address. An address
      // with a secret's mark, and an invalid address, stay unchanged.
      let hasSecret = request.url.contains(Redactor.mark)
      let url = (hasSecret ? nil : try? TargetURL(request.url))?.text ?? request.url
      return Entry(request: request, url: RecordedText(url), left: request.times)
    }
  }

  /// Returns the recorded result of a request. If no recorded result is left for the request, the
  /// error has the most similar recorded request, if there is one, and the difference from it.
  package mutating func end(
    of sent: SentRequest
  ) -> Result<RecordedEnd, UnrecordedRequest> {
    let fitting = entries.indices.filter { Self.difference(entries[$0], sent) == nil }
    let left = fitting.filter { entries[$0].left > 0 }
    // An address that is equal byte for byte comes first, because a placeholder matches any text.
    let same = left.first { entries[$0].request.url.hasSameBytes(as: sent.url) }
    guard let index = same ?? left.first else {
      return .failure(UnrecordedRequest(sent: sent, nearest: nearest(to: sent)))
    }
    entries[index].left -= 1
    return .success(secrets.put(into: entries[index].request.end))
  }

  /// The recorded requests that the plugin did not send, or sent less often than recorded.
  package var unasked: [RecordedRequest] {
    entries.filter { $0.left > 0 }.map(\.request)
  }

  // MARK: Comparing

  private static func difference(
    _ entry: Entry, _ sent: SentRequest
  ) -> UnrecordedRequest.Difference? {
    let request = entry.request
    guard request.method.hasSameBytes(as: sent.method), entry.url.matches(sent.url) else {
      return .address
    }
    for header in request.headers {
      let values = sent.headers.filter { $0.name.asciiLowercased == header.name.asciiLowercased }
      let text = RecordedText(header.value)
      if !values.contains(where: { text.matches($0.value) }) {
        return .header(header, sent: values.first?.value)
      }
    }
    if let body = request.body, !RecordedText(body.bytes).matches(sent.body ?? []) {
      return .body(recorded: body.bytes, sent: sent.body ?? [])
    }
    return nil
  }

  private func nearest(to sent: SentRequest) -> UnrecordedRequest.Nearest? {
    // If several requests are equally similar, the last one is used, because plugins request pages
    // in order.
    let best = entries.reversed().max { likeness($0, sent) < likeness($1, sent) }
    return best.map { entry in
      UnrecordedRequest.Nearest(
        request: entry.request, difference: Self.difference(entry, sent), isAsked: entry.left == 0)
    }
  }

  /// Returns a number that grows with the length of the equal text at both ends of two requests,
  /// each written as its method and address. If these are equal, a different header or body lowers
  /// the number by 1.
  private func likeness(_ entry: Entry, _ sent: SentRequest) -> Int {
    let one = Array("\(entry.request.method) \(entry.request.url)".utf8)
    let other = Array("\(sent.method) \(sent.url)".utf8)
    if one == other { return .max - (Self.difference(entry, sent) == nil ? 0 : 1) }
    let prefix = zip(one, other).prefix { $0 == $1 }.count
    let suffix = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
    return prefix + min(suffix, min(one.count, other.count) - prefix)
  }
}

/// A recorded text. Placeholders for secrets in it match any text, with or without a number.
struct RecordedText {
  private let parts: [ArraySlice<UInt8>]

  init(_ text: String) { self.init(Array(text.utf8)) }

  init(_ bytes: [UInt8]) { parts = Self.parts(of: bytes) }

  func matches(_ text: String) -> Bool { matches(Array(text.utf8)) }

  func matches(_ bytes: [UInt8]) -> Bool {
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return parts.first.map { $0.elementsEqual(bytes) } ?? bytes.isEmpty
    }
    guard bytes.starts(with: first), bytes.count >= first.count + last.count,
      bytes.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = bytes[first.count..<bytes.count - last.count]
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  private static func parts(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let range = rest.firstRange(of: RecordingRedactor.placeholderBytes) {
      parts.append(rest[..<range.lowerBound])
      let number = rest[range.upperBound...].prefix(RecordingRedactor.placeholderDigitsMax)
        .prefix { $0.isASCIIDigit }
      rest = rest[number.endIndex...]
    }
    return parts + [rest]
  }
}
