import FetchConfig
import FetchHost
package import FetchModel
import FetchValues

/// A failed run in the form that the store keeps: a redacted test case and the run's result.
package struct KeptRun: Sendable {
  /// The path of the plugin's file. The path is absolute if the file existed when the run was kept.
  package var plugin: String
  package var pluginHash: [UInt8]
  package var recording: Recording
  /// The lines of the run's log and outcome.
  package var lines: CaseLines
  /// The test case as text.
  package var text: String
  package var files: [(path: String, bytes: [UInt8])]

  /// The maximum total size in bytes of the requests and answers that are kept for one run.
  package static let runBytesMax = 4 << 20

  /// Redacts a recording. Throws a failure if the recording has too many secrets. The message is
  /// the reason, as one clause.
  init(
    _ recording: Recording, _ plugin: Plugin, _ failure: Failure, _ logs: [LogLine],
    redactor: Redactor
  ) throws(Failure) {
    var scrubber = RecordingRedactor([redactor])
    self.recording = scrubber.scrubbed(recording)
    if let problem = scrubber.problem { throw Failure(.bodyLimit, problem) }
    self.plugin = FileBytes.absolute(plugin.path) ?? plugin.path
    pluginHash = plugin.source.contentHash
    var failure = failure
    failure.message = scrubber.text(failure.message)
    lines = CaseLines()
    lines.append(logs.map { LogLine($0.level, scrubber.text($0.message)) }, .failed(failure))
    lines.tellLine(of: failure)
    let written = CaseText(self.recording)
    (text, files) = (written.text, written.files)
  }

  /// Returns the reason why the answers of a run with this failure code are never kept; nil for
  /// other codes. A replay would not show these failures, because the answers do not cause them.
  static func reasonToPass(over code: FailureCode) -> String? {
    switch code {
    case .cancelled: "it was cancelled"
    case .abandoned: "fetchrun stopped in the middle of the run"
    case .storeUnavailable: "the store was unavailable"
    case .workerUnavailable: "no worker process was available"
    case .secretUnavailable: "one of its secrets was unavailable"
    default: nil
    }
  }

  /// Whether a network failure ended the run before any answer was received: see
  /// `KeptAnswers.isAnswerless`.
  static func isAnswerless(_ failure: Failure, _ run: RecordedRun) -> Bool {
    switch failure.code {
    case .offline, .nameResolution, .connection, .tls, .httpTimeout:
      !run.requests.contains { if case .answer = $0.end { true } else { false } }
    default: false
    }
  }

  // MARK: In the store

  /// Returns the bytes that the store keeps for a run that could not be recorded.
  static func encoded(unkeptSince reason: String) -> [UInt8] {
    Value.object(ValueObject([("unkept", .string(reason))])).encoded
  }

  /// Returns the reason why the run's answers are not kept; nil if the stored entry gives no
  /// reason.
  package static func reasonUnkept(_ bytes: [UInt8]) -> String? {
    (try? Value(encoded: bytes))?["unkept"]?.stringValue
  }

  var encoded: [UInt8] {
    Value.object(
      ValueObject([
        ("plugin", .string(plugin)), ("hash", .bytes(pluginHash)), ("case", .string(text)),
        ("expected", .string(lines.text)),
        ("files", .object(ValueObject(files.map { ($0.path, .bytes($0.bytes)) }))),
      ])
    ).encoded
  }

  /// Reads a stored run. The content is validated, since the store may be damaged or another
  /// program may have written it.
  package init(encoded bytes: [UInt8]) throws(Failure) {
    guard let value = try? Value(encoded: bytes), let plugin = value["plugin"]?.stringValue,
      let text = value["case"]?.stringValue, let expected = value["expected"]?.stringValue
    else { throw Failure(.internalError, "the stored answers of this run are invalid") }
    self.plugin = plugin
    self.text = text
    pluginHash = value["hash"].flatMap(Self.bytes) ?? []
    files = (value["files"]?.objectValue?.members ?? []).map {
      ($0.key, Self.bytes($0.value) ?? [])
    }
    do {
      for file in files { _ = try FilePath(file.path) }
      recording = try CaseFile.read(text, files: files)
      lines = try CaseLines(text: expected)
    } catch {
      throw Failure(.internalError, "the stored answers of this run are invalid: \(error)")
    }
  }

  private static func bytes(_ value: Value) -> [UInt8]? {
    switch value {
    case .bytes(let bytes): bytes
    case .string(let text): Array(text.utf8)
    default: nil
    }
  }
}

extension KeptRun {
  /// Returns a clause with the reason why a run's answers are not kept, as far as the run's record
  /// shows it.
  ///
  /// - Parameter newerCount: the number of newer kept runs of the same job.
  package static func reasonUnkept(_ record: RunRecord, newerCount: Int) -> String {
    guard let failure = record.outcome.failure else {
      return "it did not fail (\(record.outcome.word)), and answers are kept only for failed runs"
    }
    if let reason = reasonToPass(over: failure.code) { return "\(reason): \(failure.message)" }
    if failure.code == .permission, record.requestCount == 0 {
      return "its plugin was not run or sent no request: \(failure.message)"
    }
    if newerCount > 0 {
      let runs = counted(newerCount, "newer failed run")
      return "its answers were not kept: its plugin was not run, keep_failed was 0, or \(runs) took"
        + " its place"
    }
    return "its answers were not kept: its plugin was not run, keep_failed was 0, or newer failed"
      + " runs needed the space"
  }
}
