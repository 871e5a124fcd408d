import Glibc

/// The lock of the process that may write a store.
enum PostgresLock {
  /// Takes the lock for the life of the connection. Returns false if another connection has it.
  static func take(_ connection: PostgresConnection) throws -> Bool {
    try connection.run(PostgresStatement("SELECT pg_try_advisory_lock(\(key))")).first?.integer(0)
      == 1
  }

  /// Releases the lock before the end of the connection.
  static func release(_ connection: PostgresConnection) throws {
    try connection.execute("SELECT pg_advisory_unlock_all()")
  }

  /// An SQL condition: whether a connection has the lock. A standby server does not know the lock,
  /// so on a standby server the condition is always true.
  static let isHeld = """
    (pg_is_in_recovery() OR EXISTS (SELECT FROM pg_locks WHERE \(isLock)))
    """

  /// An SQL condition: whether a row of `pg_locks` is the lock. The database is compared as well,
  /// because a copy of a database has a table `writer` with the same object id.
  private static let isLock = """
    locktype = 'advisory' AND granted AND database = (
      SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = \(PostgresSchema.lock) AND objid = 'fetchrun.writer'::regclass::oid
    """

  /// The name of a `PostgresWriter`'s connection. `holder` reads the process id and the hostname
  /// from the name. PostgreSQL cuts names to 63 bytes.
  static let ownName = "fetchrun \(getpid()) on \(hostname)"

  private static let hostname: String = {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: name.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }.prefix(40), as: UTF8.self)
    }
  }()

  /// Returns the id of the process that has the lock; nil if the process is unknown, or on a
  /// machine with another hostname.
  static func holder(_ connection: PostgresConnection) throws -> Int32? {
    let row = try connection.run(
      PostgresStatement(
        """
        SELECT application_name FROM pg_stat_activity
        WHERE pid = (SELECT pid FROM pg_locks WHERE \(isLock) LIMIT 1)
        """)
    ).first
    let words = (row?.text(0) ?? "").split(separator: " ", maxSplits: 3)
    guard words.count == 4, words[3] == hostname else { return nil }
    return Int32(words[1])
  }

  /// An SQL statement that ends the server's process with the id `$1`, if that process holds the
  /// lock.
  static let end = """
    SELECT pg_terminate_backend(pid) FROM pg_locks WHERE pid = $1 AND \(isLock)
    """

  /// The two keys of the advisory lock: `PostgresSchema.lock`, and the object id of the table
  /// `writer`.
  private static let key = "\(PostgresSchema.lock), 'fetchrun.writer'::regclass::oid::integer"
}
