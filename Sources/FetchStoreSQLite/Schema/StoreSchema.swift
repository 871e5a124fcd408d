import FetchModel
import FetchStore

/// The tables, and the conversion of stores in older formats.
///
/// A change of the schema needs one more migration and an edit of the table, because a new store is
/// created in its final form.
enum StoreSchema {
  /// The format that this fetchrun writes, stored in `PRAGMA user_version`.
  static let version = migrations.last?.version ?? oldestVersion
  /// The oldest format that can be converted. Only early builds wrote older ones.
  static let oldestVersion = 9
  /// `PRAGMA application_id`: "ftch". An SQLite file without it belongs to another program.
  static let applicationID = 0x6674_6368

  /// The steps from `oldestVersion` on, by the version that each produces.
  private static let migrations = [
    (version: 10, sql: sizes),
    (version: 11, sql: "ALTER TABLE jobs ADD COLUMN identity TEXT; " + identities),
  ]

  /// The index of identities. Few jobs have one: jobs that a user has named have none.
  private static let identities = """
    CREATE INDEX jobs_by_identity ON jobs (identity) WHERE identity IS NOT NULL;
    """

  /// The size of a row of `changes`: see `ItemChange.storedBytes`.
  static let changeBytes = """
    (\(ItemChange.storedBytesEach) + length(CAST(key AS BLOB)) + length(CAST(fields AS BLOB)))
    """

  private static let sizes = """
    ALTER TABLE jobs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    UPDATE jobs SET bytes = stored.bytes
      FROM (SELECT job, sum(\(changeBytes)) AS bytes FROM changes GROUP BY job) AS stored
      WHERE stored.job = jobs.id;
    """

  /// The statements that create a new store, in a transaction.
  static var newStore: [String] {
    [
      runs, scheduling, learning, transfers, keeping, outbox, grants, identities,
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)",
    ]
  }

  /// Converts a store to this version, with all steps and the version number in one transaction.
  static func migrate(_ db: SQLConnection, from version: Int) throws {
    if version >= self.version { return }
    try db.transaction("BEGIN IMMEDIATE") {
      for migration in migrations where migration.version > version {
        try db.execute(migration.sql)
      }
      try db.execute("PRAGMA user_version = \(self.version)")
    }
  }

  /// The layout makes the most frequent operations of a run cheap, measured against sqlite3's plain
  /// bulk insert:
  /// * `changes` is the log, the content and the versions in one. A new item appends one row; an
  ///   update appends one that points at the `previous`. Its key is the sequence from which other
  ///   programs continue reading; AUTOINCREMENT never assigns a number twice, even after pruning.
  /// * `items` has the data for comparisons, clustered by job and key, without content: a look-up
  ///   reads one small row. `sequence` is the item's latest change.
  /// * `jobs.bytes` is the size of all versions of a job's items.
  /// * `jobs.identity` is the key of the `JobIdentity` of a job that fetchrun has named.
  /// * Text has SQLite's BINARY collation: keys are compared by their bytes.
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

  /// The scheduler's memory: of each job in the job's row, of all jobs by name, and the due times
  /// that passed without a run.
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

  /// The answers of the last failed runs; `answerless` is 1 if no request had one, otherwise NULL.
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

  /// The knowledge of a job's source, which most runs do not change, separate from the data that
  /// each run writes: rows of `jobs` are then short, and many fit on one page.
  private static let learning = """
    CREATE TABLE learned (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      content BLOB NOT NULL
    ) STRICT;
    """

  /// `sealed` has the names of a transfer's secrets, and their places in its request. A job has one
  /// pending transfer for each path, which an index enforces. `told` is 1 when a transfer needs no
  /// more work, so the other index has only those that a service needs. AUTOINCREMENT never assigns
  /// an id twice, because partial files are named by it.
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

  /// The notifications for hooks, written together with their runs. Delivered rows are removed.
  /// AUTOINCREMENT never assigns an id twice, because a digest is named by that of its first
  /// delivery.
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

  /// The grants of a job's plugins, by the names that the user gave them: another name is another
  /// decision. `asked` is JSON, see `AskedPermissions`.
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
          + "knows \(Self.version)): use the newer one")
    }
    if version < oldestVersion {
      throw StoreError(
        .rejected,
        "the store \(path) was written by an early build of fetchrun (format "
          + "\(version), this one converts \(oldestVersion) and later): move it away to begin a new "
          + "store, where all items count as new")
    }
    return version
  }
}
