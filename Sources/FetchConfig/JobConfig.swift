package import FetchModel

/// One job as the config file has it.
package struct JobConfig: Equatable, Sendable {
  package var name: String
  /// A plugin's name, or a path when it has a slash.
  package var plugin: String
  package var options = ValueObject()
  /// Whether it may reach private, loopback and link-local addresses.
  package var allowsPrivate = false
  /// Files and folders that `file:` URLs may read.
  package var readPaths: [String] = []
  package var isolation: Isolation?
  /// Limits that differ from the defaults, by their names.
  package var limits = ValueObject()
  /// Where the job stands in the file, for messages about it.
  package var line: Int

  package init(name: String, plugin: String, line: Int = 0) {
    self.name = name
    self.plugin = plugin
    self.line = line
  }
}
