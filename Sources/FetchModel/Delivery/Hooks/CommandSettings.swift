/// A program that is started for each delivery, with its JSON as input and `FETCHRUN_*` variables.
package struct CommandSettings: Equatable, Sendable {
  /// A program and its arguments; with `shell`, one text that `/bin/sh -c` reads.
  package var words: [String]
  package var shell = false
  package var timeout: Duration = .seconds(60)
  /// Variables that it has besides the usual ones: see `CommandEnvironment`.
  package var variables: [String] = []

  /// As the program of such a text is named.
  package static let shellName = "sh"

  package init(words: [String]) { self.words = words }
}
