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
