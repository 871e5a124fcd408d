package import FetchValues

/// The holder of a grant: a job for its plugin's file, or a hook for its hook file.
package enum GrantHolder: Hashable, Sendable {
  case job(JobName)
  case hook(HookName)

  package var name: String {
    switch self {
    case .job(let name): name.text
    case .hook(let name): name.text
    }
  }

  /// The words that name the holder in the command `fetchrun grant …`, quoted for a shell.
  package var words: String {
    switch self {
    case .job(let name): ShellWord.quoted(name.text)
    case .hook(let name): "--hook \(ShellWord.quoted(name.text))"
    }
  }

  /// The kind of holder in JSON: `job` or `hook`.
  package var kind: String {
    switch self {
    case .job: "job"
    case .hook: "hook"
    }
  }
}
