import FetchValues

/// A program that is started for each delivery, with its JSON as input and `FETCHRUN_*` variables.
package struct CommandSettings: SinkSettings {
  /// A program and its arguments; with `shell`, one text for `/bin/sh -c`.
  package var words: [String]
  package var shell = false
  package var timeout: Duration = .seconds(60)
  /// The variables besides the standard ones: see `CommandEnvironment`.
  package var variables: [String] = []

  /// The name of the program that runs such a text.
  package static let shellName = "sh"

  package init(words: [String]) { self.words = words }
}

extension CommandSettings {
  package var word: String { "command" }

  package var receiver: String { shell ? Self.shellName : words.first?.lastName ?? word }

  package var commands: [[String]] { [shell ? [Self.shellName, "-c"] + words : words] }

  /// Returns the settings with absolute paths; a program's plain name stays, because it is looked
  /// up.
  package func resolvingPaths(_ resolved: (String) -> String) -> Self {
    guard !shell, let program = words.first, program.utf8.contains(UInt8(ascii: "/")) else {
      return self
    }
    var settings = self
    settings.words[0] = resolved(program)
    return settings
  }
}
