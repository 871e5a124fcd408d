import FetchValues

/// The part of fetchrun's environment that the program of a hook receives: a few variables without
/// secrets.
package enum CommandEnvironment {
  /// The variables that every program receives: the folders of programs, of the user's files and of
  /// temporary files, the language and the time zone.
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
