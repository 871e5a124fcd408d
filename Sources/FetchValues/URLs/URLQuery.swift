/// The names and values of a query in the form of web forms (`application/x-www-form-urlencoded`).
/// In this form, `+` is a space, and `&` separates pairs.
package enum URLQuery {
  package typealias Pair = (name: [UInt8], value: [UInt8])

  /// Returns all pairs of a query in order. A name without `=` has an empty value. Empty pieces and
  /// a `?` at the beginning are ignored. Names and values need not be UTF-8.
  package static func pairs(of query: some Sequence<UInt8>) -> [Pair] {
    var bytes = Array(query)[...]
    if bytes.first == UInt8(ascii: "?") { bytes = bytes.dropFirst() }
    return bytes.split(separator: UInt8(ascii: "&")).map { piece in
      let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
      return (
        PercentEncoding.decode(piece[..<equals], plusIsSpace: true),
        PercentEncoding.decode(piece[equals...].dropFirst(), plusIsSpace: true)
      )
    }
  }

  /// Returns the pairs as the text of a query. A space becomes `%20`, not `+`.
  package static func text(of pairs: some Sequence<Pair>) -> String {
    var text: [UInt8] = []
    for (name, value) in pairs {
      if !text.isEmpty { text.append(UInt8(ascii: "&")) }
      text.append(contentsOf: PercentEncoding.encode(name))
      text.append(UInt8(ascii: "="))
      text.append(contentsOf: PercentEncoding.encode(value))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the query of a URL with the pairs appended; nil if there is no query and there are no
  /// pairs.
  package static func appending(_ pairs: some Sequence<Pair>, to query: String?) -> String? {
    let added = text(of: pairs)
    guard let query, !query.isEmpty else { return added.isEmpty ? query : added }
    return added.isEmpty ? query : "\(query)&\(added)"
  }
}
