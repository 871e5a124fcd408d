/// How a store is opened for writing.
package struct StoreOptions: Sendable {
  /// How long to wait for another process that writes.
  package var waitMax: Duration = .seconds(30)
  /// Whether a store is made where there is none.
  package var creates = true
  /// The file never grows beyond so many pages of 4 KiB; nil: as large as its disk lets it.
  package var pagesMax: Int?

  package init() {}
}
