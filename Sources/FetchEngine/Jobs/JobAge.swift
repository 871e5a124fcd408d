import FetchValues

/// The times of a job's last success and last new data. If the job has never succeeded, its first
/// failure counts as the last success.
struct JobAge: Sendable {
  var job: JobName
  var plugin: String
  var lastSuccessAt: Timestamp?
  var lastNewDataAt: Timestamp?
  /// The due time of the job's next run.
  var dueAt: Timestamp
}
