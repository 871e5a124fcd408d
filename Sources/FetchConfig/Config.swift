/// What a config file says: a list of jobs and where things lie.
package struct Config: Equatable, Sendable {
  /// Path of the store; nil for the default.
  package var store: String?
  /// Further plugin folders, looked through before the default ones.
  package var pluginFolders: [String] = []
  package var jobs: [JobConfig] = []
  /// The file it was read from, for messages.
  package var file = ""

  package init() {}
}
