import FetchValues

/// A plugin's description of itself: the table that its file returns, without the functions.
package struct Manifest: Equatable, Sendable {
  package var name: String
  package var version: String
  package var summary: String?
  package var options: [OptionSpec] = []
  package var permissions = PermissionRequest()
  /// The address that is checked before the plugin starts, as written: a URL or `{options.NAME}`.
  package var wakeOn: String?
  /// The recommended interval; a job's config overrides it.
  package var interval: Interval?
  /// The window that the plugin asks for; a job may shorten it.
  package var window: Duration?
  package var items = ItemRules()
  package var isolation: Isolation = .shared
  /// The names of the table's functions: at least `fetch`.
  package var functions: [String] = []

  /// The supported version of the plugin interface.
  package static let apiVersion: Int64 = 1
  /// The plugin function that is called after a transfer.
  package static let transferEntry = "on_transfer"

  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}
