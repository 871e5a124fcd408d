import FetchModel
import FetchStore

/// The tables of the store, and the conversion of stores in older formats.
///
/// Each change of the schema needs a new migration and a change of the table's definition in this
/// file. A new store is created in its final form.
enum StoreSchema {
  /// The format that this fetchrun writes, stored in `PRAGMA user_version`.
  static let version = migrations.last?.version ?? oldestVersion
  /// The oldest format that can be converted. Only early builds wrote older formats.
  static let oldestVersion = 9
  /// The value of `PRAGMA application_id`, which spells "ftch". An SQLite file without this id is
  /// the database of another program.
  static let applicationID = 0x6674_6368

  /// The conversions from `oldestVersion` on. Each has the version that it produces.
  private static let migrations = [
    (version: 10, sql: sizes),
    (version: 11, sql: "ALTER TABLE jobs ADD COLUMN identity TEXT; " + identities),
    (version: endsVersion, sql: ends),
    (version: subscriptionsVersion, sql: subscriptions),
    (version: 14, sql: "DROP INDEX transfers_pending; " + pendingTransfers),
  ]

  /// The word for the outcome of a run that has a row but has not ended.
  static let runningWord = "running"

  /// The first format that stores the number that each run received when it ended: see `RunEnds`.
  static let endsVersion = 12

  /// The first format with subscriptions.
  static let subscriptionsVersion = 13

  /// The conversion that numbers the ends of runs. The runs of earlier formats count as ended in
  /// the order in which they began. The next run that ends gets a higher number, because its number
  /// is computed from the number of all runs: see `RunEnds`.
  private static let ends = """
    ALTER TABLE runs ADD COLUMN ended INTEGER;
    UPDATE runs SET ended = ends.number FROM (
        SELECT number AS run, row_number() OVER (ORDER BY number) AS number FROM runs
        WHERE outcome <> '\(runningWord)') AS ends
      WHERE ends.run = runs.number;
    """

  /// The index of identities. It is partial, because many jobs have no identity.
  private static let identities = """
    CREATE INDEX jobs_by_identity ON jobs (identity) WHERE identity IS NOT NULL;
    """

  /// The SQL expression for the size of a row of `changes` in bytes: see `ItemChange.storedBytes`.
  static let changeBytes = """
    (\(ItemChange.storedBytesEach) + length(CAST(key AS BLOB)) + length(CAST(fields AS BLOB)))
    """

  private static let sizes = """
    ALTER TABLE jobs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    UPDATE jobs SET bytes = stored.bytes
      FROM (SELECT job, sum(\(changeBytes)) AS bytes FROM changes GROUP BY job) AS stored
      WHERE stored.job = jobs.id;
    """

  /// The statements that create a new store. The caller executes them in a transaction.
  static var newStore: [String] {
    [
      runs, scheduling, learning, transfers, pendingTransfers, keeping, outbox, grants,
      subscriptions, identities,
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)",
    ]
  }

  /// Converts a store to the present version. One transaction contains all steps and the new
  /// version number.
  static func migrate(_ db: SQLConnection, from version: Int) throws {
    if version >= self.version { return }
    try db.transaction("BEGIN IMMEDIATE") {
      for migration in migrations where migration.version > version {
        try db.execute(migration.sql)
      }
      try db.execute("PRAGMA user_version = \(self.version)")
    }
  }

  /// The tables of jobs, runs and items. The layout makes the most frequent operations of a run
  /// cheap.
  /// * `changes` is the log, and has the content of all kept versions. A new item appends one row.
  ///   An update appends a row that refers to the `previous` version. The primary key is the
  ///   sequence number, from which other programs continue reading. AUTOINCREMENT never assigns a
  ///   stored number again, even after pruning.
  /// * `items` has the data for comparisons, clustered by job and key, without content: a look-up
  ///   reads one small row. `sequence` is the sequence number of the item's latest change.
  /// * `jobs.bytes` is the size of all kept versions of a job's items.
  /// * `jobs.identity` is the key of the job's `JobIdentity` if fetchrun could have made the job's
  ///   name from it; otherwise NULL.
  /// * `runs.number` is assigned when a run's row is inserted. `runs.ended` is NULL until the run
  ///   ends: see `RunEnds`.
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
      next_due_at INTEGER,
      ended INTEGER
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

  /// The tables of the scheduler. `ledger` has the memory that all jobs share and other small data,
  /// by entry name. `skips` has the due times that passed without a run. The memory of each job is
  /// in the row of the job, except for the learned data: see `learning`.
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

  /// The table of the answers of the last failed runs. `answerless` is 1 for a run that a network
  /// failure ended before the first answer. It is also 1 if the row has only the reason why the
  /// answers are not kept. Otherwise it is NULL.
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

  /// The table of the learned data about each job's source. Most runs do not change these data. A
  /// separate table keeps the rows of `jobs` short, so that many rows fit on one page.
  private static let learning = """
    CREATE TABLE learned (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      content BLOB NOT NULL
    ) STRICT;
    """

  /// The table of transfers. `sealed` has the names of a transfer's secrets, and the places of
  /// these secrets in the request. `told` is 1 when a transfer needs no more work. AUTOINCREMENT
  /// keeps the highest id ever stored, so that no stored id is assigned again. This is necessary
  /// because partial files are named by the ids of their transfers.
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
    CREATE INDEX transfers_untold ON transfers (id) WHERE told = 0;
    """

  /// The SQL condition for a row of `transfers` that has not ended. SQLite compares with each of two
  /// values, but builds an index of three values for each changed row.
  static let isPending = "transfers.state NOT IN ('done', 'failed')"

  /// The index that allows a job only one pending transfer for each path.
  private static let pendingTransfers = """
    CREATE UNIQUE INDEX transfers_pending ON transfers (job, path) WHERE \(isPending);
    """

  /// The table of the deliveries to hooks. The deliveries of a run are written together with the
  /// run. Delivered rows are removed. AUTOINCREMENT never assigns a stored id again. This is
  /// necessary because a digest has the id of its first delivery.
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

  /// The table of the subscriptions at WebSub hubs. `capability` is stored in clear text and not as
  /// a hash, because each renewal sends it to the hub. `trust` is an encoded `PushTrust`; NULL
  /// means the initial value. AUTOINCREMENT never assigns a stored id again. This is necessary
  /// because programs identify a subscription by its id.
  private static let subscriptions = """
    CREATE TABLE subscriptions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      topic TEXT NOT NULL,
      hub TEXT NOT NULL,
      capability BLOB NOT NULL UNIQUE,
      secret BLOB NOT NULL,
      state TEXT NOT NULL,
      asked_at INTEGER,
      verified_at INTEGER,
      lease_ends_at INTEGER,
      next_at INTEGER,
      pushes INTEGER NOT NULL,
      last_push_at INTEGER,
      missed INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      failing_since INTEGER,
      failure TEXT,
      trust BLOB
    ) STRICT;
    """

  /// The table of the grants of jobs' plugins. The key consists of the job and a name: the plugin's
  /// name, or the path of the plugin's file (see `GrantName`). `asked` is JSON: see
  /// `AskedPermissions`.
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
  /// Returns the format version of a store. Throws `newer` or `rejected` if this version of
  /// fetchrun cannot read the store.
  static func version(of db: SQLConnection, path: String) throws -> Int {
    let version = Int(clamping: try db.integer("PRAGMA user_version") ?? 0)
    if version > Self.version {
      throw StoreError(
        .newer,
        "the store \(path) was written by a newer fetchrun (format \(version), this one "
          + "supports \(Self.version)): use the newer one")
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
