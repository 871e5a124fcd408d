/// The tables of a store in a PostgreSQL database, all of them in the schema `fetchrun`.
///
/// The store has at most one writing process. The process holds an advisory lock and assigns all
/// numbers itself. The only row of `writer` has the last assigned numbers. Sequence numbers are
/// therefore in the order of commits, also for readers of a replica.
///
/// Text that may contain a NUL is `bytea`, since `text` cannot hold a NUL. The view `items_text`
/// shows the present items to people. Names of jobs and hooks are `text COLLATE "C"`, which is
/// compared by its bytes.
enum PostgresSchema {
  /// The version of the tables that this fetchrun writes.
  static let version = migrations.last?.version ?? 1

  /// The conversions of older tables. `version` is the version that a conversion produces. A
  /// fetchrun that writes the version `readableFrom` or a later version can read the result.
  static let migrations: [(version: Int, readableFrom: Int, sql: String)] = []

  static let name = "fetchrun"

  /// The SQL condition for a row of `transfers` that has not ended.
  static let isPending = "transfers.state IN ('queued', 'running', 'waiting')"

  /// The first key of the advisory lock of the writing process. The second key is the object id of
  /// the table `writer`.
  static let lock: Int32 = 0x6674_6368

  /// The statements that create a new store. They form one transaction.
  static var newStore: String {
    """
    BEGIN;
    CREATE SCHEMA IF NOT EXISTS fetchrun;
    \(meta)
    \(jobs)
    \(runs)
    \(items)
    \(scheduling)
    \(queues)
    \(PostgresCommit.function)
    INSERT INTO fetchrun.meta (version, readable_from) VALUES (\(version), \(version));
    INSERT INTO fetchrun.writer DEFAULT VALUES;
    COMMIT
    """
  }

  private static let meta = """
    CREATE TABLE fetchrun.meta (
      version integer NOT NULL,
      readable_from integer NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    );
    -- The last assigned numbers. `incarnation` names the process that may write, and `batch` its
    -- last transaction: after a lost connection, the process finds out whether that was committed.
    CREATE TABLE fetchrun.writer (
      is_row boolean PRIMARY KEY DEFAULT true CHECK (is_row),
      incarnation bytea NOT NULL DEFAULT '',
      batch bytea NOT NULL DEFAULT '',
      sequence bigint NOT NULL DEFAULT 0,
      ended bigint NOT NULL DEFAULT 0,
      job bigint NOT NULL DEFAULT 0,
      delivery bigint NOT NULL DEFAULT 0,
      transfer bigint NOT NULL DEFAULT 0,
      subscription bigint NOT NULL DEFAULT 0,
      kept bigint NOT NULL DEFAULT 0,
      skip bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0.02);
    """

  /// The tables of jobs and their data. Updates rarely change an indexed column, and most pages
  /// have free space (`fillfactor`). Most updates are therefore HOT updates, which change no index.
  private static let jobs = """
    CREATE TABLE fetchrun.jobs (
      id bigint PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      plugin text NOT NULL,
      first_result_at bigint,
      state bytea,
      schedule bytea,
      bytes bigint NOT NULL DEFAULT 0,
      identity text COLLATE "C"
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
    CREATE INDEX jobs_by_identity ON fetchrun.jobs (identity) WHERE identity IS NOT NULL;
    CREATE TABLE fetchrun.learned (
      job bigint PRIMARY KEY REFERENCES fetchrun.jobs (id),
      content bytea NOT NULL
    ) WITH (fillfactor = 70);
    CREATE TABLE fetchrun.validators (
      job bigint NOT NULL,
      url bytea NOT NULL,
      etag bytea,
      last_modified bytea,
      body_hash bytea,
      last_full_answer_at bigint NOT NULL,
      reading bytea
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
    -- A row of an index has at most 2,704 bytes, and an address may be longer.
    CREATE UNIQUE INDEX validators_by_url ON fetchrun.validators (job, sha256(url));
    CREATE TABLE fetchrun.grants (
      job bigint NOT NULL,
      plugin bytea NOT NULL,
      hash bytea NOT NULL,
      asked bytea NOT NULL,
      granted_at bigint NOT NULL,
      source text NOT NULL
    );
    CREATE UNIQUE INDEX grants_by_plugin ON fetchrun.grants (job, sha256(plugin));
    """

  private static let runColumns = """
    run bytea NOT NULL,
    job bigint NOT NULL,
    plugin text NOT NULL,
    trigger text NOT NULL,
    outcome text NOT NULL,
    reason text,
    added bigint NOT NULL,
    updated bigint NOT NULL,
    removed bigint NOT NULL,
    started_at bigint NOT NULL,
    duration_ms bigint NOT NULL,
    cpu_us bigint NOT NULL,
    requests bigint NOT NULL,
    received_bytes bigint NOT NULL,
    failure bytea,
    next_due_at bigint
    """

  /// `runs` has the ended runs, in partitions by the day on which they began. Retention can
  /// therefore drop whole days. `runs_other` has the runs of days without a partition. `ended`
  /// numbers the runs in the order of their ends. `running` has the runs that have not ended. Such
  /// a run may have no row yet.
  private static let runs = """
    CREATE TABLE fetchrun.running (\(runColumns), PRIMARY KEY (run))
      WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
    CREATE TABLE fetchrun.runs (\(runColumns), ended bigint NOT NULL)
      PARTITION BY RANGE (started_at);
    CREATE TABLE fetchrun.runs_other PARTITION OF fetchrun.runs DEFAULT;
    CREATE INDEX runs_by_end ON fetchrun.runs (ended);
    CREATE INDEX runs_by_job ON fetchrun.runs (job, ended);
    CREATE INDEX runs_by_id ON fetchrun.runs (run);
    """

  /// `changes` is the log, with the content of each stored version. `items` has the data for
  /// comparisons.
  private static let items = """
    CREATE TABLE fetchrun.items (
      job bigint NOT NULL,
      key bytea NOT NULL,
      fingerprint_high bigint NOT NULL,
      fingerprint_low bigint NOT NULL,
      presence bigint NOT NULL,
      last_seen_at bigint NOT NULL,
      sequence bigint NOT NULL,
      PRIMARY KEY (job, key)
    ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
    CREATE TABLE fetchrun.changes (
      sequence bigint PRIMARY KEY,
      job bigint NOT NULL,
      kind bigint NOT NULL,
      previous bigint,
      seen_at bigint NOT NULL,
      key bytea NOT NULL,
      title bytea,
      url bytea,
      published bytea,
      fields bytea NOT NULL
    );
    -- Shows a NUL as \\000, and bytes that are not UTF-8 in hexadecimal digits.
    CREATE FUNCTION fetchrun.shown(content bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
      BEGIN
        RETURN convert_from(content, 'UTF8');
      EXCEPTION WHEN others THEN
        RETURN encode(content, 'escape');
      END
    $$;
    CREATE VIEW fetchrun.items_text AS
      SELECT jobs.name AS job, fetchrun.shown(items.key) AS id, changes.sequence,
        fetchrun.shown(changes.title) AS title, fetchrun.shown(changes.url) AS url,
        fetchrun.shown(changes.published) AS published,
        to_timestamp(changes.seen_at / 1000.0) AS seen_at,
        fetchrun.shown(changes.fields) AS fields
      FROM fetchrun.items JOIN fetchrun.jobs ON jobs.id = items.job
        JOIN fetchrun.changes USING (sequence)
      WHERE items.presence = 0;
    """

  private static let scheduling = """
    CREATE TABLE fetchrun.origins (
      origin text COLLATE "C" PRIMARY KEY,
      cool_until bigint NOT NULL
    ) WITH (fillfactor = 70);
    CREATE TABLE fetchrun.ledger (
      name text COLLATE "C" PRIMARY KEY,
      content bytea NOT NULL
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
    CREATE TABLE fetchrun.skips (
      number bigint PRIMARY KEY,
      job text COLLATE "C" NOT NULL,
      skipped_at bigint NOT NULL,
      reason bytea NOT NULL
    );
    CREATE INDEX skips_by_job ON fetchrun.skips (job, number);
    """

  private static let queues = """
    CREATE TABLE fetchrun.kept_runs (
      number bigint PRIMARY KEY,
      run bytea NOT NULL UNIQUE,
      job text COLLATE "C" NOT NULL,
      started_at bigint NOT NULL,
      bytes bigint NOT NULL,
      content bytea NOT NULL,
      answerless boolean NOT NULL
    );
    CREATE INDEX kept_runs_by_job ON fetchrun.kept_runs (job, number);
    CREATE TABLE fetchrun.transfers (
      id bigint PRIMARY KEY,
      job bigint NOT NULL,
      path bytea NOT NULL,
      url bytea NOT NULL,
      sha256 bytea,
      size bigint,
      modified_at bigint,
      headers bytea,
      backup bytea,
      state text NOT NULL,
      told boolean NOT NULL,
      received bigint NOT NULL,
      total bigint,
      etag bytea,
      last_modified bytea,
      has_strong_date boolean NOT NULL,
      boot bytea,
      attempts bigint NOT NULL,
      failures bigint NOT NULL,
      failing_since bigint,
      changes bigint NOT NULL,
      next_attempt_at bigint,
      failure bytea,
      found_sha256 bytea,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      sealed bytea
    ) WITH (fillfactor = 70);
    CREATE UNIQUE INDEX transfers_pending ON fetchrun.transfers (job, sha256(path))
      WHERE \(isPending);
    CREATE INDEX transfers_untold ON fetchrun.transfers (id) WHERE NOT told;
    CREATE TABLE fetchrun.outbox (
      id bigint PRIMARY KEY,
      hook text COLLATE "C" NOT NULL,
      job text COLLATE "C" NOT NULL,
      run bytea,
      event text NOT NULL,
      key bytea NOT NULL,
      payload bytea NOT NULL,
      state text NOT NULL,
      digest bigint,
      attempts bigint NOT NULL,
      failing_since bigint,
      next_attempt_at bigint,
      failure bytea,
      created_at bigint NOT NULL
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
    CREATE TABLE fetchrun.subscriptions (
      id bigint PRIMARY KEY,
      job bigint NOT NULL,
      topic bytea NOT NULL,
      hub bytea NOT NULL,
      capability bytea NOT NULL UNIQUE,
      secret bytea NOT NULL,
      state text NOT NULL,
      asked_at bigint,
      verified_at bigint,
      lease_ends_at bigint,
      next_at bigint,
      pushes bigint NOT NULL,
      last_push_at bigint,
      missed bigint NOT NULL,
      failures bigint NOT NULL,
      failing_since bigint,
      failure bytea,
      trust bytea
    ) WITH (fillfactor = 70);
    """
}
