package import FetchValues

/// The meaning of an answer for a partial download (RFC 9110 sections 13.1.5, 14 and 15.3.7).
/// Servers are not trusted: unless everything matches to the byte, the download starts over.
package enum ResumeRule {
  /// The use of an answer's body.
  package enum Decision: Equatable, Sendable {
    /// The body continues the part up to `end`, which may be before the end of the file.
    case append(end: Int64)
    /// The body is the whole file and replaces the part.
    case replace
    /// The part is the whole file; there is no body to read.
    case complete
    /// The answer does not match the part: request the whole file again.
    case askForWhole(Misfit)
    case fail(Failure)
  }

  /// The reason for discarding a part.
  package enum Misfit: String, Sendable, CaseIterable {
    /// The file on the server has changed.
    case changed
    /// The server contradicts itself, or its answer does not match the request.
    case contradiction
  }

  package struct Outcome: Equatable, Sendable {
    package var decision: Decision
    /// The download after the answer's headers, before its body.
    package var download: PartialDownload
  }

  /// Returns the header fields that request the missing bytes. They never accept a coding: a range
  /// of a compressed body is useless.
  package static func headers(_ download: PartialDownload) -> [HTTPField] {
    let identity = HTTPField("Accept-Encoding", "identity")
    guard download.offset > 0, let validator = download.validators.ifRange else {
      return [identity]
    }
    return [
      identity, HTTPField("Range", "bytes=\(download.offset)-"), HTTPField("If-Range", validator),
    ]
  }

  /// Decides what an answer means.
  ///
  /// - Parameters:
  ///   - fields: the answer's fields, with lower-case names.
  ///   - download: the state from which the request was made.
  ///   - url: the address that answered.
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

  /// Whether a server with that answer may answer differently later.
  package static func isPassing(_ status: Int) -> Bool {
    status == 408 || status == 425 || status == 429 || status >= 500
  }
}

/// One answer and its request.
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
      return invalid("answered a part (206) to a request for the whole file")
    }
    if let failure = codingFailure { return outcome(.fail(failure)) }
    // A multipart body (multipart/byteranges) has no Content-Range.
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

  /// Handles a 416: nothing follows the part, perhaps because the part is the whole file.
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

  /// The failure of an unrequested coding. Apache labels `x.tar.gz` with `Content-Encoding:
  /// x-gzip`: then the coding belongs to the file, and its bytes are stored, as curl and wget do.
  private var codingFailure: Failure? {
    guard let coding = value("content-encoding")?.asciiLowercased, !coding.isEmpty,
      coding != "identity", !Self.isPacked(url)
    else { return nil }
    return Failure(
      .invalidResponse, "\(url) is coded in \(coding.prefix(40)), which was not requested")
  }

  private static let packedEndings = [
    ".gz", ".tgz", ".svgz", ".z", ".bz2", ".tbz2", ".xz", ".txz", ".zst", ".br", ".deb", ".rpm",
  ]

  private static func isPacked(_ url: String) -> Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }.asciiLowercased
    return packedEndings.contains { path.hasSuffix($0) }
  }
}

/// The range of a representation in an answer (RFC 9110 section 14.4): `bytes 0-499/1234`.
package struct ContentRange: Equatable, Sendable {
  /// The range of the bytes; nil in a 416, which has none.
  package var bytes: Range<Int64>?
  /// The total size; nil if the server does not know it (`*`).
  package var totalBytes: Int64?

  package init(bytes: Range<Int64>?, totalBytes: Int64?) {
    self.bytes = bytes
    self.totalBytes = totalBytes
  }

  /// Parses a range; nil for another unit or an impossible range: an end before its start, or past
  /// the total.
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

  /// Returns a number of digits only, smaller than any disk.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int64(text)
  }
}
