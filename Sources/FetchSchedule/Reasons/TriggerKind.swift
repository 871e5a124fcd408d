package import FetchModel

/// What asks for a run besides the schedule.
package enum TriggerKind: String, Hashable, Sendable, CaseIterable {
  case manual
  case push
  /// A file or folder changed.
  case file
  /// The network came up.
  case network

  /// Pushes of one job start at most one run in this time.
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
    case .manual: "somebody asked for it"
    case .push: "it was pushed"
    case .file: "a file it watches changed"
    case .network: "the network came up"
    }
  }
}
