/// The functions that a hook file may have, by their names in Lua.
package enum HookFunction: String, Sendable, CaseIterable {
  /// The function that is called at the start of a run, before the plugin's functions.
  case beforeRun = "before_run"
  /// The function that is called for each item of a result, before the item is compared with the
  /// store.
  case onItem = "on_item"
  case onNewData = "on_new_data"
  case onNoData = "on_no_data"
  case onFailed = "on_failed"
  case onRecovered = "on_recovered"

  /// The events for which the function is called; empty for a function that is called during the
  /// run.
  package var events: [HookEvent] {
    switch self {
    case .beforeRun, .onItem: []
    case .onNewData: [.added, .updated, .removed]
    case .onNoData: [.noData]
    case .onFailed: [.failed, .stale]
    case .onRecovered: [.recovered]
    }
  }

  /// Returns the function that a hook file has for an event.
  package static func function(for event: HookEvent) -> HookFunction {
    switch event {
    case .added, .updated, .removed: .onNewData
    case .noData: .onNoData
    case .failed, .stale: .onFailed
    case .recovered: .onRecovered
    }
  }

  /// The default time limit of a call. The limit is short, because a run waits for its `before_run`
  /// and `on_item` calls.
  package static let usualWindow: Duration = .seconds(10)

  package static let names = allCases.map(\.rawValue)
}
