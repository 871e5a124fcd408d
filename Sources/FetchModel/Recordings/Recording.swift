import Crypto
package import FetchValues

/// All that runs of a plugin depend on besides the plugin's own text: what they begin with, and what
/// they are answered. The same recording and the same plugin make the same runs.
package struct Recording: Equatable, Sendable {
  package var options = ValueObject()
  /// The plugin's state before the first run; nil where it has none.
  package var state: Value?
  /// Validators before the first run, by their keys (`ConditionalRule.key`).
  package var validators: [ExactText: Validators] = [:]
  /// Nil: named after the plugin.
  package var job: String?
  package var trigger = RunTrigger.manual
  /// When the first run begins. Time stands still in a run.
  package var now: Timestamp
  /// The id of the first run, which chance is drawn from; nil: made from `now`.
  package var run: RunID?
  package var allowsPrivate = false
  /// Hostnames besides those that the plugin asks for.
  package var hosts: [HostPattern] = []
  package var secrets: [RecordedSecret] = []
  /// Limits that differ from the defaults, by their names.
  package var limits = ValueObject()
  /// What lies in the job's own folder before the first run.
  package var files: [RecordedFile] = []
  /// What of the case's folder is granted for reading, each a file or a folder. In options, the
  /// folder is `casePlaceholder`.
  package var readPaths: [FilePath] = []
  /// The files that are granted so, by their paths in the case's folder.
  package var readableFiles: [RecordedFile] = []
  /// At least one.
  package var runs: [RecordedRun] = []

  /// A day without a daylight saving change or a leap second near it.
  package static let usualNow = Timestamp(seconds: 1_795_168_800)  // 2026-11-20T10:00:00Z

  /// In options and in what is expected, wherever the case lies.
  package static let casePlaceholder = "{case}"

  package init(now: Timestamp = usualNow) { self.now = now }
}

/// What one run asks for and is answered.
package struct RecordedRun: Equatable, Sendable {
  /// When it begins; nil: when the one before it did.
  package var now: Timestamp?
  package var requests: [RecordedRequest] = []
  /// The ended download that it is about: its trigger is then `transfer`.
  package var transfer: RecordedTransfer?

  package init(requests: [RecordedRequest] = []) { self.requests = requests }
}

/// What answers need that are given with made-up secrets in them.
extension Recording {
  /// Gives secrets that are numbers, and that a server has sent back, made-up values that are
  /// numbers, too: in JSON nothing else may stand there, and plugins reckon with digits.
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

  /// Lets an answer that had the same body as one before the first run have the same one now, where
  /// this recording is that one with its secrets taken out.
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

  /// Of all answers, in order.
  private var bodies: [[UInt8]] {
    runs.flatMap(\.requests).compactMap { request in
      if case .answer(let answer) = request.end { answer.body.bytes } else { nil }
    }
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
