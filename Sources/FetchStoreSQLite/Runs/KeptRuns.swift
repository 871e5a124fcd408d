package import FetchModel
package import FetchStore

/// The function that stores the kept answers of a failed run. If there are too many kept answers,
/// it removes the oldest. Its statements are not prepared in advance, since runs rarely fail.
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
    try db.run(
      """
      DELETE FROM kept_runs WHERE job = ? AND answerless \(mark) AND number NOT IN
        (SELECT number FROM kept_runs WHERE job = ? AND answerless \(mark)
        ORDER BY number DESC LIMIT ?)
      """, record.job, record.job, kept.isAnswerless ? 1 : kept.countMax)
    if kept.isAnswerless {
      try db.run(
        """
        DELETE FROM kept_runs WHERE answerless IS NOT NULL AND number NOT IN
          (SELECT number FROM kept_runs WHERE answerless IS NOT NULL
          ORDER BY number DESC LIMIT ?)
        """, KeptAnswers.answerlessRunCountMax)
    }
    try db.run(
      """
      DELETE FROM kept_runs WHERE number <= (
        SELECT max(number) FROM (
          SELECT number, sum(bytes) OVER newest AS bytes, count(*) OVER newest AS count
          FROM kept_runs WINDOW newest AS (ORDER BY number DESC))
        WHERE bytes > ? OR count > ?)
      """, KeptAnswers.bytesMax, KeptAnswers.runCountMax)
  }
}

extension StoreReader {
  /// Returns the runs with kept answers, newest first. Includes runs whose answers are not kept, if
  /// the reason is stored.
  package func keptRuns() throws(StoreError) -> [KeptRunRow] {
    try read { db in
      let row = try SQLStatement(
        db, "SELECT run, job, started_at, bytes FROM kept_runs ORDER BY number DESC")
      var rows: [KeptRunRow] = []
      while try row.step() {
        guard let run = RunID(bytes: row.bytes(0) ?? []) else { continue }
        rows.append(
          KeptRunRow(
            run: run, job: row.name(1), startedAt: row.time(2), bytes: Int(row.integer(3))))
      }
      return rows
    }
  }

  /// Returns the kept answers of a run, or the encoded reason why they are not kept. Returns nil if
  /// neither is stored.
  package func keptAnswers(of run: RunID) throws(StoreError) -> [UInt8]? {
    try read { db in
      let row = try SQLStatement(db, "SELECT content FROM kept_runs WHERE run = ?")
      row.bind(1, run.bytes)
      guard try row.step() else { return nil }
      defer { row.reset() }
      return row.bytes(0)
    }
  }
}
