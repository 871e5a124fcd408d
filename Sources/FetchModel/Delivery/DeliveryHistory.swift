/// The part of a job's history that hooks report.
package struct DeliveryHistory: Equatable, Sendable {
  /// The number of consecutive failed runs before the reported run. `failuresAfter` is the number
  /// after the reported run: it includes this run if the run failed, and is 0 if the run succeeded.
  package var failuresBefore: Int
  package var failuresAfter: Int

  package init(failuresBefore: Int = 0, failuresAfter: Int = 0) {
    self.failuresBefore = failuresBefore
    self.failuresAfter = failuresAfter
  }
}
