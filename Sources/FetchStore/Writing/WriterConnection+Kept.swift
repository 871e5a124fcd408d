internal import FetchModel
internal import GRDB

/// Not prepared beforehand: runs rarely fail.
extension WriterConnection {
  func keep(_ kept: KeptAnswers, of record: RunRecord) throws {
    guard kept.countMax > 0, kept.content.count <= KeptAnswers.bytesMax else { return }
    let row = try SQLStatement(
      db, "INSERT OR REPLACE INTO kept_runs VALUES (NULL, ?, ?, ?, ?, ?)")
    row.bind(1, record.run.bytes)
    row.bind(2, record.job)
    row.bind(3, record.startedAt)
    row.bind(4, kept.content.count)
    row.bind(5, kept.content)
    try row.run()
    try db.execute(
      sql: """
        DELETE FROM kept_runs WHERE job = ? AND number NOT IN
          (SELECT number FROM kept_runs WHERE job = ? ORDER BY number DESC LIMIT ?)
        """, arguments: [record.job, record.job, kept.countMax])
    try db.execute(
      sql: """
        DELETE FROM kept_runs WHERE number <= (
          SELECT max(number) FROM (
            SELECT number, sum(bytes) OVER newest AS bytes, count(*) OVER newest AS count
            FROM kept_runs WINDOW newest AS (ORDER BY number DESC))
          WHERE bytes > ? OR count > ?)
        """, arguments: [KeptAnswers.bytesMax, KeptAnswers.runCountMax])
  }
}
