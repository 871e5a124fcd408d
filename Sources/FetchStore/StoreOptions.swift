package import FetchModel

/// The options for opening a store for writing.
package struct StoreOptions: Sendable {
  /// The longest wait for another writing process.
  package var waitMax: Duration = .seconds(30)
  /// Whether a missing store is created.
  package var creates = true
  /// The retention and the maximum size; nil means those of the last config that named this store.
  package var retention: Retention?

  package init() {}
}
