import FetchValues

/// The description of a plugin: the table that the plugin's file returns, without the functions.
package struct Manifest: Equatable, Sendable {
  package var name: String
  package var version: String
  package var summary: String?
  package var options: [OptionSpec] = []
  package var permissions = PermissionRequest()
  /// The address, as the manifest gives it, that the host checks before it starts the plugin: a URL
  /// or `{options.NAME}`.
  package var wakeOn: String?
  /// The recommended interval; a job's config overrides it.
  package var interval: Interval?
  /// The window that the plugin requests. A job may shorten the window.
  package var window: Duration?
  package var items = ItemRules()
  package var isolation: Isolation = .shared
  /// The names of the functions in the table, which include `fetch`.
  package var functions: [String] = []

  /// The version of the plugin interface that this fetchrun supports.
  package static let apiVersion: Int64 = 1
  /// The plugin function that is called after a transfer.
  package static let transferEntry = "on_transfer"

  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}
