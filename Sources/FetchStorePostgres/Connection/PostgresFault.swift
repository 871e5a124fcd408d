import FetchStore

struct PostgresFault: Error {
  enum Kind: Equatable {
    /// libpq cannot be loaded.
    case library
    /// The connection could not be made.
    case connection
    /// The server wants a password and got none.
    case password
    /// The connection was lost. A statement that was under way may have been executed.
    case lost
    /// The server is a standby, which accepts no writes.
    case standby
    /// A standby of the server was promoted and has replaced it.
    case outdated
    /// The server refused a statement. The text is the SQLSTATE.
    case statement(String)
  }

  let kind: Kind
  /// The message of the server, of libpq or of fetchrun.
  let words: String
  let detail: String

  init(_ kind: Kind, _ words: String, detail: String = "") {
    self.kind = kind
    self.words = words
    self.detail = detail
  }

  /// Whether the connection is unusable, so that a new one must be opened.
  var isConnection: Bool {
    switch kind {
    case .connection, .lost, .password, .library, .standby, .outdated: true
    // A connection whose transaction was left in a failed state (25P02) is of no use either.
    case .statement(let state):
      state.hasPrefix("08") || state.hasPrefix("57P") || state == "25P02"
    }
  }

  /// Whether the server refused a statement for a reason that may lie in the statement's data. The
  /// server may then accept other data. The other reasons concern the whole server: its resources,
  /// its state, its locks, the user's permissions or a damaged database.
  var mayBeAboutData: Bool {
    guard case .statement(let state) = kind, !isConnection else { return false }
    return !Self.statesOfServer.contains { state.hasPrefix($0) }
  }

  /// The beginnings of the states that concern the whole server.
  private static let statesOfServer = [
    "0A", "25006", "26", "28", "3D", "3F", "40", "42501", "42703", "42883", "42P01", "53", "55P03",
    "57", "58", "XX001", "XX002",
  ]
}

extension StoreError {
  /// - Parameters:
  ///   - error: an error of the functions that use a connection.
  ///   - server: the address of the store without its password.
  init(any error: any Error, _ server: String) {
    switch error {
    case let error as StoreError: self = error
    case let fault as PostgresFault: self.init(fault, server)
    default: self.init(.unreachable, "the store \(server) cannot be used: \(error)")
    }
  }

  /// - Parameter server: the address of the store without its password.
  init(_ fault: PostgresFault, _ server: String) {
    let words = fault.words
    switch fault.kind {
    case .library: self.init(.unreachable, "the store \(server) cannot be used: \(words)")
    case .password:
      self.init(
        .unreachable,
        "the server of the store \(server) asks for a password: add `store_password` to the config,"
          + " set PGPASSWORD, or use a password file")
    case .connection:
      self.init(
        .unreachable,
        "fetchrun cannot connect to the server of the store \(server) (\(words)): check that the"
          + " server runs, and check the address, the user, the password and the database")
    case .lost:
      self.init(
        .unreachable,
        "the connection to the store \(server) was lost (\(words)): try again; a daemon connects"
          + " again by itself")
    case .standby: self.init(state: "25006", words, server)
    case .outdated:
      self.init(
        .readOnly,
        "the server of the store \(server) was replaced by its standby (\(words)): stop this"
          + " server, or use the address of the new primary server")
    case .statement(let state): self.init(state: state, words, server)
    }
    reconnects = code == .unreachable && fault.kind != .library
  }

  /// Creates the error for a single commit that the server refused. A refusal that may be about the
  /// commit's data is `rejected`, so that the data of one source cannot stop the other jobs.
  ///
  /// - Parameter server: the address of the store without its password.
  init(ofCommit fault: PostgresFault, _ server: String) {
    self.init(fault, server)
    guard fault.mayBeAboutData else { return }
    self = StoreError(.rejected, "the store \(server) rejected the data (\(fault.words))")
  }

  /// Creates the error for a transaction that may or may not have been committed.
  ///
  /// - Parameters:
  ///   - fault: the reason why the server cannot be asked.
  ///   - server: the address of the store without its password.
  init(inDoubt fault: PostgresFault, _ server: String) {
    self.init(
      .inDoubt,
      "the connection to the store \(server) was lost during a commit (\(fault.words)), so the data"
        + " may be stored or not: check that the server runs; a daemon connects again by itself")
  }

  private init(state: String, _ words: String, _ server: String) {
    switch state {
    case "53200":
      self.init(
        .locked,
        "the server of the store \(server) is out of memory (\(words)): try again later")
    case "53100":
      self.init(
        .full,
        "the server of the store \(server) is out of disk space (\(words)): free some there")
    case "25006":
      self.init(
        .readOnly,
        "the server of the store \(server) accepts no writes (\(words)): if it is a standby, use"
          + " the address of the primary server")
    case "42501":
      self.init(
        .readOnly,
        "the user of the store \(server) lacks a permission (\(words)): grant it to this user")
    case "3D000", "28000", "28P01":
      self.init(.unreachable, "the store \(server) cannot be opened: \(words)")
    case "55P03", "57014", "40001", "40P01":
      self.init(.locked, "the store \(server) is busy (\(words)): try again later")
    case _ where state.hasPrefix("22") || state.hasPrefix("23") || state == "54000":
      self.init(.rejected, "the store \(server) rejected the data (\(words))")
    case "XX001", "XX002":
      self.init(
        .corrupt, "the store \(server) is damaged (\(words)): restore the database from a backup")
    case _ where state.hasPrefix("08") || state.hasPrefix("57P"):
      self.init(
        .unreachable,
        "the server of the store \(server) is not available now (\(words)): try again later; a"
          + " daemon connects again by itself")
    default:
      self.init(.unreachable, "the store \(server) cannot be used (\(words), \(state))")
    }
  }
}
