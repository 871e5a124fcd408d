internal import CPostgres

/// A connection to a PostgreSQL server.
///
/// The class is not Sendable: only one thread at a time may use a connection and its results. A
/// statement blocks its thread until the server has answered. `answerMilliseconds` limits each
/// wait. The functions that use the server throw `PostgresFault`.
final class PostgresConnection {
  private let handle: UnsafeMutableRawPointer
  /// The names of the statements that the server has prepared for this connection.
  private var prepared: Set<String> = []

  /// The maximum time in milliseconds for which a call waits for one answer of the server. After
  /// this time, the connection counts as lost. The default is longer than `statement_timeout`,
  /// after which the server ends a statement.
  var answerMilliseconds = answerMillisecondsUsual

  static let answerMillisecondsUsual: Int64 = 15_000

  /// The limit for the statements that read or convert whole tables, which the server does not end.
  static let answerMillisecondsLong: Int64 = 3_600_000

  /// The minimum time between two attempts to connect. Without it, every call would block for the
  /// time of an attempt while the server is gone.
  static let retryInterval: Duration = .seconds(1)

  /// Connects to the server. Blocks until the connection is made or has failed. The parameter
  /// `connect_timeout` limits the wait for each address of the server.
  ///
  /// - Parameter parameters: the connection parameters of libpq.
  init(_ parameters: [(key: String, value: String)]) throws(PostgresFault) {
    if let problem = cpostgres_load() {
      throw PostgresFault(.library, String(cString: problem))
    }
    let keys = CStrings(parameters.map(\.key))
    let values = CStrings(parameters.map(\.value))
    guard let handle = cpostgres_open(keys.pointers, values.pointers) else {
      throw PostgresFault(.connection, "out of memory")
    }
    self.handle = handle
    // From here on, `deinit` closes the connection.
    guard cpostgres_is_open(handle) else {
      let kind: PostgresFault.Kind = cpostgres_needs_password(handle) ? .password : .connection
      throw PostgresFault(kind, Self.line(cpostgres_error(handle)))
    }
  }

  deinit { cpostgres_close(handle) }

  /// Returns a setting that the server reports by itself, such as `server_encoding`; nil if the
  /// server does not report it.
  func setting(_ name: String) -> String? {
    cpostgres_setting(handle, name).map(String.init(cString:))
  }

  /// Executes a prepared statement, and prepares it first if this connection has not used it yet.
  @discardableResult
  func run(
    _ statement: PostgresStatement, _ arguments: PostgresArguments = PostgresArguments()
  ) throws(PostgresFault) -> PostgresRows {
    if !prepared.contains(statement.name) {
      _ = try send(name: statement.name, sql: statement.sql, types: arguments.types)
      prepared.insert(statement.name)
    }
    return try send(name: statement.name, arguments: arguments)
  }

  /// Executes any number of statements without parameters. If no transaction is open, the
  /// statements form one transaction, unless the script begins or ends a transaction.
  func execute(_ script: String) throws(PostgresFault) { _ = try send(sql: script) }

  private func send(
    name: String? = nil, sql: String? = nil, types: [UInt32] = [],
    arguments: PostgresArguments = PostgresArguments()
  ) throws(PostgresFault) -> PostgresRows {
    let isSent = arguments.withPointers { values, lengths in
      cpostgres_send(
        handle, name, sql, Int32(sql == nil ? lengths.count : types.count), types, values, lengths)
    }
    guard isSent, let result = cpostgres_receive(handle, answerMilliseconds) else {
      let words = Self.line(cpostgres_error(handle))
      throw PostgresFault(.lost, words.isEmpty ? "the server did not answer" : words)
    }
    let rows = PostgresRows(result)
    if let fault = rows.fault { throw fault }
    return rows
  }

  private static func line(_ text: UnsafePointer<CChar>) -> String {
    let line = String(String(cString: text).prefix { !$0.isNewline })
    // The words of the server come after libpq's own words.
    return line.firstRange(of: "FATAL:  ").map { String(line[$0.upperBound...]) } ?? line
  }
}

/// A statement that the server prepares once for each connection.
struct PostgresStatement: Sendable {
  /// The name on the server: a hash of the SQL text.
  let name: String
  let sql: String

  /// - Parameter sql: the SQL text, which also determines the name. All calls must pass arguments
  ///   of the same types, because the server prepares the statement only once.
  init(_ sql: String) {
    self.sql = sql
    // PostgreSQL uses only the first 63 bytes of a name. Equal SQL texts get the same name.
    name = String(UInt64(bitPattern: Int64(Self.hash(sql))), radix: 36)
  }

  /// Returns the FNV-1a hash of the text.
  private static func hash(_ text: String) -> Int64 {
    Int64(
      bitPattern: text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }
}

/// An array of C strings for a C function. The last pointer is null.
private final class CStrings {
  private(set) var pointers: [UnsafePointer<CChar>?]

  init(_ texts: [String]) {
    pointers = texts.map { text in
      let bytes = text.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      bytes.withUnsafeBufferPointer { copy.initialize(from: $0.baseAddress!, count: $0.count) }
      return UnsafePointer(copy)
    }
    pointers.append(nil)
  }

  deinit { for pointer in pointers { pointer?.deallocate() } }
}
