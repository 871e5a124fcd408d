import FetchModel
import FetchValues

/// The commands `fetchrun token add|list|remove`. `fetchrun` passes these commands on to
/// `fetchrun-web`, the only program that reads and writes the file of tokens.
struct TokenActions {
  let file: AccessFile
  let now: Timestamp
  let random: () -> UInt64

  /// The output of a command: `lines` for standard output, and `messages` for the user.
  struct Output: Equatable {
    var lines: [String] = []
    var messages: [String] = []
  }

  struct Failed: Error, Equatable {
    var message: String
    var status: Int32 = 1

    static func usage(_ message: String) -> Failed { Failed(message: message, status: 64) }
  }

  /// Runs the command and returns its output.
  ///
  /// - Parameter words: the words after `token`.
  func run(_ words: [String]) throws(Failed) -> Output {
    var words = words[...]
    let verb = words.popFirst()
    let asJSON = words.contains("--json")
    words = words.filter { $0 != "--json" }[...]
    switch verb {
    case "add": return try add(words, asJSON: asJSON)
    case "list": return try list(asJSON: asJSON)
    case "remove": return try remove(words, asJSON: asJSON)
    default: throw .usage("use `fetchrun token add`, `token list` or `token remove`")
    }
  }

  // MARK: Add

  private func add(_ words: ArraySlice<String>, asJSON: Bool) throws(Failed) -> Output {
    var words = words
    guard let name = words.popFirst(), Self.isName(name) else {
      throw .usage(
        "invalid or missing token name: use at most 64 ASCII letters, digits, - and _; example:"
          + " `fetchrun token add phone`"
      )
    }
    let secret = AccessSecret.make(AccessSecret.tokenPrefix, random: random)
    var token = WebToken(
      name: name, hash: AccessSecret.hash(secret), scopes: [.read], createdAt: now)
    while let option = words.popFirst() {
      guard let value = words.popFirst() else { throw .usage("\(option) needs a value") }
      switch option {
      case "--scope": token.scopes = try Self.scopes(value)
      case "--jobs":
        token.jobs = (token.jobs ?? []) + value.split(separator: ",").map(String.init)
      case "--expires": token.expiresAt = now + (try Self.lifetime(value))
      default: throw .usage("unknown option '\(option)'")
      }
    }
    try keep(token)
    if asJSON {
      var object = token.shownValue
      object.append("token", .string(secret))
      return Output(lines: [Self.text(.object(object))])
    }
    return Output(
      lines: [secret],
      messages: ["added the token '\(name)'; copy it now, because it is not shown again"])
  }

  private func keep(_ token: WebToken) throws(Failed) {
    try change { records throws(AccessFileError) in
      if records.tokens.contains(where: { ExactText($0.name) == ExactText(token.name) }) {
        throw AccessFileError(
          "the token '\(token.name)' already exists; `fetchrun token remove \(token.name)` removes"
            + " it"
        )
      }
      guard records.tokens.count < AccessRecords.tokensMax else {
        throw AccessFileError(
          "there are already \(AccessRecords.tokensMax) tokens; remove some first with"
            + " `fetchrun token remove NAME`")
      }
      records.tokens.append(token)
    }
  }

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }

  private static func scopes(_ text: String) throws(Failed) -> Set<Scope> {
    var scopes: Set<Scope> = []
    for word in text.split(separator: ",") {
      guard let scope = Scope(rawValue: String(word)) else {
        let words = Scope.allCases.map(\.rawValue)
        throw .usage(
          "invalid scope '\(word)'\(NearestName.hint(String(word), among: words)): use "
            + words.joined(separator: ", "))
      }
      scopes.insert(scope)
    }
    guard !scopes.isEmpty else { throw .usage("--scope needs at least one scope") }
    return scopes
  }

  private static func lifetime(_ text: String) throws(Failed) -> Duration {
    do {
      let lifetime = try Duration(parsing: text)
      guard lifetime > .zero else { throw Failed.usage("--expires must be more than zero") }
      return lifetime
    } catch let error as Failed {
      throw error
    } catch { throw .usage("--expires: \(error)") }
  }

  // MARK: List and remove

  private func list(asJSON: Bool) throws(Failed) -> Output {
    let tokens: [WebToken]
    do throws(AccessFileError) { tokens = try file.records().tokens } catch {
      throw Failed(message: error.description)
    }
    if asJSON { return Output(lines: tokens.map { Self.text(.object($0.shownValue)) }) }
    if tokens.isEmpty {
      return Output(messages: ["there are no tokens; `fetchrun token add NAME` adds one"])
    }
    return Output(lines: tokens.map { line($0) })
  }

  private func line(_ token: WebToken) -> String {
    let scopes = Scope.allCases.filter(token.scopes.contains).map(\.rawValue)
    var parts = [token.name, scopes.joined(separator: ",")]
    if let jobs = token.jobs { parts.append("jobs \(PlainText.line(jobs.joined(separator: ",")))") }
    if let end = token.expiresAt {
      parts.append((end <= now ? "expired " : "expires ") + end.descriptionInSeconds)
    }
    parts.append(token.lastUsedAt.map { "last used \($0.descriptionInSeconds)" } ?? "never used")
    return parts.joined(separator: "  ")
  }

  private func remove(_ names: ArraySlice<String>, asJSON: Bool) throws(Failed) -> Output {
    guard !names.isEmpty else {
      throw .usage("missing token name: add the names of the tokens to remove")
    }
    var output = Output()
    try change { records throws(AccessFileError) in
      for name in names {
        guard
          let place = records.tokens.firstIndex(where: { ExactText($0.name) == ExactText(name) })
        else {
          let hint = NearestName.hint(name, among: records.tokens.map(\.name))
          throw AccessFileError("there is no token '\(PlainText.line(name))'\(hint)")
        }
        let removed = records.tokens.remove(at: place)
        if asJSON {
          output.lines.append(Self.text(.object(removed.shownValue)))
        } else {
          output.messages.append("removed the token '\(removed.name)'")
        }
      }
    }
    return output
  }

  private func change(
    _ body: (inout AccessRecords) throws(AccessFileError) -> Void
  ) throws(Failed) {
    do throws(AccessFileError) { try file.change(body) } catch {
      throw Failed(message: error.description)
    }
  }

  private static func text(_ value: Value) -> String {
    ShownJSON.text((try? JSONWriter.text(value)) ?? "{}")
  }
}
