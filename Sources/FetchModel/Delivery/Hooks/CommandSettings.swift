import FetchValues

/// The settings of a sink that starts a program for each delivery. The program's input is the
/// delivery's JSON, and its environment has `FETCHRUN_*` variables.
package struct CommandSettings: SinkSettings {
  /// The program and its arguments; with `shell`, a single command line for `/bin/sh -c`.
  package var words: [String]
  package var shell = false
  package var timeout: Duration = .seconds(60)
  /// The names of environment variables that the program receives besides the usual variables: see
  /// `CommandEnvironment`.
  package var variables: [String] = []

  /// The name of the shell that runs the command line if `shell` is set.
  package static let shellName = "sh"

  package init(words: [String]) { self.words = words }
}

extension CommandSettings {
  package var word: String { "command" }

  package var receiver: String { shell ? Self.shellName : words.first?.lastName ?? word }

  package var commands: [[String]] { [shell ? [Self.shellName, "-c"] + words : words] }

  /// Returns the settings with the absolute path of the program. A program name without a slash
  /// stays unchanged, because the system looks for the program in `PATH`. A command line for the
  /// shell also stays unchanged.
  package func resolvingPaths(_ resolved: (String) -> String) -> Self {
    guard !shell, let program = words.first, program.utf8.contains(UInt8(ascii: "/")) else {
      return self
    }
    var settings = self
    settings.words[0] = resolved(program)
    return settings
  }
}

/// The part of fetchrun's environment that the program of a hook receives.
package enum CommandEnvironment {
  /// The names of the variables that every program receives unless a secret is read from them. The
  /// same applies to variables that begin with one of `usualStarts`.
  private static let usual: Set<String> = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"]
  private static let usualStarts = ["LC_", "FETCHRUN_"]

  /// Returns the variables for the program.
  ///
  /// - Parameters:
  ///   - names: further variables that the hook's settings name.
  ///   - secrets: the variables from which secrets are read. These variables are never passed to
  ///     the program.
  package static func short(
    _ environment: [String: String], adding names: [String], without secrets: Set<String>
  ) -> [String: String] {
    environment.filter { name, _ in
      if secrets.contains(name) { return false }
      return usual.contains(name) || names.contains(name)
        || usualStarts.contains(where: name.hasPrefix)
    }
  }
}
