import FetchModel

/// The check for requests to literal addresses for which the manifest requests no permission. A run
/// refuses such a request, unless the config allows it.
extension CodeCheck {
  /// Finds requests such as `http.get("https://example.org/x")` without a permission for the
  /// server. Each server is reported once. A permission for an option's default value counts.
  static func refusedRequests(_ names: LuaNames, _ manifest: Manifest) -> [Finding] {
    let tokens = names.tokens
    var hosts = AskedPermissions(manifest, keepsFiles: false).all
      .compactMap { asked -> HostPattern? in
        if case .reach(let host) = asked { HostPattern(host) } else { nil }
      }
    let isWithoutPermissions = manifest.permissions == PermissionRequest()
    return names.used.compactMap { place in
      guard names.modules[tokens[place].text] == "http", let member = names.member(of: place),
        let text = literalAddress(tokens, after: member), let target = try? TargetURL(text),
        target.scheme != .file, !hosts.contains(where: { $0.matches(target) })
      else { return nil }
      let needed = HostPattern.needed(for: target, in: hosts)
      let missing = HostPattern.missingPlace(of: target, in: hosts)
      hosts += HostPattern(needed).map { [$0] } ?? []
      let addition =
        isWithoutPermissions
        ? "permissions = { http = { \"\(needed)\" } } to the manifest"
        : "\"\(needed)\" to permissions.http"
      return (
        tokens[place].line, "the manifest does not ask to reach \(missing); add \(addition)"
      )
    }
  }

  /// Returns the address of a call if the address is a string without escapes: the first argument,
  /// or the field `url` of a table that is the first argument. `place` is the index of the
  /// function's name.
  private static func literalAddress(_ tokens: [LuaToken], after place: Int) -> String? {
    guard place + 2 < tokens.count else { return nil }
    let isInParentheses = tokens[place + 1].isWord("(")
    let first = isInParentheses ? place + 2 : place + 1
    if tokens[first].isWord("{") {
      return keys(tokens, ofTableAt: first).first { tokens[$0].text == "url" }
        .flatMap { literal(tokens, $0 + 2) }
    }
    guard tokens[first].kind == .string, !tokens[first].text.contains("\\") else { return nil }
    guard isInParentheses else { return tokens[first].text }
    let isWhole =
      first + 1 < tokens.count && [",", ")"].contains(where: tokens[first + 1].isWord)
    return isWhole ? tokens[first].text : nil
  }
}
