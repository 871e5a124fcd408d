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
}

/// A store of one kind for one test.
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
