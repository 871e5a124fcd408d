/// The part of a job's history that hooks report.
package struct DeliveryHistory: Equatable, Sendable {
  /// The number of consecutive failed runs before the reported run. `failuresAfter` also counts the
  /// reported run.
  package var failuresBefore: Int
  package var failuresAfter: Int

  package init(failuresBefore: Int = 0, failuresAfter: Int = 0) {
    self.failuresBefore = failuresBefore
    self.failuresAfter = failuresAfter
  }
}
