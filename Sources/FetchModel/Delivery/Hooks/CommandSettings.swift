import FetchValues

/// The settings of a sink that starts a program for each delivery. The program's input is the
/// delivery's JSON, and its environment has `FETCHRUN_*` variables.
package struct CommandSettings: SinkSettings {
  /// The program and its arguments; with `shell`, a single command line for `/bin/sh -c`.
  package var words: [String]
  package var shell = false
  package var timeout: Duration = .seconds(60)
  /// The names of further variables of fetchrun's environment that the program receives: see
  /// `CommandEnvironment`.
  package var variables: [String] = []

  /// The shell that runs the command line if `shell` is set.
  package static let shellName = "sh"

  package init(words: [String]) { self.words = words }
}

extension CommandSettings {
  package var word: String { "command" }

  package var receiver: String { shell ? Self.shellName : words.first?.lastName ?? word }

  package var commands: [[String]] { [shell ? [Self.shellName, "-c"] + words : words] }

  /// Returns the settings with absolute paths. A program name without a slash stays unchanged,
  /// because the program is searched in `PATH`.
  package func resolvingPaths(_ resolved: (String) -> String) -> Self {
    guard !shell, let program = words.first, program.utf8.contains(UInt8(ascii: "/")) else {
      return self
    }
    var settings = self
    settings.words[0] = resolved(program)
    return settings
  }
}
