import FetchValues

/// When a job last went well, or began to fail where it never did, and when it last had news.
struct JobAge: Sendable {
  var job: String
  var plugin: String
  var lastSuccessAt: Timestamp?
  var lastNewDataAt: Timestamp?
  /// When it runs next; in the past where it waits for something.
  var dueAt: Timestamp
}
