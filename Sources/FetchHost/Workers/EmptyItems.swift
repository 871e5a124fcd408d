package import FetchModel

/// Items that a plugin gave with nothing in them, such as the spacer rows of a table: they are left
/// out.
package struct EmptyItems: Equatable, Sendable {
  package private(set) var count = 0
  /// What is wrong with the first of them, for a run that gave no others.
  package private(set) var failure: Failure?

  package init() {}

  mutating func add(_ failure: Failure) {
    count += 1
    self.failure = self.failure ?? failure
  }
}
