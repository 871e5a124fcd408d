package import FetchSchedule

/// A run that is to start now.
package struct ScheduledRun: Sendable {
  package var start: RunStart
  package var job: Job
}
