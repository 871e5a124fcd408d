import FetchModel
import FetchValues
import Testing

@Suite struct ResumeRuleTests {
  private static let url = "https://a.example/film.mkv"
  private static let now = Timestamp(seconds: 1_795_000_000)
  private static let longAgo = "Sun, 06 Nov 1994 08:49:37 GMT"

  /// A partial download of 400 out of 1,000 bytes.
  private var part: PartialDownload {
    var download = PartialDownload()
    download.receivedBytes = 400
    download.totalBytes = 1_000
    download.validators = RangeValidators(etag: "\"v1\"")
    return download
  }

  private func outcome(
    _ status: Int, _ fields: [String: String], of download: PartialDownload? = nil,
    url: String = url
  ) -> ResumeRule.Outcome {
    ResumeRule.outcome(
      status: status, fields: fields.map { HTTPField($0.key, $0.value) },
      of: download ?? part, url: url, now: Self.now)
  }

  // MARK: Asking

  @Test func `a request for the whole file accepts no coding`() {
    #expect(
      ResumeRule.headers(PartialDownload()) == [HTTPField("Accept-Encoding", "identity")])
  }

  @Test func `the rest is requested with the strong entity tag`() {
    var download = part
    download.validators.lastModified = Self.longAgo
    download.validators.hasStrongDate = true
    #expect(
      ResumeRule.headers(download) == [
        HTTPField("Accept-Encoding", "identity"), HTTPField("Range", "bytes=400-"),
        HTTPField("If-Range", "\"v1\""),
      ])
  }

  @Test(arguments: [nil, "W/\"v1\""])
  func `without a strong entity tag, the rest is requested with a date that is old enough`(
    etag: String?
  ) {
    var download = part
    download.validators = RangeValidators(
      etag: etag, lastModified: Self.longAgo, hasStrongDate: true)
    #expect(ResumeRule.headers(download).last == HTTPField("If-Range", Self.longAgo))
    download.validators.hasStrongDate = false
    #expect(ResumeRule.headers(download).count == 1)
    #expect(download.offset == 0)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:36 GMT", false),
    ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT", true),
    ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:00:00 GMT", false),
    ("no date", "Sun, 06 Nov 1994 08:50:37 GMT", false),
  ]) func `a date is strong if the answer is at least a minute later`(
    modified: String, date: String, isStrong: Bool
  ) {
    let validators = RangeValidators(
      [HTTPField("last-modified", modified), HTTPField("date", date)], now: Self.now)
    #expect(validators.hasStrongDate == isStrong)
  }

  @Test func `validators that are too long are ignored`() {
    let long = String(repeating: "x", count: 2_000)
    let validators = RangeValidators(
      [HTTPField("etag", long), HTTPField("last-modified", "a\u{1}b")], now: Self.now)
    #expect(validators == RangeValidators())
  }

  // MARK: 200

  @Test func `a complete body replaces the part`() {
    let outcome = outcome(200, ["content-length": "1200", "etag": "\"v2\""])
    #expect(outcome.decision == .replace)
    #expect(outcome.download.receivedBytes == 0)
    #expect(outcome.download.totalBytes == 1_200)
    #expect(outcome.download.validators.etag == "\"v2\"")
  }

  @Test(arguments: ["-5", "1e3", "", "99999999999999999999999"])
  func `an invalid length counts as unknown`(length: String) {
    #expect(outcome(200, ["content-length": length]).download.totalBytes == nil)
  }

  @Test func `an unrequested coding is refused`() {
    #expect(
      outcome(200, ["content-encoding": "gzip"]).decision
        == .fail(
          Failure(
            .invalidResponse,
            "\(Self.url) used the content coding 'gzip', which was not requested"))
    )
    #expect(outcome(200, ["content-encoding": "identity"]).decision == .replace)
  }

  @Test func `a compressed file may declare its coding`() {
    let outcome = outcome(
      200, ["content-encoding": "x-gzip"], url: "https://a.example/x.tar.gz?download=1")
    #expect(outcome.decision == .replace)
  }

  // MARK: 206

  private static let fits = ["content-range": "bytes 400-999/1000", "etag": "\"v1\""]

  @Test func `a matching part is appended`() {
    #expect(outcome(206, Self.fits).decision == .append(end: 1_000))
    #expect(outcome(206, Self.fits).download == part)
  }

  @Test func `a part may end early, and may omit the total size`() {
    #expect(
      outcome(206, Self.fits.merging(["content-range": "bytes 400-499/*"]) { $1 }).decision
        == .append(end: 500))
  }

  @Test(arguments: [
    ["content-range": "bytes 399-999/1000"], ["content-range": "bytes 401-999/1000"],
    ["content-range": "bytes 0-999/1000"], ["content-range": "nonsense"],
    ["content-range": "bytes */1000"], ["content-range": "bytes 400-1000/*"],
    ["content-length": "599"], ["content-length": "1000"],
  ]) func `a part that contradicts itself, or is not the requested one, is refused`(
    fields: [String: String]
  ) {
    let outcome = outcome(206, Self.fits.merging(fields) { $1 })
    #expect(outcome.decision == .askForWhole(.contradiction))
    #expect(outcome.download == PartialDownload())
  }

  @Test func `a part without Content-Range is refused`() {
    #expect(outcome(206, ["etag": "\"v1\""]).decision == .askForWhole(.contradiction))
  }

  @Test(arguments: [
    ["content-range": "bytes 400-1099/1100"], ["etag": "\"v2\""], ["etag": "\"V1\""],
  ]) func `a part of another file is refused`(fields: [String: String]) {
    #expect(
      outcome(206, Self.fits.merging(fields) { $1 }).decision == .askForWhole(.changed))
  }

  @Test func `the answer must repeat a known entity tag`() {
    #expect(
      outcome(206, ["content-range": "bytes 400-999/1000"]).decision == .askForWhole(.changed))
  }

  @Test func `the answer may omit a date, but not change it`() {
    var download = part
    download.validators = RangeValidators(lastModified: Self.longAgo, hasStrongDate: true)
    let range = ["content-range": "bytes 400-999/1000"]
    #expect(outcome(206, range, of: download).decision == .append(end: 1_000))
    let other = range.merging(["last-modified": "Mon, 07 Nov 1994 08:49:37 GMT"]) { $1 }
    #expect(outcome(206, other, of: download).decision == .askForWhole(.changed))
  }

  @Test func `a part that was not requested is a failure`() {
    #expect(
      outcome(206, Self.fits, of: PartialDownload()).decision
        == .fail(
          Failure(
            .invalidResponse,
            "\(Self.url) answered a request for the whole file with a part (206)", retryable: true))
    )
  }

  // MARK: 416, 304 and others

  @Test func `a 416 with the size of the received part means that the file is complete`() {
    var download = part
    download.totalBytes = nil
    let outcome = outcome(416, ["content-range": "bytes */400"], of: download)
    #expect(outcome.decision == .complete)
    #expect(outcome.download.totalBytes == 400)
  }

  @Test(arguments: [
    (["content-range": "bytes */400"], ResumeRule.Misfit.changed),
    (["content-range": "bytes */300"], .changed),
    (["content-range": "bytes */1000"], .changed),
    (["content-range": "bytes */1000", "etag": "\"v2\""], .changed),
    ([:], .contradiction), (["content-range": "bytes 1-2/3"], .changed),
  ]) func `any other 416 causes a request for the whole file`(
    fields: [String: String], misfit: ResumeRule.Misfit
  ) {
    #expect(outcome(416, fields).decision == .askForWhole(misfit))
  }

  @Test func `a 416 with another entity tag means another file`() {
    var download = part
    download.totalBytes = nil
    let fields = ["content-range": "bytes */400", "etag": "\"v2\""]
    #expect(outcome(416, fields, of: download).decision == .askForWhole(.changed))
  }

  @Test func `a 304 to a range causes a request for the whole file`() {
    #expect(outcome(304, [:]).decision == .askForWhole(.contradiction))
  }

  @Test(arguments: [
    (304, false), (416, false), (404, false), (410, false), (401, false), (403, false),
    (204, false), (301, false), (408, true), (425, true), (429, true), (500, true), (503, true),
    (599, true),
  ]) func `other answers are permanent or temporary failures`(status: Int, isPassing: Bool) {
    #expect(
      outcome(status, [:], of: PartialDownload()).decision
        == .fail(
          Failure(.httpStatus, "\(Self.url) answered \(status)", retryable: isPassing)))
  }

  @Test func `a complete file needs no request, an empty one does`() {
    var download = part
    #expect(!download.isComplete)
    download.receivedBytes = 1_000
    #expect(download.isComplete)
    download.receivedBytes = 0
    download.totalBytes = 0
    #expect(!download.isComplete)
  }
}
