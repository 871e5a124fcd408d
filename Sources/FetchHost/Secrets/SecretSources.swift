import CHost
package import FetchModel
package import FetchValues
import Glibc
import Synchronization

/// A reader of secrets from this machine: from the environment, files, programs, systemd
/// credentials, the kernel's keyrings, and the stored secrets.
package struct SecretSources: SecretReading {
  private let environment: [String: String]
  private let vault: SecretVault?
  private let now: @Sendable () -> Timestamp

  package static let credentialsVariable = "CREDENTIALS_DIRECTORY"

  package init(
    environment: [String: String], vault: SecretVault? = nil,
    now: @escaping @Sendable () -> Timestamp = { SystemClock.now() }
  ) {
    self.environment = environment
    self.vault = vault
    self.now = now
  }

  package func value(of source: SecretSource) async throws(SecretProblem) -> SecretValue {
    switch source {
    case .environment(let name): return try variable(name)
    case .file(let path):
      return try read("the file \(path)", try PrivateFile.read(path, isShared: false))
    case .command(let words):
      return try read(
        "the output of \(words.first ?? "")", try await SecretCommand.output(of: words))
    case .credential(let name): return try credential(name)
    case .keyring(let name):
      return try read("the key '\(name)' of the kernel's keyring", try KernelKeyring.read(name))
    case .stored(let name): return try stored().value(named: name)
    case .oauth2: throw SecretProblem("an access token has no stored value")
    }
  }

  private func read(_ what: String, _ bytes: [UInt8]) throws(SecretProblem) -> SecretValue {
    do throws(SecretProblem) { return try SecretValue(read: bytes) } catch {
      throw SecretProblem("\(what) \(error.message)")
    }
  }

  private func variable(_ name: String) throws(SecretProblem) -> SecretValue {
    guard let text = environment[name] else {
      throw SecretProblem("the environment variable \(name) is not set")
    }
    return try read("the environment variable \(name)", Array(text.utf8))
  }

  /// Reads a credential of systemd. The owner and the mode of its file are not checked, because
  /// systemd may use an ACL to let only the service read the file.
  private func credential(_ name: String) throws(SecretProblem) -> SecretValue {
    guard let folder = environment[Self.credentialsVariable], !folder.isEmpty else {
      throw SecretProblem(
        "\(Self.credentialsVariable) is not set: run fetchrun in a systemd unit with "
          + "`LoadCredential=\(name):…`")
    }
    let path = "\(folder)/\(name)"
    return try read("the credential \(path)", try PrivateFile.read(path, isShared: true))
  }

  private func stored() throws(SecretProblem) -> SecretVault {
    guard let vault else { throw SecretProblem("this process cannot read stored secrets") }
    return vault
  }

  // MARK: Refresh tokens

  package func refreshToken(
    of client: OAuthClient
  ) async throws(SecretProblem) -> SecretValue? {
    guard let source = client.refreshToken else { return nil }
    let first = try await value(of: source)
    if case .stored = source { return first }
    guard let vault, let newest = try? vault.value(named: client.rotationName(of: first)) else {
      return first
    }
    return newest
  }

  package func keep(_ token: SecretValue, of client: OAuthClient) async throws(SecretProblem) {
    guard let source = client.refreshToken else { return }
    if case .stored(let name) = source {
      return try stored().set(token, named: name, now: now())
    }
    let first = try await value(of: source)
    try stored().set(token, named: client.rotationName(of: first), now: now())
  }
}

/// The kernel's keyrings. The secrets are keys of type `user`, such as those that `keyctl padd user
/// NAME @u` creates.
enum KernelKeyring {
  static func read(_ name: String) throws(SecretProblem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: SecretValue.bytesMax)
    let count = keyring_read(name, &bytes, bytes.count)
    guard count >= 0 else { throw problem(name, Int32(clamping: -count)) }
    guard count <= bytes.count else {
      throw SecretProblem(
        "the key '\(name)' of the kernel's keyring is longer than \(bytes.count) bytes")
    }
    return Array(bytes[..<count])
  }

  private static func problem(_ name: String, _ code: Int32) -> SecretProblem {
    switch code {
    case ENOKEY:
      SecretProblem(
        "there is no key '\(name)' in the kernel's keyrings of this session; "
          + "add it with `keyctl padd user \(name) @u`")
    case EKEYEXPIRED, EKEYREVOKED:
      SecretProblem("the key '\(name)' of the kernel's keyring has expired or was revoked")
    case EACCES, EPERM:
      SecretProblem(
        "the kernel does not let this process read the key '\(name)'; "
          + "link it to the session's keyring with `keyctl link`, or use another source")
    case ENOSYS:
      SecretProblem("this kernel or container has no keyrings; use another source for the secret")
    default:
      SecretProblem(
        "the key '\(name)' of the kernel's keyring cannot be read: \(String(cString: strerror(code)))"
      )
    }
  }
}

/// A reader that gets the values of secrets from their sources. Each call reads the source again.
package protocol SecretReading: Sendable {
  /// Reads the value of any source except `oauth2`, whose tokens `AccessTokens` requests.
  func value(of source: SecretSource) async throws(SecretProblem) -> SecretValue

  /// Returns the refresh token to use: the token that `keep` stored last, or the token in the
  /// client's source if none is stored. Returns nil if the client has no source for a refresh
  /// token.
  func refreshToken(of client: OAuthClient) async throws(SecretProblem) -> SecretValue?

  /// Stores a refresh token that the server has sent, in place of the previous one. Does nothing if
  /// the client has no source for a refresh token.
  func keep(_ token: SecretValue, of client: OAuthClient) async throws(SecretProblem)
}

/// The parts of a session that are needed to insert secrets into a request.
protocol SecretRequester: Sendable {
  var grant: Grant { get }
  var now: @Sendable () -> Timestamp { get }

  /// Sends a request for an access token to the server that issues the token. The plugin needs no
  /// permission for that server.
  func sendForToken(_ request: HTTPRequest) async -> Result<HTTPAnswer, Failure>
}

/// The values that this process has obtained from programs, keyrings and token servers. Later runs
/// redact these values without reading the sources again. A value is forgotten when the same source
/// provides another value, or when the process ends.
package final class SecretCache: Sendable {
  /// A secret value. `what` is nil for the secret itself. Otherwise, the value belongs to a request
  /// for a token, and `what` is its kind, such as `client_secret`.
  typealias Value = (what: String?, value: SecretValue)

  private let values = Mutex<[SecretSource: [Value]]>([:])

  package init() {}

  func note(_ found: [Value], from source: SecretSource) {
    if source.isReadAtOnce { return }
    values.withLock { $0[source] = found }
  }

  func values(from source: SecretSource) -> [Value] { values.withLock { $0[source] ?? [] } }
}
