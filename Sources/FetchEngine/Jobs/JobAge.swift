import FetchValues

/// The times of a job's last success and last news. The first failure counts if it never succeeded.
struct JobAge: Sendable {
  var job: String
  var plugin: String
  var lastSuccessAt: Timestamp?
  var lastNewDataAt: Timestamp?
  /// The time of its next run; in the past if it waits for something.
  var dueAt: Timestamp
}
