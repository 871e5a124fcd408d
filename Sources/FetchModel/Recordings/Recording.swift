import Crypto
package import FetchValues

/// All inputs of a plugin's runs besides the plugin itself: the initial state and the answers. The
/// same recording and plugin give the same runs.
package struct Recording: Equatable, Sendable {
  package var options = ValueObject()
  /// The plugin's state before the first run; nil if it has none.
  package var state: Value?
  /// The validators before the first run, by their keys (`ConditionalRule.key`).
  package var validators: [ExactText: Validators] = [:]
  /// The job's name; nil to use the plugin's.
  package var job: String?
  package var trigger = RunTrigger.manual
  /// The start of the first run. The clock is frozen during a run.
  package var now: Timestamp
  /// The id of the first run, which seeds its randomness; nil to derive it from `now`.
  package var run: RunID?
  package var allowsPrivate = false
  /// The hostnames besides those that the plugin asks for.
  package var hosts: [HostPattern] = []
  package var secrets: [RecordedSecret] = []
  /// The limits that differ from the defaults, by name.
  package var limits = ValueObject()
  /// The files in the job's own folder before the first run.
  package var files: [RecordedFile] = []
  /// The granted files and folders in the case's folder. In options, the folder is
  /// `casePlaceholder`.
  package var readPaths: [FilePath] = []
  /// The files granted by `readPaths`, by their paths in the case's folder.
  package var readableFiles: [RecordedFile] = []
  /// The runs; at least one.
  package var runs: [RecordedRun] = []

  /// A day far from daylight saving changes and leap seconds.
  package static let usualNow = Timestamp(seconds: 1_795_168_800)  // 2026-11-20T10:00:00Z

  /// The case's folder in options and expected results, wherever the case lies.
  package static let casePlaceholder = "{case}"

  package init(now: Timestamp = usualNow) { self.now = now }
}

/// One run's requests and answers.
package struct RecordedRun: Equatable, Sendable {
  /// The start of the run; nil for that of the previous one.
  package var now: Timestamp?
  package var requests: [RecordedRequest] = []
  /// The finished download that triggers the run: its trigger is `transfer`.
  package var transfer: RecordedTransfer?

  package init(requests: [RecordedRequest] = []) { self.requests = requests }
}

/// Changes of answers that contain dummy secrets.
extension Recording {
  /// Makes the dummy values of numeric secrets that a server sent back numeric too: JSON allows
  /// nothing else there, and plugins calculate with digits.
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

  /// Updates the hashes of validators from before the first run: an answer whose body they match in
  /// `original` keeps matching in this recording, which is `original` without its secrets.
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

  /// The bodies of all answers, in order.
  private var bodies: [[UInt8]] {
    runs.flatMap(\.requests).compactMap { request in
      if case .answer(let answer) = request.end { answer.body.bytes } else { nil }
    }
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
