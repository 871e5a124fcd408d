/// The result of a form, which the next page shows.
package enum PageNotice: String, Sendable, CaseIterable {
  case run, paused, resumed, pausedAll, resumedAll, seen, granted, retried, dropped, cancelled

  /// The sentence for people.
  package var sentence: String {
    switch self {
    case .run: "A run of the job was requested."
    case .paused: "The job is paused."
    case .resumed: "The job is resumed."
    case .pausedAll: "All jobs are paused."
    case .resumedAll: "All jobs are resumed."
    case .seen: "The items were marked as seen."
    case .granted: "The permissions are granted."
    case .retried: "The delivery or transfer is due now."
    case .dropped: "The delivery was dropped."
    case .cancelled: "The transfer was cancelled."
    }
  }
}
