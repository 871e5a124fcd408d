package import FetchConfig
package import FetchEngine
package import FetchHost
package import FetchModel
package import FetchValues
import Glibc

/// The recording of a case from a plugin's real requests and answers, with a temporary store.
///
/// The clock that the plugin reads stands still during a recorded run, as in a replay. Each
/// complete recording is replayed once. The results of this replay become the expected results,
/// unless the replay differs from the recorded runs.
package struct CaseRecorder: Sendable {
  private let workers: WorkerPool
  private let transport: any HTTPTransport
  private let policy: HTTPPolicy
  private let now: @Sendable () -> Timestamp
  private let secrets: SecretAccess

  /// The maximum total size of the recorded requests and answers of one run, in bytes.
  package static let bytesMax = 64 << 20

  package init(
    workers: WorkerPool, transport: any HTTPTransport, policy: HTTPPolicy,
    secrets: SecretAccess, now: @escaping @Sendable () -> Timestamp
  ) {
    self.workers = workers
    self.transport = transport
    self.policy = policy
    self.now = now
    self.secrets = secrets
  }

  /// Runs the plugin the given number of times and returns the case without writing it. Throws an
  /// error with the reason if no case can be recorded.
  ///
  /// - Parameter config: the options, the secrets and the permissions of the job. Only options that
  ///   this config sets are recorded.
  package func record(
    _ plugin: Plugin, _ config: JobConfig, runCount: Int
  ) async throws -> RecordedCase {
    var recording = Recording(now: now())
    recording.options = try Self.given(config, plugin)
    recording.allowsPrivate = config.allow.privateAddresses != .none
    recording.hosts = config.hosts
    recording.secrets = config.secrets.map { RecordedSecret($0.name, hosts: $0.hosts) }
    let bench = try await CaseBench(
      recording, plugin, workers, policy,
      live: .init(
        readPaths: config.allow.readPaths ?? [], secrets: config.secrets, access: secrets))
    var outcomes: [Outcome] = []
    var redactors: [Redactor] = []
    for _ in 0..<runCount {
      let recorder = HopRecorder(transport, bytesMax: Self.bytesMax)
      let report = try await bench.run(
        at: recording.now, over: recorder, clock: HostClock()
      ).report
      if let failure = report.record.outcome.failure, failure.code == .cancelled { throw failure }
      if recorder.lacksToken {
        throw report.record.outcome.failure
          ?? Failure(.secretUnavailable, "no access token was received; nothing is recorded")
      }
      switch recorder.recorded {
      case .success(let run): recording.runs.append(run)
      case .failure(let unrecorded):
        throw Failure(unrecorded.code, "the run is not recorded: \(unrecorded.reason)")
      }
      outcomes.append(report.record.outcome)
      redactors.append(report.redactor)
    }
    await bench.close()
    if RequiredNames.of(plugin.source.text).contains("files") {
      try recording.takeGranted(config.allow.readPaths ?? [])
    }
    return try await replayed(recording, redactors, outcomes, plugin)
  }

  /// Returns the options that the config sets, as values.
  private static func given(
    _ config: JobConfig, _ plugin: Plugin
  ) throws(OptionProblems) -> ValueObject {
    let options = try config.job(with: plugin).options
    let names = Set(config.givenOptionNames.map(ExactText.init))
    return ValueObject(
      options.members.filter { names.contains(ExactText($0.key)) }.map { ($0.key, $0.value) })
  }

  private func replayed(
    _ recording: Recording, _ redactors: [Redactor], _ outcomes: [Outcome], _ plugin: Plugin
  ) async throws -> RecordedCase {
    var scrubber = RecordingRedactor(redactors)
    let scrubbed = scrubber.scrubbed(recording)
    if let problem = scrubber.problem {
      throw Failure(.bodyLimit, "the run is not recorded: \(problem)")
    }
    let played = try await PluginTest(workers: workers).play(scrubbed, of: plugin)
    let isSame = zip(outcomes, played.outcomes).allSatisfy { $0.isAlike($1) }
    guard played.problems.isEmpty, isSame else {
      let problem =
        played.problems.first
        ?? "the outcome was \(outcomes.map(\.shown).joined(separator: ", ")) in the recording, but "
        + played.outcomes.map(\.shown).joined(separator: ", ") + " in the replay"
      throw Failure(
        .pluginFailed, "the replay differs from the recorded run: \(problem)")
    }
    let secrets = recording.secrets.map { "the secret \($0.name)" }
    return RecordedCase(
      recording: scrubbed, lines: played.lines, outcomes: played.outcomes,
      scrubbed: secrets + scrubber.found)
  }
}

/// A recording that has been replayed.
package struct RecordedCase: Sendable {
  package var recording: Recording
  /// The results of the case's replay.
  package var lines: CaseLines
  package var outcomes: [Outcome]
  /// The descriptions of the values that the recording omits, for people, such as
  /// `the header Authorization`.
  package var scrubbed: [String]

  /// Whether a server answered at least one request with a status from 200 to 299.
  package var hasGoodAnswer: Bool {
    recording.runs.flatMap(\.requests).contains { request in
      guard case .answer(let answer) = request.end else { return false }
      return (200..<300).contains(answer.status)
    }
  }

  /// Writes the case and returns the paths of its files. If the case exists, replaces the entries
  /// in `CaseFolder.recordedNames`, and keeps the other entries of the case's folder.
  @discardableResult
  package func replace(
    _ folder: CaseFolder, comment: [String]
  ) throws(ConfigProblem) -> [String] {
    guard NewFile.isThere(folder.path) else { return try write(to: folder, comment: comment) }
    var new = folder
    new.path += ".new-\(getpid())"
    do throws(ConfigProblem) {
      let written = try write(to: new, comment: comment)
      try folder.takeRecorded(from: new)
      return written.map { folder.path + $0.dropFirst(new.path.count) }
    } catch {
      ScratchFolder.remove(new.path)
      throw error
    }
  }

  /// Writes `case.yaml`, `expected.jsonl` and the case's other files. Returns the paths of these
  /// files. Throws an error instead of overwriting a file.
  @discardableResult
  package func write(
    to folder: CaseFolder, comment: [String]
  ) throws(ConfigProblem) -> [String] {
    let text = CaseText(recording, comment: comment)
    var files = [(folder.caseFile, Array(text.text.utf8))]
    files += text.files.map { (folder.path + "/" + $0.path, $0.bytes) }
    files.append((folder.expectedFile, Array(lines.text.utf8)))
    for (path, bytes) in files { try NewFile.write(bytes, to: path) }
    return files.map(\.0)
  }
}

extension Outcome {
  /// Whether the outcomes are equal. Two failures are equal if their codes are equal, because their
  /// messages may contain values that were removed from the recording.
  fileprivate func isAlike(_ other: Outcome) -> Bool {
    switch (self, other) {
    case (.failed(let one), .failed(let two)): one.code == two.code
    default: self == other
    }
  }

  /// The outcome with the details that `isAlike` compares, such as `failed (httpStatus)`.
  fileprivate var shown: String {
    switch self {
    case .newData(let counts):
      "newData (\(counts.added) added, \(counts.updated) updated, \(counts.removed) removed)"
    case .noData(let reason): "noData (\(reason.rawValue))"
    case .failed(let failure): "failed (\(failure.code.rawValue))"
    }
  }
}

extension Recording {
  /// Copies the granted files that exist into the recording. In options that are strings, replaces
  /// the absolute forms of the granted paths with the paths of the copies.
  fileprivate mutating func takeGranted(_ paths: [String]) throws {
    for path in paths {
      guard let whole = FileBytes.absolute(path) else { continue }
      let name = try FilePath("granted/" + (whole.pathNames.last ?? "root"))
      guard !readPaths.contains(name) else {
        throw Failure(
          .invalidOption,
          "the case would store two of the granted paths as '\(name.text)': grant only one of them,"
            + " or rename one")
      }
      readPaths.append(name)
      readableFiles += try CaseFile.readable(whole, as: name)
      options = ValueObject(
        options.members.map { member in
          let text = member.value.stringValue?.replacing(
            whole, with: "\(Self.casePlaceholder)/\(name.text)")
          return (member.key, text.map { .string($0) } ?? member.value)
        })
    }
  }
}
