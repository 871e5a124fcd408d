/// The part of a job's history that hooks report.
package struct DeliveryHistory: Equatable, Sendable {
  /// The failures in a row before the run, and including it.
  package var failuresBefore: Int
  package var failuresAfter: Int

  package init(failuresBefore: Int = 0, failuresAfter: Int = 0) {
    self.failuresBefore = failuresBefore
    self.failuresAfter = failuresAfter
  }
}
