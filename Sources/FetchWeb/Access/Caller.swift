package import FetchValues

/// The person or program that sends a request, and the rights of this sender.
package struct Caller: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A client on the unix socket that runs as this process's user or as root.
    case local
    /// The client with the token of the given name.
    case token(String)
    /// The browser with the login whose cookie has the given hash.
    case session([UInt8])
    /// The user that a trusted reverse proxy names.
    case proxy(user: String)
    /// A client without a token, a login or a proxy's user.
    case anonymous
  }

  package var kind: Kind
  package var scopes: Set<Scope>
  /// The jobs that the caller may see and change; nil for all jobs.
  package var jobs: [JobPattern]?
  /// The token that the caller's forms must send; nil if no token is needed.
  package var formToken: String?

  package init(_ kind: Kind, scopes: Set<Scope>, jobs: [JobPattern]? = nil) {
    self.kind = kind
    self.scopes = scopes
    self.jobs = jobs
  }

  package static let local = Caller(.local, scopes: Set(Scope.allCases))
  package static let anonymous = Caller(.anonymous, scopes: [])

  package func may(_ scope: Scope) -> Bool { scopes.contains(scope) }

  /// Whether the caller may see the job with the given name.
  package func sees(_ job: String) -> Bool { jobs?.contains { $0.matches(job) } ?? true }

  package func sees(_ job: JobName) -> Bool { sees(job.text) }

  package var seesAllJobs: Bool { jobs == nil }

  /// Whether a browser or a proxy adds the proof of the caller's identity to a request. Pages of
  /// other servers can cause such requests.
  package var isBrowser: Bool {
    switch kind {
    case .session, .proxy: true
    case .local, .token, .anonymous: false
    }
  }
}
