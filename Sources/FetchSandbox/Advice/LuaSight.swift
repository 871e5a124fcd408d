import FetchValues
import LuaVM

/// What a value of a plugin was when its run failed.
struct LuaSight {
  var type: String
  /// How long a list it is.
  var count: Int64
  /// The names of its fields and methods, as far as they are few.
  var names: [String]

  /// Nil where nobody knows what the path stands for.
  init?(of path: [Value], in lua: LuaRun) {
    guard
      let object = (try? Value(encoded: Array(lua.describe(Value.array(path).encoded))))?
        .objectValue,
      let type = object["type"]?.stringValue
    else { return nil }
    self.init(
      type: type, count: object["count"]?.integerValue ?? 0,
      names: object["names"]?.arrayValue?.compactMap(\.stringValue) ?? [])
  }

  init(type: String, count: Int64 = 0, names: [String] = []) {
    self.type = type
    self.count = count
    self.names = Set(names).filter { !$0.hasPrefix("__") }.sorted()
  }

  /// As many names are listed.
  private static let namesMax = 12

  /// Why a field, or a method, of it is nil: `(it has books, total)`.
  func lacking(_ name: String) -> String {
    guard !names.isEmpty else {
      return count > 0 ? " (it is a list of \(count))" : " (it is empty)"
    }
    let listed = names.prefix(Self.namesMax).joined(separator: ", ")
    let more = names.count > Self.namesMax ? " …" : ""
    let meant = NearestName.of(name, among: names).map { "did you mean '\($0)'? it" } ?? "it"
    return " (\(meant) has \(listed)\(more))"
  }
}
