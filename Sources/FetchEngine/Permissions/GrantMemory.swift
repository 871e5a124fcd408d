import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchValues
import Synchronization

/// What a store remembers of grants, for whoever reads a config before the store is opened for it.
package final class GrantMemory: Sendable {
  private let path: String?
  private let reader = Mutex<StoreReader?>(nil)

  /// - Parameter path: of the store, which need not be there; nil: nothing is remembered.
  package init(store path: String?) { self.path = path }

  /// Whether what a job or a hook lacks is its file's doing, and not the config's: the file is
  /// another one than was granted last, or the user has agreed to it as it is.
  func hasChanged(_ job: Job, of holder: GrantHolder) -> Bool {
    guard let pin = grant(of: holder, plugin: job.plugin.name), job.isPlugin(of: pin) else {
      return false
    }
    return pin.hash != job.plugin.source.contentHash || pin.source == .agreement
  }

  /// The paths that a job's plugin asks to read and that its user has agreed to.
  func agreedReads(of job: Job) -> AskedPermissions {
    guard let pin = grant(of: .job(job.name), plugin: job.plugin.name), pin.source == .agreement
    else { return AskedPermissions([]) }
    return pin.granted
  }

  /// Addresses that runs of a job have asked, sorted.
  func addresses(of job: String) -> [TargetURL] {
    let texts = read { try? $0.addresses(of: job) } ?? []
    return texts.sorted().compactMap { try? TargetURL($0) }
  }

  /// So many of the newest items of a job are looked at.
  private static let itemsMax = 200

  /// The names of the further fields of a job's stored items; nil where it has none.
  func itemFields(of job: String) -> Set<String>? {
    let items = read { try? $0.items(ItemQuery(job: job, limit: Self.itemsMax)) } ?? []
    guard !items.isEmpty else { return nil }
    return Set(
      items.flatMap { item in
        (try? JSONReader.decode(item.json))?["fields"]?.objectValue?.keys ?? []
      }
    )
  }

  private func read<Answer: Sendable>(_ body: (StoreReader) -> Answer?) -> Answer? {
    guard let path else { return nil }
    return reader.withLock { reader in
      if reader == nil { reader = try? StoreReader(at: path) }
      return reader.flatMap(body)
    }
  }

  private func grant(of holder: GrantHolder, plugin: String) -> PinnedGrant? {
    read { reader in
      switch holder {
      case .job(let name): return try? reader.grant(of: name, plugin: plugin)
      case .hook(let name): return try? reader.grant(ofHook: name, plugin: plugin)
      }
    }
  }
}
