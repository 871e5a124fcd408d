package import FetchValues

/// What an answer means for a download of which a part is there (RFC 9110 sections 13.1.5, 14 and
/// 15.3.7). Servers are not believed: what does not fit to the byte starts over.
package enum ResumeRule {
  /// What to do with an answer's body.
  package enum Decision: Equatable, Sendable {
    /// It goes on where the part ends, up to `end`, which may be before the whole one's.
    case append(end: Int64)
    /// It is the whole: what was there before goes.
    case replace
    /// There is nothing to take: the part is the whole.
    case complete
    /// What was answered does not fit what is there: to be asked again, for the whole.
    case askForWhole(Misfit)
    case fail(Failure)
  }

  /// Why a part is given up.
  package enum Misfit: String, Sendable, CaseIterable {
    /// The file on the server is another one now.
    case changed
    /// The server contradicts itself, or answers what was not asked.
    case contradiction
  }

  package struct Outcome: Equatable, Sendable {
    package var decision: Decision
    /// The download as the answer leaves it, before its body.
    package var download: PartialDownload
  }

  /// The header fields that ask for what is missing. Never a coding: a range of a compressed body
  /// is of no use.
  package static func headers(_ download: PartialDownload) -> [HTTPField] {
    let identity = HTTPField("Accept-Encoding", "identity")
    guard download.offset > 0, let validator = download.validators.ifRange else {
      return [identity]
    }
    return [
      identity, HTTPField("Range", "bytes=\(download.offset)-"), HTTPField("If-Range", validator),
    ]
  }

  /// - Parameters:
  ///   - fields: the answer's, with lower-case names.
  ///   - download: what the request was made from.
  ///   - url: where the answer came from.
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

  /// Whether a server that answered so may answer otherwise later.
  package static func isPassing(_ status: Int) -> Bool {
    status == 408 || status == 425 || status == 429 || status >= 500
  }
}

/// One answer, and what had been asked.
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
      return invalid("answered a part (206) when the whole was asked for")
    }
    if let failure = codingFailure { return outcome(.fail(failure)) }
    // A body in several parts (multipart/byteranges) has no Content-Range of its own.
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

  /// 416: there is nothing after the part, which may be since the part is the whole.
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

  /// Apache labels `x.tar.gz` with `Content-Encoding: x-gzip`: then the coding is the file's own,
  /// and its bytes are what is wanted, as curl and wget take them.
  private var codingFailure: Failure? {
    guard let coding = value("content-encoding")?.asciiLowercased, !coding.isEmpty,
      coding != "identity", !Self.isPacked(url)
    else { return nil }
    return Failure(
      .invalidResponse, "\(url) is coded in \(coding.prefix(40)), which was not asked for")
  }

  private static let packedEndings = [
    ".gz", ".tgz", ".svgz", ".z", ".bz2", ".tbz2", ".xz", ".txz", ".zst", ".br", ".deb", ".rpm",
  ]

  private static func isPacked(_ url: String) -> Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }.asciiLowercased
    return packedEndings.contains { path.hasSuffix($0) }
  }
}

/// Which part of a representation an answer holds (RFC 9110 section 14.4): `bytes 0-499/1234`.
package struct ContentRange: Equatable, Sendable {
  /// The first byte, and the one after the last; nil in an answer that has none (416).
  package var bytes: Range<Int64>?
  /// Of the whole; nil where the server does not know it (`*`).
  package var totalBytes: Int64?

  package init(bytes: Range<Int64>?, totalBytes: Int64?) {
    self.bytes = bytes
    self.totalBytes = totalBytes
  }

  /// nil for what is no range of bytes, or a range that cannot be: an end before its start, or past
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

  /// Digits and nothing else, of fewer bytes than any disk holds.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int64(text)
  }
}
