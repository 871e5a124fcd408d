/// An occasion that passed, for the records.
package struct Skip: Hashable, Sendable {
  package var job: JobNumber
  package var at: Timestamp
  package var reason: SkipReason
}
