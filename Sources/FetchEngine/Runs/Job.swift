package import FetchModel

/// One configured use of a plugin: all that a run needs to know beforehand.
package struct Job: Sendable {
  /// Unique in a store; items, state and validators belong to this name.
  package var name: String
  package var plugin: Plugin
  /// Every declared option that has a value.
  package var options: ValueObject
  package var grant: Grant
  package var limits = RunLimits()
  package var isolation: Isolation

  package init(name: String, plugin: Plugin, options: ValueObject, grant: Grant) {
    self.name = name
    self.plugin = plugin
    self.options = options
    self.grant = grant
    isolation = plugin.manifest.isolation
    limits.window = plugin.manifest.window ?? limits.window
  }
}
