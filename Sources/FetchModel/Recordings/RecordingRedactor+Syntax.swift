import FetchValues

/// The parts of headers and addresses in which secrets may be.
extension RecordingRedactor {
  /// Returns the credential without its scheme, for example `abc` for `Bearer abc`.
  static func credential(_ value: String) -> String {
    let parts = value.split(separator: " ", maxSplits: 1)
    return String(parts.count == 2 ? parts[1] : Substring(value))
  }

  /// Returns the password in a value with `Basic` credentials (RFC 7617); nil for other values and
  /// for a short password. Wrong padding is accepted.
  static func password(_ value: String) -> [UInt8]? {
    let parts = value.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "basic" else { return nil }
    let digits = parts[1].utf8.filter { $0 != UInt8(ascii: "=") }
    guard let pair = digits.withUnsafeBytes({ Base64.decode($0, strict: false) }),
      let colon = pair.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let password = Array(pair[(colon + 1)...])
    return password.count >= valueBytesMin ? password : nil
  }

  /// Splits the value of a `Set-Cookie` header into the cookie's name, value and attributes. The
  /// attributes are empty or begin with a semicolon. The result is nil if the cookie has no `=`.
  static func cookie(
    _ line: String
  ) -> (name: String, value: String, attributes: String)? {
    let end = line.firstIndex(of: ";") ?? line.endIndex
    guard let equals = line[..<end].firstIndex(of: "=") else { return nil }
    let value = line[line.index(after: equals)..<end]
    return (String(line[..<equals]), String(value), String(line[end...]))
  }

  /// Returns the fields in the query of an address, still percent-encoded. Fields without a value
  /// are left out.
  static func fields(_ url: String) -> [(name: String, value: String)] {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    let query = url[url.index(after: mark)...].prefix { $0 != "#" && $0 != ">" }
    return query.split(separator: "&").compactMap { field in
      guard let equals = field.firstIndex(of: "=") else { return nil }
      let value = field[field.index(after: equals)...]
      return value.isEmpty ? nil : (String(field[..<equals]), String(value))
    }
  }

  /// Splits the value of a `Link` header into the text before its first address, and one part for
  /// each address. The parts lack the `<` before them.
  static func links(_ value: String) -> [String] {
    value.split(separator: "<", omittingEmptySubsequences: false).map(String.init)
  }

  static func decoded(_ text: String) -> String {
    String(decoding: PercentEncoding.decode(text.utf8), as: UTF8.self)
  }
}
