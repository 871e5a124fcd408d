internal import FetchValues
internal import GRDB

extension WriterConnection {
  func reset(job name: String) throws -> Bool {
    guard let id = try existingJobID(name) else { return false }
    for table in ["items", "changes", "validators", "transfers"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE job = ?", arguments: [id])
    }
    try db.execute(sql: "DELETE FROM kept_runs WHERE job = ?", arguments: [name])
    // What hooks have not been told yet they are told all the same.
    try db.execute(
      sql: "UPDATE jobs SET state = NULL, first_result_at = NULL, bytes = 0 WHERE id = ?",
      arguments: [id])
    return true
  }
}
