import FetchModel
package import FetchStore
import FetchValues
import Synchronization

/// What a store remembers of grants, for whoever reads a config before the store is opened for it.
package final class GrantMemory: Sendable {
  private let store: StoreAddress?
  private let reader = Mutex<(any ReadableStore)?>(nil)

  /// - Parameter store: need not exist; nil: nothing is remembered.
  package init(store: StoreAddress?) { self.store = store }

  /// Whether what a job or a hook lacks is its file's doing, and not the config's: the file is
  /// another one than was granted last, or the user has agreed to it as it is.
  func hasChanged(_ job: Job, of holder: GrantHolder) async -> Bool {
    guard let pin = await grant(of: holder, plugin: job.plugin.name), job.isPlugin(of: pin) else {
      return false
    }
    return pin.hash != job.plugin.source.contentHash || pin.source == .agreement
  }

  /// The paths that a job's plugin asks to read and that its user has agreed to.
  func agreedReads(of job: Job) async -> AskedPermissions {
    guard let pin = await grant(of: .job(job.name), plugin: job.plugin.name),
      pin.source == .agreement
    else { return AskedPermissions([]) }
    return pin.granted
  }

  /// Addresses that runs of a job have asked, sorted.
  func addresses(of job: String) async -> [TargetURL] {
    let texts = (try? await opened()?.addresses(of: job)) ?? []
    return texts.sorted().compactMap { try? TargetURL($0) }
  }

  /// So many of the newest items of a job are looked at.
  private static let itemsMax = 200

  /// The names of the further fields of a job's stored items; nil where it has none.
  func itemFields(of job: String) async -> Set<String>? {
    let query = ItemQuery(job: job, limit: Self.itemsMax)
    let items = (try? await opened()?.allItems(query)) ?? []
    guard !items.isEmpty else { return nil }
    return Set(
      items.flatMap { item in
        (try? JSONReader.decode(item.json))?["fields"]?.objectValue?.keys ?? []
      }
    )
  }

  /// Opened when it is first needed, and again where it could not be.
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
