import FetchModel
import FetchStore

/// The tables, and how a store of an older format becomes one of this.
///
/// A change of the schema is one more migration, and an edit of the table: a new store is made as it
/// shall be.
enum StoreSchema {
  /// The format of a store that this fetchrun writes, as its `PRAGMA user_version` has it.
  static let version = migrations.last?.version ?? oldestVersion
  /// The oldest format that can be converted. Only early builds wrote older ones.
  static let oldestVersion = 9
  /// `PRAGMA application_id`: "ftch". A SQLite file without it is another program's.
  static let applicationID = 0x6674_6368

  /// The steps from `oldestVersion` on, by the version that they lead to.
  private static let migrations = [
    (version: 10, sql: sizes),
    (version: 11, sql: "ALTER TABLE jobs ADD COLUMN identity TEXT; " + identities),
  ]

  /// Few jobs have an identity: those that a user has named have none.
  private static let identities = """
    CREATE INDEX jobs_by_identity ON jobs (identity) WHERE identity IS NOT NULL;
    """

  /// What a row of `changes` counts for: see `ItemChange.storedBytes`.
  static let changeBytes = """
    (\(ItemChange.storedBytesEach) + length(CAST(key AS BLOB)) + length(CAST(fields AS BLOB)))
    """

  private static let sizes = """
    ALTER TABLE jobs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    UPDATE jobs SET bytes = stored.bytes
      FROM (SELECT job, sum(\(changeBytes)) AS bytes FROM changes GROUP BY job) AS stored
      WHERE stored.job = jobs.id;
    """

  /// The statements that make a new store, in a transaction.
  static var newStore: [String] {
    [
      runs, scheduling, learning, transfers, keeping, outbox, grants, identities,
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)",
    ]
  }

  /// Brings a store to this version, all steps in one transaction with its number.
  static func migrate(_ db: SQLConnection, from version: Int) throws {
    if version >= self.version { return }
    try db.transaction("BEGIN IMMEDIATE") {
      for migration in migrations where migration.version > version {
        try db.execute(migration.sql)
      }
      try db.execute("PRAGMA user_version = \(self.version)")
    }
  }

  /// What a run does most is cheap by layout, measured against sqlite3's plain bulk insert:
  /// * `changes` is the log, the content and the versions in one: a new item appends one row, an
  ///   update one more, which points at the `previous`. Its key is the sequence that other
  ///   programs read on from; AUTOINCREMENT never gives a number twice, also after pruning.
  /// * `items` has what a comparison needs, clustered by job and key, and no content: a look-up
  ///   reads one small row. `sequence` is the item's latest change.
  /// * `jobs.bytes` is what the versions of all items of a job take.
  /// * `jobs.identity` is the key of the `JobIdentity` of a job that fetchrun has named.
  /// * Text has SQLite's BINARY collation: keys compare by their bytes.
  private static let runs = """
    CREATE TABLE jobs (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      plugin TEXT NOT NULL,
      first_result_at INTEGER,
      state BLOB,
      schedule BLOB,
      bytes INTEGER NOT NULL DEFAULT 0,
      identity TEXT
    ) STRICT;
    CREATE TABLE runs (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      run BLOB NOT NULL,
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      plugin TEXT NOT NULL,
      trigger TEXT NOT NULL,
      outcome TEXT NOT NULL,
      reason TEXT,
      added INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      duration_ms INTEGER NOT NULL,
      cpu_us INTEGER NOT NULL,
      requests INTEGER NOT NULL,
      received_bytes INTEGER NOT NULL,
      failure TEXT,
      next_due_at INTEGER
    ) STRICT;
    CREATE INDEX runs_by_job ON runs (job);
    CREATE INDEX runs_running ON runs (number) WHERE outcome = 'running';
    CREATE TABLE items (
      job INTEGER NOT NULL,
      key TEXT NOT NULL,
      fingerprint_high INTEGER NOT NULL,
      fingerprint_low INTEGER NOT NULL,
      presence INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      PRIMARY KEY (job, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE changes (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      job INTEGER NOT NULL,
      run INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      previous INTEGER,
      seen_at INTEGER NOT NULL,
      key TEXT NOT NULL,
      title TEXT,
      url TEXT,
      published TEXT,
      fields TEXT NOT NULL
    ) STRICT;
    CREATE TABLE validators (
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      url TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      body_hash BLOB,
      last_full_answer_at INTEGER NOT NULL,
      reading BLOB,
      PRIMARY KEY (job, url)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE origins (
      origin TEXT PRIMARY KEY,
      cool_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// What the scheduler remembers: of each job in the row of the job, of all together by name, and
  /// the occasions that passed without a run.
  private static let scheduling = """
    CREATE TABLE ledger (
      name TEXT PRIMARY KEY,
      content BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE skips (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      job TEXT NOT NULL,
      skipped_at INTEGER NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX skips_by_job ON skips (job);
    """

  /// The answers of runs that failed, for as long as they are among the last ones; `answerless` is 1
  /// where no request had one, else NULL.
  private static let keeping = """
    CREATE TABLE kept_runs (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      run BLOB NOT NULL UNIQUE,
      job TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      content BLOB NOT NULL,
      answerless INTEGER
    ) STRICT;
    CREATE INDEX kept_runs_by_job ON kept_runs (job);
    """

  /// What was learned of a job's source, which most runs leave alone, apart from what each run
  /// writes: a row of `jobs` is then short, and many are on one page.
  private static let learning = """
    CREATE TABLE learned (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      content BLOB NOT NULL
    ) STRICT;
    """

  /// `sealed` has the names of the secrets that a transfer is sent with, and where in its request
  /// they stand. A job has one pending transfer for each path: the index holds it. `told` is 1 once nothing is
  /// to be done for a transfer any more, so the other index has only those that a service needs.
  /// AUTOINCREMENT never gives an id twice: partial files are named by it.
  private static let transfers = """
    CREATE TABLE transfers (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      url TEXT NOT NULL,
      sha256 BLOB,
      size INTEGER,
      modified_at INTEGER,
      headers BLOB,
      backup TEXT,
      state TEXT NOT NULL,
      told INTEGER NOT NULL,
      received INTEGER NOT NULL,
      total INTEGER,
      etag TEXT,
      last_modified TEXT,
      has_strong_date INTEGER NOT NULL,
      boot TEXT,
      attempts INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      failing_since INTEGER,
      changes INTEGER NOT NULL,
      next_attempt_at INTEGER,
      failure TEXT,
      found_sha256 BLOB,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      sealed BLOB
    ) STRICT;
    CREATE UNIQUE INDEX transfers_pending ON transfers (job, path)
      WHERE state IN ('queued', 'running', 'waiting');
    CREATE INDEX transfers_untold ON transfers (id) WHERE told = 0;
    """

  /// What hooks are to be told, written with the runs that it tells of. A row that was delivered
  /// goes; AUTOINCREMENT never gives an id twice, for a digest is named by that of its first.
  private static let outbox = """
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      hook TEXT NOT NULL,
      job TEXT NOT NULL,
      run BLOB,
      event TEXT NOT NULL,
      key TEXT NOT NULL,
      payload TEXT NOT NULL,
      state TEXT NOT NULL,
      digest INTEGER,
      attempts INTEGER NOT NULL,
      failing_since INTEGER,
      next_attempt_at INTEGER,
      failure TEXT,
      created_at INTEGER NOT NULL
    ) STRICT;
    """

  /// What plugins of a job were granted, by the names that the user gave them: another name is
  /// another choice. `asked` is JSON, see `AskedPermissions`.
  private static let grants = """
    CREATE TABLE grants (
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      plugin TEXT NOT NULL,
      hash BLOB NOT NULL,
      asked TEXT NOT NULL,
      granted_at INTEGER NOT NULL,
      source TEXT NOT NULL,
      PRIMARY KEY (job, plugin)
    ) STRICT, WITHOUT ROWID;
    """
}

extension StoreSchema {
  /// Returns the format of a store. Throws `newer` or `rejected` if this fetchrun cannot read it.
  static func version(of db: SQLConnection, path: String) throws -> Int {
    let version = Int(clamping: try db.integer("PRAGMA user_version") ?? 0)
    if version > Self.version {
      throw StoreError(
        .newer,
        "the store \(path) was written by a newer fetchrun (format \(version), this one "
          + "knows \(Self.version)): use that one")
    }
    if version < oldestVersion {
      throw StoreError(
        .rejected,
        "the store \(path) was written by an early build of fetchrun (format "
          + "\(version), this one converts \(oldestVersion) and later): move it away to begin a new "
          + "store, to which all items are news")
    }
    return version
  }
}
