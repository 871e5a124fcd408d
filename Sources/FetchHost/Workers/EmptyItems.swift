package import FetchModel

/// Empty items of a plugin, such as the spacer rows of a table: they are left out.
package struct EmptyItems: Equatable, Sendable {
  package private(set) var count = 0
  /// The problem of the first one, for a run without other items.
  package private(set) var failure: Failure?

  package init() {}

  mutating func add(_ failure: Failure) {
    count += 1
    self.failure = self.failure ?? failure
  }
}
