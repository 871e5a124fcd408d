import FetchValues

/// The pure functions of `require "url"`.
package enum URLLibrary {
  package static let functions: [LibraryFunction] = [
    parse, build, resolve, normalize, join, encode, decode, query,
  ]

  /// `url.parse(text) -> {scheme, user, password, host, port, path, query, fragment}`: returns the
  /// parts that the URL or relative reference has, with the scheme in lower case. Returns `nil,
  /// message` if the text is invalid.
  private static let parse = LibraryFunction("url.parse") {
    arguments, _, writer throws(LibraryError) in
    let parts: URLParts
    do { parts = try URLParts(parsing: try arguments.string()) } catch let error as URLError {
      throw .refused("\(error)")
    } catch let error as LibraryError {
      throw error
    } catch { throw .refused("\(error)") }
    writer.write(.object(URLTable.object(parts)))
    return 1
  }

  /// `url.build(parts) -> text`, the opposite of `url.parse`.
  private static let build = LibraryFunction("url.build") {
    arguments, _, writer throws(LibraryError) in
    let parts = try URLTable.parts(try arguments.value(), function: "url.build")
    writer.write(parts.text)
    return 1
  }

  /// `url.resolve(base, link) -> text`, or `nil, message` if the base or the result is not an
  /// absolute URL.
  private static let resolve = LibraryFunction("url.resolve") {
    arguments, _, writer throws(LibraryError) in
    let base = try arguments.optionalString()
    let link = try arguments.string()
    let resolver = URLResolver(base: base)
    if let base, !resolver.hasBase {
      throw .refused("'\(base.prefix(200))' is not a valid absolute URL")
    }
    guard let target = resolver.resolve(link) else {
      throw .refused("'\(link.prefix(200))' does not resolve to a URL")
    }
    writer.write(target)
    return 1
  }

  /// `url.normalize(text) -> text`, or `nil, message` if the text is invalid: returns the URL in a
  /// normal form, in which URLs can be compared.
  private static let normalize = LibraryFunction("url.normalize") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.string()
    do { writer.write(try URLParts(parsing: text).normalized.text) } catch {
      throw .refused("\(error)")
    }
    return 1
  }

  /// `url.join(base, segment...) -> text`, or `nil, message` if the base is invalid: appends path
  /// segments, each escaped. Drops the base's query and fragment.
  private static let join = LibraryFunction("url.join") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.string()
    var parts: URLParts
    do { parts = try URLParts(parsing: text) } catch { throw .refused("\(error)") }
    parts.query = nil
    parts.fragment = nil
    while let segment = try URLTable.nextSegment(&arguments) {
      if parts.path.utf8.last != UInt8(ascii: "/") { parts.path += "/" }
      parts.path += PercentEncoding.encode(segment)
    }
    writer.write(parts.text)
    return 1
  }

  /// `url.encode(text) -> text`: escapes all bytes except letters, digits and `-._~`.
  private static let encode = LibraryFunction("url.encode") {
    arguments, _, writer throws(LibraryError) in
    writer.write(bytes: PercentEncoding.encode(try arguments.bytes()))
    return 1
  }

  /// `url.decode(text) -> text`: resolves percent-encoding. A `+` stays unchanged.
  private static let decode = LibraryFunction("url.decode") {
    arguments, _, writer throws(LibraryError) in
    writer.write(bytes: PercentEncoding.decode(try arguments.bytes()))
    return 1
  }

  /// `url.query(text) -> table`: returns the values by name, with a list for a repeated name.
  ///
  /// `url.query(table) -> text`: returns the query. Names are sorted by their bytes, and a list of
  /// values repeats its name. A list of `{name, value}` pairs keeps its order.
  private static let query = LibraryFunction("url.query") {
    arguments, _, writer throws(LibraryError) in
    switch try arguments.value() {
    case .string(let text): writer.write(URLTable.table(of: URLQuery.pairs(of: text.utf8)))
    case .bytes(let text): writer.write(URLTable.table(of: URLQuery.pairs(of: text)))
    case let table:
      writer.write(URLQuery.text(of: try URLTable.pairs(table, function: "url.query")))
    }
    return 1
  }
}

/// The conversion between URLs or queries and Lua tables.
enum URLTable {
  static func object(_ parts: URLParts) -> ValueObject {
    var object = ValueObject()
    func add(_ key: String, _ text: String?) {
      if let text { object.append(key, .string(text)) }
    }
    add("scheme", parts.scheme)
    add("user", parts.user)
    add("password", parts.password)
    add("host", parts.host)
    if let port = parts.port { object.append("port", .integer(Int64(port))) }
    add("path", parts.path)
    add("query", parts.query)
    add("fragment", parts.fragment)
    return object
  }

  static func parts(_ value: Value, function: String) throws(LibraryError) -> URLParts {
    let fields = try LibraryOptions(
      value, function: function,
      known: ["scheme", "user", "password", "host", "port", "path", "query", "fragment"])
    var parts = URLParts()
    parts.scheme = try fields.string("scheme")
    parts.user = try fields.string("user")
    parts.password = try fields.string("password")
    parts.host = try fields.string("host")
    if let number = try fields.integer("port") {
      guard let port = UInt16(exactly: number) else {
        throw .misuse("bad field 'port' in '\(function)' (0 to 65535 expected)")
      }
      parts.port = port
    }
    parts.path = try fields.string("path") ?? ""
    parts.query = try fields.string("query")
    parts.fragment = try fields.string("fragment")
    if parts.host != nil && !parts.path.isEmpty && parts.path.utf8.first != UInt8(ascii: "/") {
      parts.path = "/" + parts.path
    }
    // Refuses parts that together are not a valid URL. A part may still contain a delimiter, such
    // as `?` in the path.
    do { _ = try URLParts(parsing: parts.text) } catch { throw .misuse("\(function): \(error)") }
    return parts
  }

  /// Reads the next argument as the text of a path segment; nil if the argument is missing or nil.
  static func nextSegment(_ arguments: inout LibraryArguments) throws(LibraryError) -> String? {
    switch try arguments.value() {
    case .null: nil
    case .string(let text): text
    case .integer(let number): "\(number)"
    case let value:
      throw .misuse(
        "bad segment for 'url.join' (string or integer expected, got \(value.kindName))")
    }
  }

  static func table(of pairs: [URLQuery.Pair]) -> Value {
    var order: [[UInt8]] = []
    var values: [[UInt8]: [Value]] = [:]
    for (name, value) in pairs {
      if values[name] == nil { order.append(name) }
      values[name, default: []].append(text(value))
    }
    // The keys of an object must be UTF-8, so a name that is not UTF-8 is percent-encoded.
    let members = order.map { name -> (String, Value) in
      let all = values[name] ?? []
      let key = String(validating: name, as: UTF8.self) ?? escaped(name)
      return (key, all.count == 1 ? all[0] : .array(all))
    }
    return .object(ValueObject(members))
  }

  private static func escaped(_ name: [UInt8]) -> String {
    String(decoding: PercentEncoding.encode(name), as: UTF8.self)
  }

  private static func text(_ bytes: [UInt8]) -> Value {
    String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .bytes(bytes)
  }

  static func pairs(_ value: Value, function: String) throws(LibraryError) -> [URLQuery.Pair] {
    if let list = value.arrayValue {
      var pairs: [URLQuery.Pair] = []
      for element in list {
        guard let pair = element.arrayValue, pair.count == 2 else {
          throw .misuse("bad argument #1 to '\(function)' (a list of {name, value} expected)")
        }
        pairs.append((try scalar(pair[0], function), try scalar(pair[1], function)))
      }
      return pairs
    }
    guard let object = value.objectValue else {
      throw .misuse(
        "bad argument #1 to '\(function)' (string or table expected, got \(value.kindName))")
    }
    var pairs: [URLQuery.Pair] = []
    for member in object.sortedByKey.members {
      let name = Array(member.key.utf8)
      for value in member.value.arrayValue ?? [member.value] {
        pairs.append((name, try scalar(value, function)))
      }
    }
    return pairs
  }

  private static func scalar(_ value: Value, _ function: String) throws(LibraryError) -> [UInt8] {
    switch value {
    case .string(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    case .integer(let number): Array("\(number)".utf8)
    case .number(let number): Array(LuaNumber.text(number).utf8)
    case .bool(let flag): Array("\(flag)".utf8)
    case .null: []
    case .array, .object:
      throw .misuse(
        "bad value in argument #1 to '\(function)' (string, number or boolean expected,"
          + " got \(value.kindName))")
    }
  }
}
