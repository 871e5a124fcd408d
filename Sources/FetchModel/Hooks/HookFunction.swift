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

  /// The window of a call, where neither the file nor the config says another: a notification takes a
  /// second, and a run waits for the hooks before it and for those of its items.
  package static let usualWindow: Duration = .seconds(10)

  package static let names = allCases.map(\.rawValue)
}
