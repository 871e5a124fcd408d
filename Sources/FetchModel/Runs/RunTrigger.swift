/// The cause of a run's start.
package enum RunTrigger: String, Sendable, CaseIterable {
  case manual
  case schedule
  case retry
  case push
  case event
  case transfer
}
