import FetchConfig
import FetchHost
package import FetchModel
import FetchValues

/// A failed run as it is kept in the store: the case that it would be, scrubbed, and what it came
/// to.
package struct KeptRun: Sendable {
  /// The plugin's file, and the hash of what it said.
  package var plugin: String
  package var pluginHash: [UInt8]
  package var recording: Recording
  /// What it logged and how it ended.
  package var lines: CaseLines
  /// As they are stored.
  package var text: String
  package var files: [(path: String, bytes: [UInt8])]

  /// Bodies of one run, request and answer.
  package static let runBytesMax = 4 << 20

  init(
    _ recording: Recording, _ plugin: Plugin, _ failure: Failure, _ logs: [LogLine],
    redactor: Redactor
  ) {
    var scrubber = RecordingRedactor([redactor])
    self.recording = scrubber.scrubbed(recording)
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

  /// Why nothing is kept of runs that failed so; nil where it is. What they failed by lies on this
  /// machine, and would not be there when they are done again.
  static func reasonToPass(over code: FailureCode) -> String? {
    switch code {
    case .cancelled: "it was cancelled"
    case .abandoned: "the program ended in the middle of it"
    case .storeUnavailable: "the store could not be written"
    case .workerUnavailable: "no worker process could be started"
    case .secretUnavailable: "a secret of it could not be had"
    default: nil
    }
  }

  /// Whether it never got an answer to learn from: see `KeptAnswers.isAnswerless`.
  static func isAnswerless(_ failure: Failure, _ run: RecordedRun) -> Bool {
    switch failure.code {
    case .offline, .nameResolution, .connection, .tls, .httpTimeout:
      !run.requests.contains { if case .answer = $0.end { true } else { false } }
    default: false
    }
  }

  // MARK: In the store

  /// In the place of a run that could not be recorded.
  static func encoded(unkeptSince reason: String) -> [UInt8] {
    Value.object(ValueObject([("unkept", .string(reason))])).encoded
  }

  /// Why nothing is kept of the run, where what the store has says so.
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

  /// What a store has is believed as little as any file.
  package init(encoded bytes: [UInt8]) throws(Failure) {
    guard let value = try? Value(encoded: bytes), let plugin = value["plugin"]?.stringValue,
      let text = value["case"]?.stringValue, let expected = value["expected"]?.stringValue
    else { throw Failure(.internalError, "what is kept of this run cannot be read") }
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
      throw Failure(.internalError, "what is kept of this run cannot be read: \(error)")
    }
  }

  /// Text that was stored as bytes is read as text.
  private static func bytes(_ value: Value) -> [UInt8]? {
    switch value {
    case .bytes(let bytes): bytes
    case .string(let text): Array(text.utf8)
    default: nil
    }
  }
}

extension KeptRun {
  /// Why nothing is kept of a run, as far as its record tells; one clause.
  ///
  /// - Parameter newerCount: runs of its job that are kept and are newer.
  package static func reasonUnkept(_ record: RunRecord, newerCount: Int) -> String {
    guard let failure = record.outcome.failure else {
      return "it did not fail (\(record.outcome.word)), and only failed runs are kept"
    }
    if let reason = reasonToPass(over: failure.code) { return "\(reason): \(failure.message)" }
    if newerCount > 0 {
      let runs = newerCount == 1 ? "run has" : "runs have"
      return "\(newerCount) newer failed \(runs) taken its place (keep_failed)"
    }
    if failure.code == .permission, record.requestCount == 0 {
      return "its plugin was not run: \(failure.message)"
    }
    return "nothing was kept of it (keep_failed is 0, or newer failed runs needed the room)"
  }
}
