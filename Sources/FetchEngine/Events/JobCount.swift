import FetchValues

/// The number of a config's jobs.
package struct JobCount: Hashable, Sendable {
  /// The number of all jobs, with the disabled ones.
  package var all = 0
  package var disabled = 0

  package init(all: Int = 0, disabled: Int = 0) {
    self.all = all
    self.disabled = disabled
  }

  /// The number as text, such as `3 jobs (1 disabled)`.
  package var text: String {
    counted(all, "job") + (disabled == 0 ? "" : " (\(disabled) disabled)")
  }
}
