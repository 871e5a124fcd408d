import FetchValues
import LuaVM

/// The type and contents of a value in the plugin's code when the run failed.
struct LuaSight {
  var type: String
  /// The length of a table as a list; 0 for other values.
  var count: Int64
  /// Whether the value is a table without entries of its own.
  var isEmpty: Bool
  /// The sorted names of the value's fields and methods, without names that begin with `__`. Lua
  /// reports at most 60 names, of at most 40 bytes each.
  var names: [String]

  /// Creates the description of the value at `path`; nil if Lua cannot follow the path.
  init?(of path: [Value], in lua: LuaRun) {
    guard
      let object = (try? Value(encoded: Array(lua.describe(Value.array(path).encoded))))?
        .objectValue,
      let type = object["type"]?.stringValue
    else { return nil }
    self.init(
      type: type, count: object["count"]?.integerValue ?? 0,
      isEmpty: object["empty"]?.integerValue == 1,
      names: object["names"]?.arrayValue?.compactMap(\.stringValue) ?? [])
  }

  private init(type: String, count: Int64, isEmpty: Bool, names: [String]) {
    self.type = type
    self.count = count
    self.isEmpty = isEmpty
    self.names = Set(names).filter { !$0.hasPrefix("__") }.sorted()
  }

  private static let namesMax = 12

  /// Returns the end of a message about a missing field or method. The text says what the value has
  /// instead, such as ` (it has books, total)`. The text is empty if nothing is known.
  func lacking(_ name: String) -> String {
    guard !names.isEmpty else {
      if count > 0 { return " (it is a list of \(counted(Int(count), "value")))" }
      return isEmpty ? " (it is empty)" : ""
    }
    let listed = names.prefix(Self.namesMax).joined(separator: ", ")
    let more = names.count > Self.namesMax ? " …" : ""
    let meant = NearestName.of(name, among: names).map { "did you mean '\($0)'? it" } ?? "it"
    return " (\(meant) has \(listed)\(more))"
  }
}
