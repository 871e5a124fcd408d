/// The result of a form, which the next page shows.
package enum PageNotice: String, Sendable, CaseIterable {
  case run, waits, skipped, paused, resumed, pausedAll, resumedAll, seen, notSeen, granted, retried
  case dropped, cancelled

  /// The sentence that the page shows.
  package var sentence: String {
    switch self {
    case .run: "The job is due now."
    case .waits: "The run has to wait. The job's page shows the reason."
    case .skipped: "No new run was started. The job's page shows the reason."
    case .paused: "The job is paused."
    case .resumed: "The job is no longer paused individually."
    case .pausedAll: "All jobs are paused."
    case .resumedAll:
      "The pause of all jobs has ended. Jobs that are paused individually stay paused."
    case .seen: "The items were marked as seen."
    case .notSeen: "Nothing was marked: seen items are remembered only after a login with a code."
    case .granted: "The permissions are granted."
    case .retried: "The delivery or transfer is due now."
    case .dropped: "The delivery was dropped."
    case .cancelled: "The transfer was cancelled."
    }
  }
}
