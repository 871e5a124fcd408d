package import FetchModel
package import FetchValues
import Synchronization

/// A store that is open for reading.
///
/// Every read sees everything that was committed before the call, unless the server is a standby. A
/// read changes nothing. Any number of tasks may read at the same time. A read that fails throws,
/// for example, `corrupt`, `locked` or `unreachable`.
///
/// Each part of the program that uses a store, such as the scheduler, has its own protocol. Reading
/// and writing have separate protocols, since most commands only read.
package protocol ReadableStore: HistoryStore, BoundedHistory, ScheduleReading, TransferReading,
  OutboxReading, GrantReading, SubscriptionReading
{
  /// The address with which messages name the store.
  var address: StoreAddress { get }

  /// Checks the store for damage, and returns one sentence or line for each problem, at most 20.
  /// The list is empty if no problem was found.
  func check() async throws(StoreError) -> [String]

  /// Returns facts about the store and its database, for people.
  func facts() async throws(StoreError) -> StoreFacts
}

/// Facts about a store and its database, for people.
package struct StoreFacts: Equatable, Sendable {
  /// The version of the store's tables.
  package var format: Int
  /// The name and the version of the database, such as `SQLite 3.40.1`.
  package var database: String
  /// The size of the store, in bytes.
  package var byteCount: Int64
  /// Messages about weaknesses of the database, such as settings that endanger data. Each message
  /// says what to do.
  package var weaknesses: [String] = []

  package init(format: Int, database: String, byteCount: Int64) {
    self.format = format
    self.database = database
    self.byteCount = byteCount
  }
}

/// A store that is open for writing. Only this process may write to the store.
///
/// * When a call returns, its changes are durable, unless a setting of the database prevents this:
///   see `StoreFacts.weaknesses`. A call that throws has stored nothing, unless the call is
///   `prune`, or the disk or the connection has failed.
/// * Each call except `prune` makes its changes in one transaction. Calls of different tasks may
///   share a transaction, but no call sees a part of another call.
/// * The arguments of a call are values: no code of the caller runs inside a transaction. A store
///   may repeat a call whose transaction has failed. The call still takes effect only once.
/// * Sequence numbers become visible in the order of commits: after a reader has seen a change, no
///   change with a lower number appears.
/// * Writes may also throw, for example, `full`, `readOnly`, `replaced`, `fenced` or `rejected`.
///   Some writes may throw `jobRunning` or `unknownJob`.
package protocol Store: ReadableStore, RunStore, ScheduleStore, TransferStore, OutboxStore,
  GrantStore, SubscriptionStore, UpkeepStore
{}

/// The address of a store: the path of its file, or for a database of a server an address such as
/// `postgresql://…`.
///
/// Addresses are compared as strings, so one store may have several addresses.
package struct StoreAddress: Hashable, Sendable {
  private let text: ExactText
  /// The beginning of the paths of the store's data on this machine: see `StateFolder`. For a store
  /// in a file, it is the path of the file.
  package let localStem: String
  /// The password of the server's user; nil if the config names none.
  package let password: StorePassword?

  private init(_ text: String, localStem: String, password: StorePassword? = nil) {
    self.text = ExactText(text)
    self.localStem = localStem
    self.password = password
  }

  /// Returns the address of the store in the file at `path`. The file need not exist yet.
  package static func file(_ path: String) -> StoreAddress {
    StoreAddress(path, localStem: path)
  }

  /// Returns the address of the store in a database of a server, such as `postgresql://…`.
  ///
  /// - Parameters:
  ///   - folder: the folder for the store's data on this machine.
  ///   - password: the password of the server's user; nil if libpq finds it by itself, or if the
  ///     server needs none.
  package static func server(
    _ address: String, folder: String, password: StorePassword? = nil
  ) -> StoreAddress {
    StoreAddress(address, localStem: folder + "/store", password: password)
  }

  /// Whether the store is in a database of a server.
  package var isServer: Bool { path.isDatabaseAddress }

  /// The path of the store's file, or the address of its database.
  package var path: String { text.text }

  package static func == (a: StoreAddress, b: StoreAddress) -> Bool { a.text == b.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// The password of the user of a store's server. It is read when it is first needed, and kept until
/// the process ends.
package final class StorePassword: Sendable {
  private let read: @Sendable () async throws(StoreError) -> String
  private let known = Mutex<String?>(nil)

  /// Creates a password that `read` reads from its source when it is needed.
  package init(_ read: @escaping @Sendable () async throws(StoreError) -> String) {
    self.read = read
  }

  package func value() async throws(StoreError) -> String {
    if let known = known.withLock({ $0 }) { return known }
    let value = try await read()
    known.withLock { $0 = value }
    return value
  }
}

extension StoreAddress: CustomStringConvertible {
  /// The address in the form that users type and messages show.
  package var description: String { path }
}

/// The options for opening a store for writing.
package struct StoreOptions: Sendable {
  /// The maximum wait for another process that writes the store.
  package var waitMax: Duration = .seconds(30)
  /// Whether a missing store is created.
  package var creates = true
  /// Whether a store in a database is converted if it has an older format. A store in a file is
  /// always converted.
  package var migrates = false
  /// The config's retention, with the maximum sizes of the store's file and of one job's items. Nil
  /// means the retention of the last config that used this store, or otherwise the default
  /// retention.
  package var retention: Retention?

  package init() {}
}

/// The repairs of work that earlier processes left unfinished.
package struct StoreRecovery: Equatable, Sendable {
  /// The jobs whose unfinished runs are now recorded as `abandoned`. Each later opening of the
  /// store returns these jobs again, until the scheduler acknowledges the runs: see
  /// `SchedulerMemory.rescued`.
  package var abandonedJobs: [JobName]
  /// The number of transfers that were under way and are now queued again.
  package var requeuedTransferCount: Int

  package init(abandonedJobs: [JobName] = [], requeuedTransferCount: Int = 0) {
    self.abandonedJobs = abandonedJobs
    self.requeuedTransferCount = requeuedTransferCount
  }
}
