package import FetchConfig
package import FetchEngine
package import FetchHost
package import FetchModel
package import FetchValues
import Glibc

/// Records a case from a plugin's real requests and answers, on a temporary store.
///
/// Time is frozen during recording as in a replay. Each recording is replayed once, and the results
/// of this replay are the expected ones.
package struct CaseRecorder: Sendable {
  private let workers: WorkerPool
  private let transport: any HTTPTransport
  private let policy: HTTPPolicy
  private let now: @Sendable () -> Timestamp
  private let secrets: SecretAccess

  /// The maximum number of bytes of all answers of a case.
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

  /// Runs the plugin the given number of times and returns the case without writing it. Throws a
  /// `Failure` with the reason if there is no case.
  ///
  /// - Parameter definition: the plugin and its options; only options that it names are recorded.
  package func record(
    _ plugin: Plugin, _ definition: JobDefinition, runCount: Int
  ) async throws -> RecordedCase {
    var recording = Recording(now: now())
    recording.options = try Self.given(definition, plugin)
    recording.allowsPrivate = definition.allow.privateAddresses != .none
    recording.hosts = definition.hosts
    recording.secrets = definition.secrets.map { RecordedSecret($0.name, hosts: $0.hosts) }
    let bench = try await CaseBench(
      recording, plugin, workers, policy,
      live: .init(
        readPaths: definition.allow.readPaths ?? [], secrets: definition.secrets, access: secrets))
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
      guard let run = recorder.run else {
        throw Failure(
          .bodyLimit,
          "the answers are larger than \(ByteSize(bytes: Int64(Self.bytesMax))), or one ended in a"
            + " way that cannot be recorded")
      }
      recording.runs.append(run)
      outcomes.append(report.record.outcome)
      redactors.append(report.redactor)
    }
    await bench.close()
    if RequiredNames.of(plugin.source.text).contains("files") {
      try recording.takeGranted(definition.allow.readPaths ?? [])
    }
    return try await replayed(recording, redactors, outcomes, plugin)
  }

  /// Returns the given options as values.
  private static func given(
    _ definition: JobDefinition, _ plugin: Plugin
  ) throws(OptionProblems) -> ValueObject {
    let options = try definition.job(with: plugin).options
    let names = Set(definition.options.map { ExactText($0.name) })
    return ValueObject(
      options.members.filter { names.contains(ExactText($0.key)) }.map { ($0.key, $0.value) })
  }

  private func replayed(
    _ recording: Recording, _ redactors: [Redactor], _ outcomes: [Outcome], _ plugin: Plugin
  ) async throws -> RecordedCase {
    var scrubber = RecordingRedactor(redactors)
    let scrubbed = scrubber.scrubbed(recording)
    let played = try await PluginTest(workers: workers).play(scrubbed, of: plugin)
    let isSame = zip(outcomes, played.outcomes).allSatisfy { $0.isAlike($1) }
    guard played.problems.isEmpty, isSame else {
      let problem =
        played.problems.first
        ?? "it ended with \(outcomes.map(\.word).joined(separator: ", ")) over the network and with "
        + played.outcomes.map(\.word).joined(separator: ", ") + " in the replay"
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
  /// The results of the replay.
  package var lines: CaseLines
  package var outcomes: [Outcome]
  /// The removed values, for people: `the header Authorization`.
  package var scrubbed: [String]

  /// Whether a server answered any of its requests successfully; otherwise the recording has
  /// nothing to which a plugin can be fitted.
  package var hasGoodAnswer: Bool {
    recording.runs.flatMap(\.requests).contains { request in
      guard case .answer(let answer) = request.end else { return false }
      return (200..<300).contains(answer.status)
    }
  }

  /// Writes the case, replacing an existing one. Other files in its folder stay.
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

  /// Writes `case.yaml`, the answers and `expected.jsonl`, and returns their names. Never
  /// overwrites a file.
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
  /// Whether both look the same to people: messages may name removed values.
  fileprivate func isAlike(_ other: Outcome) -> Bool {
    switch (self, other) {
    case (.failed(let one), .failed(let two)): one.code == two.code
    default: self == other
    }
  }
}

extension Recording {
  /// Copies granted files into the case and lets options name them there.
  fileprivate mutating func takeGranted(_ paths: [String]) throws {
    for path in paths {
      guard let whole = FileBytes.absolute(path) else { continue }
      let name = try FilePath("granted/" + (whole.pathNames.last ?? "root"))
      guard !readPaths.contains(name) else {
        throw Failure(.invalidOption, "two granted folders have the name '\(name.name)'")
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
