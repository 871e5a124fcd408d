import FetchValues

/// The holder of a grant: a job for its plugin's file, or a hook for its own.
package enum GrantHolder: Hashable, Sendable {
  case job(String)
  case hook(String)

  package var name: String {
    switch self {
    case .job(let name), .hook(let name): name
    }
  }

  /// The holder's shell words in `fetchrun grant …`.
  package var words: String {
    switch self {
    case .job(let name): ShellWord.quoted(name)
    case .hook(let name): "--hook \(ShellWord.quoted(name))"
    }
  }

  /// The holder's kind in JSON.
  package var kind: String {
    switch self {
    case .job: "job"
    case .hook: "hook"
    }
  }
}
