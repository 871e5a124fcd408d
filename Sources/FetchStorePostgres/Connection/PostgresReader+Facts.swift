import FetchModel
package import FetchStore
import FetchValues

extension PostgresReading {
  package func facts() async throws(StoreError) -> StoreFacts {
    try await facts { PostgresStore.now }
  }

  /// - Parameter now: the clock of this machine, which is compared with the server's.
  func facts(now: @escaping @Sendable () -> Timestamp) async throws(StoreError) -> StoreFacts {
    let server = reader.server.shown
    return try await reader.read { connection in
      let settings = try Settings(read: connection, now)
      var facts = StoreFacts(
        format: settings.format, database: "PostgreSQL \(settings.version)",
        byteCount: settings.byteCount)
      facts.weaknesses = settings.weaknesses.map { "the server of the store \(server) \($0)" }
      return facts
    }
  }
}

/// The settings of a server that matter to a store.
private struct Settings {
  var format: Int
  var version: String
  private var versionNumber: Int64
  var byteCount: Int64
  private var isOn: [String: Bool] = [:]
  private var isStandby: Bool
  private var mayWrite: Bool
  /// The difference between the clocks of the server and of this machine, in milliseconds.
  private var clockDifference: Int64

  /// The oldest version of PostgreSQL with which fetchrun is tested.
  private static let versionMin: Int64 = 15_00_00
  private static let clockDifferenceMax: Int64 = 5_000

  init(read connection: PostgresConnection, _ now: () -> Timestamp) throws {
    let row = try connection.run(
      PostgresStatement(
        """
        SELECT current_setting('server_version'), current_setting('server_version_num')::bigint,
          (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
            WHERE relnamespace = 'fetchrun'::regnamespace AND relkind IN ('r', 't')),
          current_setting('fsync') = 'on', current_setting('full_page_writes') = 'on',
          current_setting('autovacuum') = 'on', current_setting('synchronous_commit') <> 'off',
          pg_is_in_recovery(), has_table_privilege('fetchrun.jobs', 'INSERT')
            AND has_table_privilege('fetchrun.jobs', 'UPDATE')
            AND has_table_privilege('fetchrun.jobs', 'DELETE'),
          (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
          (SELECT version FROM fetchrun.meta)
        """)
    ).first
    guard let row else { throw PostgresFault(.lost, "the server gave no answer") }
    version = String((row.text(0) ?? "").prefix { $0 != " " })
    versionNumber = row.integer(1)
    byteCount = row.integer(2)
    for (index, name) in ["fsync", "full_page_writes", "autovacuum", "synchronous_commit"]
      .enumerated()
    { isOn[name] = row.integer(Int32(index + 3)) == 1 }
    isStandby = row.integer(7) == 1
    mayWrite = row.integer(8) == 1
    let theirs = max(-1 << 50, min(row.integer(9), 1 << 50))
    clockDifference = theirs - now().milliseconds
    format = Int(clamping: row.integer(10))
  }

  /// The weaknesses of the server, as the ends of sentences.
  var weaknesses: [String] {
    var found: [String] = []
    if versionNumber < Self.versionMin {
      found.append("is PostgreSQL \(version), which fetchrun is not tested with: use 15 or later")
    }
    for name in ["fsync", "full_page_writes"] where isOn[name] != true {
      found.append(
        "has the setting `\(name) = off`: a power cut can destroy the store; set it to on")
    }
    if isOn["synchronous_commit"] != true {
      found.append(
        "has the setting `synchronous_commit = off`: a crash can lose the last runs; set it to on")
    }
    if isOn["autovacuum"] != true {
      found.append(
        "has the setting `autovacuum = off`: the store grows and slows down; set it to on")
    }
    if isStandby {
      found.append("is a standby, which accepts no writes: runs need the address of the primary")
    } else if !mayWrite {
      found.append(
        "does not let its user write: runs need the user that owns the schema `fetchrun`")
    }
    if abs(clockDifference) > Self.clockDifferenceMax {
      let seconds = abs(clockDifference) / 1000
      let word = clockDifference > 0 ? "ahead of" : "behind"
      found.append("has a clock that is \(seconds) s \(word) this machine's: set both by NTP")
    }
    return found
  }
}
