import FetchValues

/// What the program of a hook has of fetchrun's environment: little, and no secret.
package enum CommandEnvironment {
  /// Where programs, the user's files and temporary ones are, and how texts and times are written.
  private static let usual: Set<String> = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"]
  private static let usualStarts = ["LC_", "FETCHRUN_"]

  /// - Parameters:
  ///   - names: further variables that the hook names.
  ///   - secrets: variables that are the source of a secret: they are passed on to nobody.
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
