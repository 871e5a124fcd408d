/// The functions that a hook file may have, by their names in Lua.
package enum HookFunction: String, Sendable, CaseIterable {
  /// Before the plugin's fetch.
  case beforeRun = "before_run"
  /// For each item of a result, before it is identified and compared.
  case onItem = "on_item"
  case onNewData = "on_new_data"
  case onNoData = "on_no_data"
  case onFailed = "on_failed"
  case onRecovered = "on_recovered"

  /// The events for which it is called; none if its calls are part of the run.
  package var events: [HookEvent] {
    switch self {
    case .beforeRun, .onItem: []
    case .onNewData: [.added, .updated, .removed]
    case .onNoData: [.noData]
    case .onFailed: [.failed, .stale]
    case .onRecovered: [.recovered]
    }
  }

  /// Returns the function for an event.
  package static func function(for event: HookEvent) -> HookFunction {
    switch event {
    case .added, .updated, .removed: .onNewData
    case .noData: .onNoData
    case .failed, .stale: .onFailed
    case .recovered: .onRecovered
    }
  }

  /// The default window of a call. A notification takes a second, but a run waits for the hooks
  /// before it and for those of its items.
  package static let usualWindow: Duration = .seconds(10)

  package static let names = allCases.map(\.rawValue)
}
