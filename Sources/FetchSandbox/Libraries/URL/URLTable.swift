import FetchValues

/// Converts URLs and queries to Lua tables, and back.
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
        throw .misuse("bad option 'port' for '\(function)' (0 to 65535 expected)")
      }
      parts.port = port
    }
    parts.path = try fields.string("path") ?? ""
    parts.query = try fields.string("query")
    parts.fragment = try fields.string("fragment")
    if parts.host != nil && !parts.path.isEmpty && parts.path.utf8.first != UInt8(ascii: "/") {
      parts.path = "/" + parts.path
    }
    // The result must be a valid URL, so that no part can inject another part.
    do { _ = try URLParts(parsing: parts.text) } catch { throw .misuse("\(function): \(error)") }
    return parts
  }

  /// Reads the next argument as the text of a path segment; nil at the end.
  static func nextSegment(_ arguments: inout LibraryArguments) throws(LibraryError) -> String? {
    switch try arguments.value() {
    case .null: nil
    case .string(let text): text
    case .integer(let number): "\(number)"
    case let value:
      throw .misuse("bad segment for 'url.join' (string expected, got \(value.kindName))")
    }
  }

  static func table(of pairs: [URLQuery.Pair]) -> Value {
    var order: [[UInt8]] = []
    var values: [[UInt8]: [Value]] = [:]
    for (name, value) in pairs {
      if values[name] == nil { order.append(name) }
      values[name, default: []].append(text(value))
    }
    // The keys of a tree must be UTF-8, so a name that is not UTF-8 keeps its escapes.
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
      throw .misuse("bad value in argument #1 to '\(function)' (got \(value.kindName))")
    }
  }
}
