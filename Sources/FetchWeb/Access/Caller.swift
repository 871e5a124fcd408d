package import FetchValues

/// The person or program behind a request, and what it may do.
package struct Caller: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The user of the daemon, on the unix socket.
    case local
    /// A token, by its name.
    case token(String)
    /// A login of a browser, by the hash of its cookie.
    case session([UInt8])
    /// A user that a trusted reverse proxy names.
    case proxy(user: String)
    /// A client that has shown nothing.
    case anonymous
  }

  package var kind: Kind
  package var scopes: Set<Scope>
  /// The jobs that it may see and change; nil for all.
  package var jobs: [JobPattern]?
  /// The token that its forms must send; nil if it needs none.
  package var formToken: String?

  package init(_ kind: Kind, scopes: Set<Scope>, jobs: [JobPattern]? = nil) {
    self.kind = kind
    self.scopes = scopes
    self.jobs = jobs
  }

  package static let local = Caller(.local, scopes: Set(Scope.allCases))
  package static let anonymous = Caller(.anonymous, scopes: [])

  package func may(_ scope: Scope) -> Bool { scopes.contains(scope) }

  /// Whether it may see a job of that name.
  package func sees(_ job: String) -> Bool { jobs?.contains { $0.matches(job) } ?? true }

  package func sees(_ job: JobName) -> Bool { sees(job.text) }

  package var seesAllJobs: Bool { jobs == nil }

  /// Whether a browser sends its proof with every request, also with those that another site causes.
  package var isBrowser: Bool {
    switch kind {
    case .session, .proxy: true
    case .local, .token, .anonymous: false
    }
  }
}
