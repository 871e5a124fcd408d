package import FetchStore
import FetchValues
import Glibc

/// The address of a store in a PostgreSQL database, such as `postgresql://user@host:port/database`,
/// as libpq reads it.
package struct PostgresAddress: Sendable {
  /// The address without a password, for messages.
  package let shown: String
  /// The address as the user wrote it.
  private let text: String
  private let password: String?

  /// - Throws: `rejected` if the address has a password or a key, which would be visible to other
  ///   users of the machine and in messages. Also `rejected` if the address has a NUL byte.
  ///
  /// - Parameter password: the password of the server's user; nil if libpq finds the password by
  ///   itself, or if the server needs none.
  package init(_ address: StoreAddress, password: String? = nil) throws(StoreError) {
    text = address.path
    self.password = password
    shown = text
    let hasPassword = Self.authority(text).user?.utf8.contains(UInt8(ascii: ":")) ?? false
    let names = Self.fields(of: text).map(\.name)
    if hasPassword || names.contains(where: Self.secretNames.contains) {
      throw StoreError(
        .rejected,
        "the address of the store must not contain a password or a key: for the user's password,"
          + " add `store_password` to the config, set PGPASSWORD, or use a password file")
    }
    if text.utf8.contains(0) {
      throw StoreError(.rejected, "the address of the store has a NUL byte")
    }
  }

  /// The parameters of libpq with secret values.
  private static let secretNames: Set = [
    "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
  ]

  /// Connects to the server.
  ///
  /// A writer disables sequential scans, hash joins and merge joins. Otherwise a statement that was
  /// planned while a table was small could still scan the table when the table is large. The
  /// settings are made with SET, since a connection pooler may refuse the parameter `options`.
  func connect(isWriter: Bool, name: String) throws(PostgresFault) -> PostgresConnection {
    let connection = try PostgresConnection(parameters(name: name))
    var settings = [
      "client_encoding = 'UTF8'", "jit = off", "statement_timeout = 10000", "lock_timeout = 5000",
      "idle_in_transaction_session_timeout = 10000", "search_path = fetchrun",
    ]
    if isWriter {
      settings += ["enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off"]
    } else {
      settings.append("default_transaction_read_only = on")
    }
    try connection.execute(settings.map { "SET \($0)" }.joined(separator: "; "))
    return connection
  }

  /// Returns the parameters of libpq. In libpq, a later parameter replaces an earlier one. The
  /// address (`dbname`) therefore comes last. Only a limit for connecting follows if the address
  /// removes the limit, because libpq would then wait for a silent server without end.
  func parameters(name: String) -> [(key: String, value: String)] {
    let connectLimit = (key: "connect_timeout", value: "2")
    var parameters: [(key: String, value: String)] = [
      connectLimit, ("tcp_user_timeout", "5000"), ("keepalives_idle", "5"),
      ("keepalives_interval", "2"), ("keepalives_count", "3"), ("sslmode", Self.mode(of: text)),
      ("application_name", name), ("client_encoding", "UTF8"), ("dbname", text),
    ]
    if let password { parameters.insert((key: "password", value: password), at: 0) }
    let limit = Self.fields(of: text).last { $0.name == connectLimit.key }?.value
    if let seconds = limit.flatMap({ Int($0.trimmingHTTPSpace) }), seconds <= 0 {
      parameters.append(connectLimit)
    }
    return parameters
  }

  /// Returns the TLS mode for an address that names none: the server's certificate and name are
  /// checked, unless the connection stays on this machine.
  static func mode(of text: String) -> String { isLocal(text) ? "prefer" : "verify-full" }

  /// Whether each host of the address is this machine. A host is in the authority, in the query or,
  /// if the address has none, in libpq's environment variables. The result is false if the query
  /// names a service of libpq, or if the address has no host and PGSERVICE is set.
  private static func isLocal(_ text: String) -> Bool {
    var hosts = authority(text).hosts.split(separator: ",").map(host)
    for field in fields(of: text) {
      if field.name == "service" { return false }
      guard field.name == "host" || field.name == "hostaddr" else { continue }
      hosts += field.value.split(separator: ",").map(String.init)
    }
    if hosts.allSatisfy(\.isEmpty) {
      if getenv("PGSERVICE") != nil { return false }
      for name in ["PGHOST", "PGHOSTADDR"] {
        if let host = getenv(name) { hosts.append(String(cString: host)) }
      }
    }
    return hosts.allSatisfy { host in
      ["", "localhost", "127.0.0.1", "[::1]", "::1"].contains(host) || host.hasPrefix("/")
        || host.asciiLowercased.hasPrefix("%2f")
    }
  }

  /// Returns the two parts of an address that libpq reads as `user:password` and hosts. As in
  /// libpq, a `?` before an `@` belongs to the user.
  private static func authority(_ text: String) -> (user: Substring?, hosts: Substring) {
    let rest = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
    guard let at = rest.firstIndex(of: "@") else { return (nil, rest.prefix { $0 != "?" }) }
    return (rest[..<at], rest[rest.index(after: at)...].prefix { $0 != "?" })
  }

  /// Returns the parameters in the query of an address. As in libpq, names and values may be
  /// percent-encoded.
  private static func fields(of text: String) -> [(name: String, value: String)] {
    let query = text.drop { $0 != "?" }.dropFirst()
    return query.split(separator: "&").map { field in
      let sides = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(sides[0]), sides.count == 2 ? decoded(sides[1]) : "")
    }
  }

  /// Returns the text with each `%XX` replaced by its byte.
  static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = Hexadecimal.bytes(of: Array(rest.prefix(2))),
        value.count == 1
      {
        bytes += value
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a host of an authority without its port.
  private static func host(_ text: Substring) -> String {
    if text.hasPrefix("[") { return String(text.prefix { $0 != "]" }) + "]" }
    return String(text.prefix { $0 != ":" })
  }
}
