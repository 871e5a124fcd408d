package import FetchValues

/// A token in its stored form: the hash of the token, and never the token itself.
package struct WebToken: Equatable, Sendable {
  package var name: String
  package var hash: [UInt8]
  package var scopes: Set<Scope>
  /// The names or patterns of the jobs that the token gives access to; nil for all jobs.
  package var jobs: [String]?
  package var createdAt: Timestamp
  package var expiresAt: Timestamp?
  package var lastUsedAt: Timestamp?

  package init(
    name: String, hash: [UInt8], scopes: Set<Scope>, jobs: [String]? = nil, createdAt: Timestamp,
    expiresAt: Timestamp? = nil
  ) {
    self.name = name
    self.hash = hash
    self.scopes = scopes
    self.jobs = jobs
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  package func isValid(at now: Timestamp) -> Bool { expiresAt.map { now < $0 } ?? true }

  package var caller: Caller {
    Caller(.token(name), scopes: scopes, jobs: jobs.map { $0.map(JobPattern.init) })
  }
}

/// A login of a browser, identified by the hash of its cookie.
package struct WebSession: Equatable, Sendable {
  package var hash: [UInt8]
  package var createdAt: Timestamp
  package var lastUsedAt: Timestamp
  /// The sequence number up to which the user of this login has seen the items.
  package var seenSequence: Int64 = 0
  /// The time of the mark `seenSequence`; nil if there is no mark, or if its time is unknown.
  package var seenAt: Timestamp?

  /// The maximum duration of a login.
  package static let lifetime: Duration = .seconds(30 * 86_400)

  package func isValid(at now: Timestamp) -> Bool { now < createdAt + Self.lifetime }
}

/// A code that logs a browser in. It works only once.
package struct LoginCode: Equatable, Sendable {
  package var hash: [UInt8]
  package var expiresAt: Timestamp

  package static let lifetime: Duration = .seconds(5 * 60)
}

/// The address at which other services report that a job may have new data. Only a hash of the
/// unguessable part of the address is stored.
package struct PushAddress: Equatable, Sendable {
  package var job: JobName
  package var hash: [UInt8]
  package var createdAt: Timestamp

  package init(job: JobName, hash: [UInt8], createdAt: Timestamp) {
    self.job = job
    self.hash = hash
    self.createdAt = createdAt
  }
}

/// The contents of `web.json`: the tokens, logins, login codes and push addresses.
package struct AccessRecords: Equatable, Sendable {
  package var tokens: [WebToken] = []
  package var sessions: [WebSession] = []
  package var codes: [LoginCode] = []
  package var pushAddresses: [PushAddress] = []

  package static let tokensMax = 1_000
  static let sessionsMax = 200
  static let codesMax = 20
  package static let pushAddressesMax = 2_000

  package init() {}

  /// Removes the expired logins and codes. If there are still too many, removes the oldest.
  mutating func prune(now: Timestamp) {
    sessions = sessions.filter { $0.isValid(at: now) }.suffix(Self.sessionsMax)
    codes = codes.filter { now < $0.expiresAt }.suffix(Self.codesMax)
  }

  /// Returns the valid token with the given hash; nil if there is none.
  func token(_ hash: [UInt8], now: Timestamp) -> WebToken? {
    tokens.first { ConstantTime.areEqual($0.hash, hash) && $0.isValid(at: now) }
  }

  func session(_ hash: [UInt8], now: Timestamp) -> WebSession? {
    sessions.first { ConstantTime.areEqual($0.hash, hash) && $0.isValid(at: now) }
  }

  /// Gives a job a new address, in place of its previous one. Returns the unguessable part of the
  /// address; nil if there are too many addresses.
  package mutating func addPushAddress(
    of job: JobName, now: Timestamp, random: () -> UInt64
  ) -> String? {
    removePushAddress(of: job)
    guard pushAddresses.count < Self.pushAddressesMax else { return nil }
    let capability = AccessSecret.makeCapability(random: random)
    pushAddresses.append(
      PushAddress(job: job, hash: AccessSecret.hash(capability), createdAt: now))
    return capability
  }

  /// Removes the address of a job. Returns whether the job had an address.
  @discardableResult
  package mutating func removePushAddress(of job: JobName) -> Bool {
    let count = pushAddresses.count
    pushAddresses.removeAll { $0.job == job }
    return pushAddresses.count < count
  }

  /// Adds a login code and returns the code.
  package mutating func addCode(now: Timestamp, random: () -> UInt64) -> String {
    let code = AccessSecret.make(AccessSecret.codePrefix, random: random)
    codes.append(LoginCode(hash: AccessSecret.hash(code), expiresAt: now + LoginCode.lifetime))
    prune(now: now)
    return code
  }

  /// Exchanges a login code for the secret of a new session; nil if the code is unknown, used or
  /// expired.
  mutating func logIn(_ code: String, now: Timestamp, random: () -> UInt64) -> String? {
    guard AccessSecret.isPlausible(code, AccessSecret.codePrefix) else { return nil }
    prune(now: now)
    let hash = AccessSecret.hash(code)
    guard let place = codes.firstIndex(where: { ConstantTime.areEqual($0.hash, hash) }) else {
      return nil
    }
    codes.remove(at: place)
    let secret = AccessSecret.make(AccessSecret.cookiePrefix, random: random)
    sessions.append(
      WebSession(hash: AccessSecret.hash(secret), createdAt: now, lastUsedAt: now))
    prune(now: now)
    return secret
  }
}
