internal import FetchModel
import FetchStore
internal import GRDB

/// Not prepared beforehand: runs rarely fail.
extension WriterConnection {
  func keep(_ kept: KeptAnswers, of record: RunRecord) throws {
    guard kept.countMax > 0, kept.content.count <= KeptAnswers.bytesMax else { return }
    let row = try SQLStatement(
      db, "INSERT OR REPLACE INTO kept_runs VALUES (NULL, ?, ?, ?, ?, ?, ?)")
    row.bind(1, record.run.bytes)
    row.bind(2, record.job)
    row.bind(3, record.startedAt)
    row.bind(4, kept.content.count)
    row.bind(5, kept.content)
    row.bind(6, kept.isAnswerless ? 1 : nil)
    try row.run()
    let mark = kept.isAnswerless ? "IS NOT NULL" : "IS NULL"
    try db.execute(
      sql: """
        DELETE FROM kept_runs WHERE job = ? AND answerless \(mark) AND number NOT IN
          (SELECT number FROM kept_runs WHERE job = ? AND answerless \(mark)
          ORDER BY number DESC LIMIT ?)
        """, arguments: [record.job, record.job, kept.isAnswerless ? 1 : kept.countMax])
    if kept.isAnswerless {
      try db.execute(
        sql: """
          DELETE FROM kept_runs WHERE answerless IS NOT NULL AND number NOT IN
            (SELECT number FROM kept_runs WHERE answerless IS NOT NULL
            ORDER BY number DESC LIMIT ?)
          """, arguments: [KeptAnswers.answerlessRunCountMax])
    }
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
