import FetchValues

/// Who has a grant: a job, for its plugin's file, or a hook, for its own.
package enum GrantHolder: Hashable, Sendable {
  case job(String)
  case hook(String)

  package var name: String {
    switch self {
    case .job(let name), .hook(let name): name
    }
  }

  /// As it is named to a shell in `fetchrun grant …`.
  package var words: String {
    switch self {
    case .job(let name): ShellWord.quoted(name)
    case .hook(let name): "--hook \(ShellWord.quoted(name))"
    }
  }

  /// Its kind, as JSON names it.
  package var kind: String {
    switch self {
    case .job: "job"
    case .hook: "hook"
    }
  }
}
