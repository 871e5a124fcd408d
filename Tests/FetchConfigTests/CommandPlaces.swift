import FetchConfig
import FetchValues

/// The places of a config where a program can be named. The places are found in the schema. The
/// schema is generated from the reader's keys, so a new place is found automatically.
struct CommandPlaces {
  /// The path from the top of the file to each place. A path has keys, `*` for any name, and `[]`
  /// for an entry of a list.
  let paths: [[String]]

  init() {
    var walk = Walk()
    walk.visit(ConfigSchema.value, at: [], in: [])
    paths = walk.paths
  }

  private struct Walk {
    var paths: [[String]] = []
    private let definitions = ConfigSchema.value["$defs"]
    /// The names of lists of strings that are not the words of a command.
    private static let otherLists: Set = ["hosts", "private", "allow_private", "write", "jobs"]

    mutating func visit(_ schema: Value, at path: [String], in open: [String]) {
      if let name = schema["$ref"]?.stringValue?.split(separator: "/").last.map(String.init) {
        if name == "command" { return paths.append(path + ["run"]) }
        // A secret of an access token may itself be an access token with a secret.
        guard open.count(where: { $0 == name }) < 2 else { return }
        return visit(definitions?[name] ?? .null, at: path, in: open + [name])
      }
      let isList = schema["type"] == "array" && schema["items"] == ["type": "string"]
      let isNames = path == ["web", "metrics", "jobs"]
      if isList, !isNames, let key = path.last, !Self.otherLists.contains(key) {
        paths.append(path)
      }
      for choice in schema["anyOf"]?.arrayValue ?? [] { visit(choice, at: path, in: open) }
      if let items = schema["items"] { visit(items, at: path + ["[]"], in: open) }
      if let any = schema["additionalProperties"] { visit(any, at: path + ["*"], in: open) }
      for member in schema["properties"]?.objectValue?.members ?? [] {
        visit(member.value, at: path + [member.key], in: open)
      }
    }
  }

  /// Returns a whole config as JSON, with the given words at the given path, and with all required
  /// keys.
  static func config(_ path: [String], words: [String]) throws -> String {
    let value = value(path[...], below: "", words)
    var file = value.objectValue ?? ValueObject()
    if file["jobs"] == nil { file.append("jobs", [["name": "a", "plugin": "rss"]]) }
    return try JSONWriter.text(.object(file))
  }

  private static func value(
    _ path: ArraySlice<String>, below parent: String, _ words: [String]
  ) -> Value {
    guard let key = path.first else { return .array(words.map { .string($0) }) }
    let inner = value(path.dropFirst(), below: key == "[]" || key == "*" ? parent : key, words)
    if key == "[]" { return .array([inner]) }
    if key == "*" { return .object(ValueObject([("b", inner)])) }
    var object = ValueObject([(key, inner)])
    for (name, value) in needs[parent] ?? [] where name != key { object.append(name, value) }
    return .object(object)
  }

  /// The required keys of mappings, by the name of the mapping or of the list that contains it.
  private static let needs: [String: [(String, Value)]] = [
    "jobs": [("name", "a"), ("plugin", "rss")], "hooks": [("name", "h")],
    "webhook": [("url", "https://a.example/")], "lua": [("file", "./a.lua")],
    "email": [
      ("server", "smtps://a.example"), ("from", "a@a.example"), ("to", "b@a.example"),
      ("user", "a"),
    ],
    "oauth2": [("token_url", "https://a.example/"), ("client_id", "me")],
  ]
}
