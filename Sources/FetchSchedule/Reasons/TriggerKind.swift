package import FetchModel

/// The kind of request or event that triggers a run outside the schedule.
package enum TriggerKind: String, Hashable, Sendable, CaseIterable {
  case manual
  case push
  /// A file or folder that the job watches has changed.
  case file
  /// The machine has a network again.
  case network

  /// The minimum time between two runs of one job if pushes start both runs.
  package static let pushGap: Duration = .seconds(60)

  package var trigger: RunTrigger {
    switch self {
    case .manual: .manual
    case .push: .push
    case .file, .network: .event
    }
  }

  var phrase: String {
    switch self {
    case .manual: "a person asked for it"
    case .push: "it was pushed"
    case .file: "a file that it watches changed"
    case .network: "the network came up"
    }
  }
}
