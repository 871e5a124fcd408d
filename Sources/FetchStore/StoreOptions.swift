package import FetchModel

/// How a store is opened for writing.
package struct StoreOptions: Sendable {
  /// How long to wait for another process that writes.
  package var waitMax: Duration = .seconds(30)
  /// Whether a store is made where there is none.
  package var creates = true
  /// What is kept, and how large it may become; nil: as the last config had it that named this store.
  package var retention: Retention?

  package init() {}
}
