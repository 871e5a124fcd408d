import FetchModel
import FetchStore
import FetchStorePostgres
import FetchStoreSQLite
import FetchTestSupport
import Testing

/// The kinds of stores that must fulfil the contract.
enum StoreKind: CaseIterable, Sendable {
  case sqlite
  case memory
  case postgresql

  /// The kinds that can be tested on this machine.
  static var allCases: [StoreKind] {
    PostgresServer.isInstalled ? [.sqlite, .memory, .postgresql] : [.sqlite, .memory]
  }

  /// The kinds that remain after their process. Retention removes nothing from a store in memory,
  /// and no other process reads it.
  static var lasting: [StoreKind] { allCases.filter { $0 != .memory } }
}

/// A store of one kind for one test. The file is removed when the test releases the bench. A
/// database remains until its server is removed.
struct StoreBench: Sendable {
  let store: any Store
  private let folder: TemporaryFolder

  init(_ kind: StoreKind) async throws {
    folder = try TemporaryFolder()
    switch kind {
    case .sqlite: store = try await SQLiteStore.open(at: Self.path(folder))
    case .memory: store = MemoryStore()
    case .postgresql:
      let server = try #require(PostgresServer.shared)
      store = try await PostgresStore.open(at: try server.newDatabase())
    }
  }

  private init(_ store: any Store, _ folder: TemporaryFolder) {
    self.store = store
    self.folder = folder
  }

  /// Returns a reader of the store in the form in which another process opens it. A store in memory
  /// is its own reader.
  func reader() async throws -> any ReadableStore {
    if store is MemoryStore { return store }
    if store is PostgresStore { return try await PostgresReader(at: store.address) }
    return try StoreReader(at: Self.path(folder))
  }

  /// Executes SQL statements in the database of the store, as another program can do it. The store
  /// must not be in memory.
  func execute(_ sql: String) throws {
    if store is PostgresStore {
      let server = try #require(PostgresServer.shared)
      try server.execute("SET search_path = fetchrun; \(sql)", in: store.address)
    } else {
      try SQLConnection(at: Self.path(folder), .readWrite).execute(sql)
    }
  }

  private static func path(_ folder: TemporaryFolder) -> String { folder.file("store.sqlite") }

  /// Returns the store as another process opens it after this process has ended.
  func restarted() async throws -> StoreBench {
    if let memory = store as? MemoryStore { return StoreBench(memory.reopened(), folder) }
    try await store.close()
    if store is PostgresStore {
      return StoreBench(try await PostgresStore.open(at: store.address), folder)
    }
    return StoreBench(try await SQLiteStore.open(at: Self.path(folder)), folder)
  }
}

extension HistoryStore {
  func allRuns() async throws -> [RunRecord] { try await runs(job: nil, limit: nil) }
}
