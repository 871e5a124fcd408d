/// What a job has been through, as far as hooks are told of it.
package struct DeliveryHistory: Equatable, Sendable {
  /// Failures in a row before the run, and with it.
  package var failuresBefore: Int
  package var failuresAfter: Int

  package init(failuresBefore: Int = 0, failuresAfter: Int = 0) {
    self.failuresBefore = failuresBefore
    self.failuresAfter = failuresAfter
  }
}
