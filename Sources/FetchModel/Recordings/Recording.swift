package import FetchValues

/// The inputs of a plugin's runs in a replay, except the plugin itself: the options, the initial
/// state, the files, the answers and others.
package struct Recording: Equatable, Sendable {
  package var options = ValueObject()
  /// The plugin's state before the first run; nil if there is no state.
  package var state: Value?
  /// The stored validators before the first run, by their keys (`ConditionalRule.key`).
  package var validators: [ExactText: Validators] = [:]
  /// The job's name; nil to use the plugin's name.
  package var job: JobName?
  package var trigger = RunTrigger.manual
  /// The start time of the first run, unless the run has a `now` of its own. The clock does not
  /// advance during a run.
  package var now: Timestamp
  /// The id of the first run; nil to derive the id from `now`. The runs' random numbers depend only
  /// on this property, so each replay has the same numbers.
  package var run: RunID?
  package var allowsPrivate = false
  /// The granted hostnames that the plugin does not request itself.
  package var hosts: [HostPattern] = []
  package var secrets: [RecordedSecret] = []
  /// The run limits that differ from the defaults, by name.
  package var limits = ValueObject()
  /// The files in the job's own folder before the first run.
  package var files: [RecordedFile] = []
  /// The files and folders inside the case's folder that the runs may read. In options, the case's
  /// folder is written as `casePlaceholder`.
  package var readPaths: [FilePath] = []
  /// The files that `readPaths` grants, with their paths inside the case's folder.
  package var readableFiles: [RecordedFile] = []
  /// The recorded runs; at least one.
  package var runs: [RecordedRun] = []

  /// The default start time of a recording.
  package static let usualNow = Timestamp(seconds: 1_795_168_800)  // 2026-11-20T10:00:00Z

  /// The placeholder for the case's folder in options and expected results.
  package static let casePlaceholder = "{case}"

  package init(now: Timestamp = usualNow) { self.now = now }
}

/// The requests and answers of one run.
package struct RecordedRun: Equatable, Sendable {
  /// The start time of the run; nil for the start time of the previous run. For the first run, nil
  /// means the recording's `now`.
  package var now: Timestamp?
  package var requests: [RecordedRequest] = []
  /// The ended download that triggers the run; nil for a run with another trigger.
  package var transfer: RecordedTransfer?

  package init(requests: [RecordedRequest] = []) { self.requests = requests }
}

/// The adjustments of a recording after its secrets were removed: numeric dummy values, and new
/// hashes of bodies.
extension Recording {
  /// Sets a numeric dummy value for each numeric secret that a server sent back, because the plugin
  /// may calculate with the number.
  mutating func makeUpNumbers(_ isNumber: (String) -> Bool) {
    guard secrets.contains(where: { isNumber($0.name) }) else { return }
    var names: Set<String> = []
    for request in runs.flatMap(\.requests) {
      if case .answer(let answer) = request.end { names.formUnion(RedactionMark.names(in: answer)) }
    }
    let indices = secrets.indices.filter { names.contains(secrets[$0].name) }
    for (count, index) in indices.filter({ isNumber(secrets[$0].name) }).enumerated() {
      secrets[index].value = RecordedSecret.number(count)
    }
  }

  /// Updates the body hashes in `validators`. This recording is `original` without its secrets, so
  /// the hashes of bodies with secrets have changed.
  mutating func keepSameBodies(as original: Recording) {
    let known = Set(validators.values.compactMap(\.bodyHash))
    guard !known.isEmpty else { return }
    let madeUp = DummySecrets(secrets)
    let bodies = zip(original.bodies, bodies).filter { $0 != $1 }
    for (before, after) in bodies {
      let hash = Self.hash(before)
      guard known.contains(hash) else { continue }
      let other = Self.hash(madeUp.put(into: after))
      for (key, value) in validators where value.bodyHash == hash {
        validators[key]?.bodyHash = other
      }
    }
  }

  private var bodies: [[UInt8]] {
    runs.flatMap(\.requests).compactMap { request in
      if case .answer(let answer) = request.end { answer.body.bytes } else { nil }
    }
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(data: bytes) }
}

/// A file that exists before the first run of a recording.
package struct RecordedFile: Equatable, Sendable {
  /// The path of the file, relative to the job's own folder for `Recording.files`, and to the
  /// case's folder for `Recording.readableFiles`.
  package var path: FilePath
  package var bytes: [UInt8]

  package init(_ path: FilePath, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
