import FetchModel
package import FetchStore
import FetchValues
import Synchronization

/// The grants, addresses and items in a store. They are read when a config is prepared or checked.
package final class GrantMemory: Sendable {
  private let store: StoreAddress?
  private let reader = Mutex<(any ReadableStore)?>(nil)

  /// - Parameter store: the store, which need not exist; nil if no store is used, so that there
  ///   are no grants.
  package init(store: StoreAddress?) { self.store = store }

  /// Whether the file of the job or hook differs from the last granted file. Also true if the user
  /// has granted the present file explicitly. False without a grant. If true, missing options or
  /// secrets count as the result of a change of the file.
  func hasChanged(_ job: Job, of holder: GrantHolder) async -> Bool {
    guard let pin = await grant(of: holder, plugin: job.plugin.name), job.isPlugin(of: pin) else {
      return false
    }
    return pin.hash != job.plugin.source.contentHash || pin.source == .agreement
  }

  /// Returns the permissions that the user has explicitly granted to a job's plugin, including the
  /// paths that the plugin may read. Empty if there is no such grant.
  func agreedReads(of job: Job) async -> AskedPermissions {
    guard let pin = await grant(of: .job(job.name), plugin: job.plugin.name),
      pin.source == .agreement
    else { return AskedPermissions([]) }
    return pin.granted
  }

  /// Returns the stored addresses of a job, in sorted order: see `HistoryStore.addresses`.
  func addresses(of job: JobName) async -> [TargetURL] {
    let texts = (try? await opened()?.addresses(of: job)) ?? []
    return texts.sorted().compactMap { try? TargetURL($0) }
  }

  /// The maximum number of a job's items that are read, newest first.
  private static let itemsMax = 200

  /// Returns the names of the additional fields of a job's newest stored items. Returns nil if the
  /// job has no items, or if the store cannot be read.
  func itemFields(of job: JobName) async -> Set<String>? {
    let query = ItemQuery(job: job, limit: Self.itemsMax)
    let items = (try? await opened()?.allItems(query)) ?? []
    guard !items.isEmpty else { return nil }
    return Set(
      items.flatMap { item in
        (try? JSONReader.decode(item.json))?["fields"]?.objectValue?.keys ?? []
      }
    )
  }

  /// Returns the store for reading; nil if no store can be opened. Opens the store on first use,
  /// and tries again after a failure.
  private func opened() async -> (any ReadableStore)? {
    guard let store else { return nil }
    if let known = reader.withLock({ $0 }) { return known }
    guard let opened = try? await StoreOpener.read(store) else { return nil }
    return reader.withLock { reader in
      reader = reader ?? opened
      return reader
    }
  }

  private func grant(of holder: GrantHolder, plugin: String) async -> PinnedGrant? {
    guard let reader = await opened() else { return nil }
    switch holder {
    case .job(let name): return try? await reader.grant(of: name, plugin: plugin)
    case .hook(let name): return try? await reader.grant(ofHook: name, plugin: plugin)
    }
  }
}
