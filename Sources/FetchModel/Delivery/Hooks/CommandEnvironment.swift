import FetchValues

/// The part of fetchrun's environment that a hook's program gets: little, and no secret.
package enum CommandEnvironment {
  /// The places of programs, of the user's files and of temporary files, and the forms of texts and
  /// times.
  private static let usual: Set<String> = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"]
  private static let usualStarts = ["LC_", "FETCHRUN_"]

  /// Returns the variables for the program.
  ///
  /// - Parameters:
  ///   - names: further variables that the hook names.
  ///   - secrets: variables that are sources of secrets, which are never passed on.
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
