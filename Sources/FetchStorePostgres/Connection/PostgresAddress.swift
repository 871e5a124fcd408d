package import FetchStore
import FetchValues

/// The address of a store in a PostgreSQL database: `postgresql://user@host:port/database`, as libpq
/// reads it.
package struct PostgresAddress: Sendable {
  /// The address without a password, for messages.
  package let shown: String
  /// The address as the user wrote it.
  private let text: String
  private let password: String?

  /// - Throws: `rejected` if the address has a password, which would be visible to other users of
  ///   the machine and in messages.
  ///
  /// - Parameter password: the password of the server's user; nil if libpq finds it by itself.
  package init(_ address: StoreAddress, password: String? = nil) throws(StoreError) {
    text = address.path
    self.password = password
    shown = text
    let authority = text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
      .prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    let hasPassword = at.map { authority[..<$0].contains(UInt8(ascii: ":")) } ?? false
    let names = text.split(separator: "?", maxSplits: 1).dropFirst().flatMap {
      $0.split(separator: "&").map { $0.prefix { $0 != "=" } }
    }
    if hasPassword || names.contains("password") || names.contains("sslpassword") {
      throw StoreError(
        .rejected,
        "the address of the store must not contain a password: add `store_password` to the config,"
          + " set PGPASSWORD, or use a password file")
    }
    if text.utf8.contains(0) {
      throw StoreError(.rejected, "the address of the store has a NUL byte")
    }
  }

  /// The parameters of a connection. Later parameters do not replace those of the address, unless
  /// they come after `dbname`.
  ///
  /// The settings of the session are chosen for many small statements over well indexed tables: the
  /// planner must not scan a table that was small when a statement was planned.
  func parameters(isWriter: Bool, name: String) -> [(key: String, value: String)] {
    var settings = [
      "client_encoding=UTF8", "jit=off", "statement_timeout=10000", "lock_timeout=5000",
      "idle_in_transaction_session_timeout=10000", "search_path=fetchrun",
    ]
    if isWriter {
      settings += ["enable_seqscan=off", "enable_hashjoin=off", "enable_mergejoin=off"]
    } else {
      settings.append("default_transaction_read_only=on")
    }
    let passwords = password.map { [("password", $0)] } ?? []
    return passwords + [
      ("connect_timeout", "2"), ("tcp_user_timeout", "5000"), ("keepalives_idle", "5"),
      ("keepalives_interval", "2"), ("keepalives_count", "3"), ("sslmode", Self.mode(of: text)),
      ("application_name", name),
      ("options", settings.map { "-c \($0)" }.joined(separator: " ")),
      ("dbname", text),
    ]
  }

  /// Returns the TLS mode for an address that names none: the server's certificate and name are
  /// checked, unless the connection stays on this machine.
  static func mode(of text: String) -> String { isLocal(text) ? "prefer" : "verify-full" }

  /// Whether each host of the address is this machine. A host is in the authority or in the query.
  private static func isLocal(_ text: String) -> Bool {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let authority = parts[0].drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
    let start = authority.lastIndex(of: "@").map(authority.index(after:))
    var hosts = authority[(start ?? authority.startIndex)...].split(separator: ",").map(host)
    for field in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let sides = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 2, sides[0] == "host" || sides[0] == "hostaddr" {
        hosts += sides[1].split(separator: ",").map(String.init)
      }
    }
    return hosts.allSatisfy { host in
      ["", "localhost", "127.0.0.1", "[::1]", "::1"].contains(host) || host.hasPrefix("/")
        || host.asciiLowercased.hasPrefix("%2f")
    }
  }

  /// Returns a host of an authority without its port.
  private static func host(_ text: Substring) -> String {
    if text.hasPrefix("[") { return String(text.prefix { $0 != "]" }) + "]" }
    return String(text.prefix { $0 != ":" })
  }
}
