import FetchValues

/// What a plugin says about itself: the table its file returns, without the functions.
package struct Manifest: Equatable, Sendable {
  package var name: String
  package var version: String
  package var summary: String?
  package var options: [OptionSpec] = []
  package var permissions = PermissionRequest()
  /// The address that is asked before the plugin wakes, as written: a URL or `{options.NAME}`.
  package var wakeOn: String?
  /// How often it makes sense; a job's config may say otherwise.
  package var interval: Interval?
  /// The window the plugin asks for; a job may narrow it.
  package var window: Duration?
  package var items = ItemRules()
  package var isolation: Isolation = .shared
  /// Names of the functions the table has: `fetch` at least.
  package var functions: [String] = []

  /// The version of the plugin interface that this program speaks.
  package static let apiVersion: Int64 = 1
  /// The function of a plugin that is called when a transfer has ended.
  package static let transferEntry = "on_transfer"

  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}
