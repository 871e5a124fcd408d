package import FetchValues

/// The rule that decides what an answer means for a partial download (RFC 9110 sections 13.1.5, 14
/// and 15.3.7). Servers are not trusted: a body is appended only if the answer's range, length and
/// validators match the received part.
package enum ResumeRule {
  /// The decision about how to use the body of an answer.
  package enum Decision: Equatable, Sendable {
    /// The body continues the received part and ends at `end`, which may be before the end of the
    /// file.
    case append(end: Int64)
    /// The body is the whole file and replaces the part.
    case replace
    /// The part on the disk is the whole file. There is no body to read.
    case complete
    /// The answer does not match the part. The whole file must be requested again.
    case askForWhole(Misfit)
    case fail(Failure)
  }

  /// The reason why a received part is discarded.
  package enum Misfit: String, Sendable, CaseIterable {
    /// The file on the server has changed.
    case changed
    /// The server's answer is incomplete or contradicts itself, or it does not match the request.
    case contradiction
  }

  package struct Outcome: Equatable, Sendable {
    package var decision: Decision
    /// The state of the download before the body of the answer is read.
    package var download: PartialDownload
  }

  /// Returns the header fields that request the missing bytes. If no part was received or `ifRange`
  /// is nil, the fields request the whole file. The fields allow no content coding, because a range
  /// of a compressed body cannot be decoded.
  package static func headers(_ download: PartialDownload) -> [HTTPField] {
    let identity = HTTPField("Accept-Encoding", "identity")
    guard download.offset > 0, let validator = download.validators.ifRange else {
      return [identity]
    }
    return [
      identity, HTTPField("Range", "bytes=\(download.offset)-"), HTTPField("If-Range", validator),
    ]
  }

  /// Returns what an answer means for the download.
  ///
  /// - Parameters:
  ///   - fields: the answer's fields, with lower-case names.
  ///   - download: the state from which the request was made.
  ///   - url: the address that sent the answer.
  package static func outcome(
    status: Int, fields: [HTTPField], of download: PartialDownload, url: String, now: Timestamp
  ) -> Outcome {
    let answer = Answer(
      fields: fields, asked: download, url: url, validators: RangeValidators(fields, now: now))
    return switch status {
    case 200: answer.whole()
    case 206: answer.part()
    case 416: answer.unsatisfied()
    case 304 where download.offset > 0: answer.misfit(.contradiction)
    default: answer.failed(status)
    }
  }

  /// Whether the status means a temporary error, so that a retry may succeed.
  package static func isPassing(_ status: Int) -> Bool {
    status == 408 || status == 425 || status == 429 || status >= 500
  }
}

/// One answer, with the state of the download when the request was made.
private struct Answer {
  typealias Outcome = ResumeRule.Outcome

  var fields: [HTTPField]
  var asked: PartialDownload
  var url: String
  var validators: RangeValidators

  func whole() -> Outcome {
    if let failure = codingFailure { return outcome(.fail(failure)) }
    var download = PartialDownload()
    download.totalBytes = length
    download.validators = validators
    return Outcome(decision: .replace, download: download)
  }

  func part() -> Outcome {
    guard asked.offset > 0 else {
      return invalid("answered a request for the whole file with a part (206)")
    }
    if let failure = codingFailure { return outcome(.fail(failure)) }
    // An answer with several ranges (multipart/byteranges) has no Content-Range.
    guard let range = value("content-range").flatMap(ContentRange.init(parsing:)),
      let bytes = range.bytes, bytes.lowerBound == asked.offset,
      length.map({ $0 == bytes.upperBound - bytes.lowerBound }) ?? true
    else { return misfit(.contradiction) }
    if let total = range.totalBytes, let known = asked.totalBytes, total != known {
      return misfit(.changed)
    }
    if let known = asked.totalBytes, bytes.upperBound > known { return misfit(.contradiction) }
    guard asked.validators.agree(with: validators) else { return misfit(.changed) }
    var download = asked
    download.totalBytes = range.totalBytes ?? asked.totalBytes
    return Outcome(decision: .append(end: bytes.upperBound), download: download)
  }

  /// Handles a 416 answer: the file has no bytes after the received part, perhaps because the part
  /// is the whole file.
  func unsatisfied() -> Outcome {
    guard asked.offset > 0 else { return failed(416) }
    guard let total = value("content-range").flatMap(ContentRange.init(parsing:))?.totalBytes
    else { return misfit(.contradiction) }
    if let known = asked.totalBytes, total != known { return misfit(.changed) }
    if validators.etag != nil, !asked.validators.agree(with: validators) { return misfit(.changed) }
    guard total == asked.offset else { return misfit(.changed) }
    var download = asked
    download.totalBytes = total
    return Outcome(decision: .complete, download: download)
  }

  func failed(_ status: Int) -> Outcome {
    outcome(
      .fail(
        Failure(
          .httpStatus, "\(url) answered \(status)", retryable: ResumeRule.isPassing(status))))
  }

  func misfit(_ misfit: ResumeRule.Misfit) -> Outcome {
    Outcome(decision: .askForWhole(misfit), download: PartialDownload())
  }

  private func invalid(_ what: String) -> Outcome {
    outcome(.fail(Failure(.invalidResponse, "\(url) \(what)", retryable: true)))
  }

  private func outcome(_ decision: ResumeRule.Decision) -> Outcome {
    Outcome(decision: decision, download: asked)
  }

  private func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  private var length: Int64? { value("content-length").flatMap(ContentRange.number) }

  /// The failure for a content coding that was not requested; nil if the body can be stored. Apache
  /// may send `x.tar.gz` with `Content-Encoding: x-gzip`. In this case the file itself has the
  /// coding, so its bytes are stored unchanged, as curl and wget do.
  private var codingFailure: Failure? {
    guard let coding = value("content-encoding")?.asciiLowercased, !coding.isEmpty,
      coding != "identity", !Self.isPacked(url)
    else { return nil }
    return Failure(
      .invalidResponse,
      "\(url) used the content coding '\(coding.prefix(40))', which was not requested")
  }

  private static let packedEndings = [
    ".gz", ".tgz", ".svgz", ".z", ".bz2", ".tbz2", ".xz", ".txz", ".zst", ".br", ".deb", ".rpm",
  ]

  private static func isPacked(_ url: String) -> Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }.asciiLowercased
    return packedEndings.contains { path.hasSuffix($0) }
  }
}

/// The range of a file that an answer contains (RFC 9110 section 14.4): `bytes 0-499/1234`.
package struct ContentRange: Equatable, Sendable {
  /// The range of the bytes; nil if the server sends `*` instead, as in a 416 answer.
  package var bytes: Range<Int64>?
  /// The total size of the file in bytes; nil if the server sends `*` instead.
  package var totalBytes: Int64?

  package init(bytes: Range<Int64>?, totalBytes: Int64?) {
    self.bytes = bytes
    self.totalBytes = totalBytes
  }

  /// Parses the value of `Content-Range`. Returns nil if the value is invalid, has a unit other
  /// than bytes, or has an impossible range.
  package init?(parsing text: String) {
    let words = text.trimmingHTTPSpace.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].asciiLowercased.hasSameBytes(as: "bytes") else { return nil }
    let parts = words[1].trimmingHTTPSpace.split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if !parts[1].hasSameBytes(as: "*") {
      guard let total = Self.number(parts[1]) else { return nil }
      totalBytes = total
    }
    if parts[0].hasSameBytes(as: "*") { return }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, totalBytes.map({ last < $0 }) ?? true
    else { return nil }
    bytes = first..<(last + 1)
  }

  /// Returns the number in a text of 1 to 18 digits; nil for any other text. A longer number is
  /// larger than any real file.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int64(text)
  }
}

/// The validators that show whether a server's file has changed since a part of the file was
/// received (RFC 9110 section 8.8).
package struct RangeValidators: Equatable, Sendable {
  /// The entity tag as received. A weak tag (`W/`) cannot be used in `If-Range`, but it can be
  /// compared.
  package var etag: String?
  package var lastModified: String?
  /// Whether the modification date can be used in `If-Range`. The date must be so old that the file
  /// cannot have changed again in the same second.
  package var hasStrongDate: Bool

  /// The minimum age of a modification date that is used in a request (RFC 7232 section 2.2.2). The
  /// minimum allows for clock differences.
  package static let strongDateAge: Duration = .seconds(60)
  private static let bytesMax = ConditionalRule.validatorBytesMax

  package init(etag: String? = nil, lastModified: String? = nil, hasStrongDate: Bool = false) {
    self.etag = etag
    self.lastModified = lastModified
    self.hasStrongDate = hasStrongDate
  }

  /// Reads the validators from an answer's fields, which have lower-case names. An answer without a
  /// valid `Date` counts as made now.
  package init(_ fields: [HTTPField], now: Timestamp) {
    etag = Self.value("etag", fields)
    lastModified = Self.value("last-modified", fields)
    let answeredAt = Self.value("date", fields).flatMap(HTTPDate.parse) ?? now
    let modifiedAt = lastModified.flatMap(HTTPDate.parse)
    hasStrongDate = modifiedAt.map { answeredAt - $0 >= Self.strongDateAge } ?? false
  }

  /// The value of `If-Range`: a strong entity tag, otherwise a strong date. The value is nil if
  /// there is neither, so that the download cannot be resumed.
  package var ifRange: String? {
    if let etag, !Self.isWeak(etag) { return etag }
    return hasStrongDate ? lastModified : nil
  }

  /// Whether the validators of a later answer show no change of the file. If `etag` is set, the
  /// later answer must repeat the tag, as RFC 9110 section 15.3.7 requires for a 206. If both
  /// answers have a modification date, the dates must be equal.
  package func agree(with later: RangeValidators) -> Bool {
    if let etag {
      guard let other = later.etag, Self.opaque(etag) == Self.opaque(other) else { return false }
    }
    guard let lastModified, let other = later.lastModified else { return true }
    return lastModified.hasSameBytes(as: other)
  }

  private static func isWeak(_ tag: String) -> Bool { tag.hasPrefix("W/") }

  private static func opaque(_ tag: String) -> ExactText {
    ExactText(isWeak(tag) ? String(tag.dropFirst(2)) : tag)
  }

  private static func value(_ name: String, _ fields: [HTTPField]) -> String? {
    guard let value = fields.first(where: { $0.name == name })?.value, !value.isEmpty,
      value.utf8.count <= bytesMax, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return value
  }
}
