/// The numbers that runs receive when they end.
///
/// Each run has one row, and AUTOINCREMENT counts all rows ever written. The number of the last end
/// is this count minus the number of unfinished rows. It is therefore not stored separately. The
/// writer remembers the number until a transaction fails.
struct RunEnds {
  private var last: Int64?

  /// Returns the number of the run that ends now.
  mutating func next(_ db: SQLConnection) throws -> Int64 {
    let number = try (last ?? Self.last(db)) + 1
    last = number
    return number
  }

  /// Returns the number of the last ended run; 0 if no run has ended.
  static func last(_ db: SQLConnection) throws -> Int64 {
    try db.integer(
      """
      SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'runs'), 0)
        - (SELECT count(*) FROM runs INDEXED BY runs_running
          WHERE outcome = '\(StoreSchema.runningWord)')
      """) ?? 0
  }

  /// Whether the runs in the store have numbers of ends. A reader does not convert an older store,
  /// and the daemon may convert the store while the reader has it open.
  static func areStored(_ db: SQLConnection) throws -> Bool {
    try db.integer("PRAGMA user_version").map { $0 >= StoreSchema.endsVersion } ?? false
  }
}
