/// A line that a plugin wrote with `log.info` and the like.
package struct LogLine: Equatable, Sendable {
  package enum Level: String, Sendable, CaseIterable {
    case debug, info, warning, error
  }

  package var level: Level
  package var message: String

  package init(_ level: Level, _ message: String) {
    self.level = level
    self.message = message
  }
}
