import FetchValues

/// The part of JSON Schema (draft 2020-12) that the config's schema uses. A check that reaches an
/// unknown keyword throws `UnknownKeyword`.
struct SchemaCheck {
  let root: Value

  struct UnknownKeyword: Error { var name: String }

  func accepts(_ value: Value) throws -> Bool { try accepts(value, root) }

  private func accepts(_ value: Value, _ schema: Value) throws -> Bool {
    if let flag = schema.boolValue { return flag }
    for member in schema.objectValue?.members ?? [] {
      guard try holds(member.key, member.value, schema, value) else { return false }
    }
    return true
  }

  private func holds(
    _ keyword: String, _ wanted: Value, _ schema: Value, _ value: Value
  ) throws -> Bool {
    switch keyword {
    case "$schema", "title", "$defs", "description", "examples", "patternErrorMessage": return true
    case "$ref": return try accepts(value, definition(wanted.stringValue ?? ""))
    case "type":
      let names = wanted.arrayValue ?? [wanted]
      return names.contains { isType($0.stringValue ?? "", value) }
    case "enum": return wanted.arrayValue?.contains(value) == true
    case "const": return wanted == value
    case "pattern":
      guard let text = value.stringValue else { return true }
      return try text.firstMatch(of: Regex(wanted.stringValue ?? "")) != nil
    case "minItems":
      return value.arrayValue.map { $0.count >= Int(wanted.integerValue ?? 0) } ?? true
    case "minimum": return (value.numberValue ?? .infinity) >= (wanted.numberValue ?? 0)
    case "maximum": return (value.numberValue ?? -.infinity) <= (wanted.numberValue ?? 0)
    case "anyOf": return try wanted.arrayValue?.contains { try accepts(value, $0) } == true
    case "items": return try value.arrayValue?.allSatisfy { try accepts($0, wanted) } ?? true
    case "required":
      guard let object = value.objectValue else { return true }
      return wanted.arrayValue?.allSatisfy { object[$0.stringValue ?? ""] != nil } == true
    case "properties", "additionalProperties":
      return try value.objectValue?.members.allSatisfy { member in
        let property = schema["properties"]?[member.key]
        guard keyword == "properties" else {
          return try property != nil || accepts(member.value, wanted)
        }
        return try property.map { try accepts(member.value, $0) } ?? true
      } ?? true
    default: throw UnknownKeyword(name: keyword)
    }
  }

  private func definition(_ reference: String) -> Value {
    root["$defs"]?[String(reference.dropFirst("#/$defs/".count))] ?? false
  }

  private func isType(_ name: String, _ value: Value) -> Bool {
    switch name {
    case "string": value.stringValue != nil
    case "integer": value.integerValue != nil
    case "number": value.numberValue != nil
    case "boolean": value.boolValue != nil
    // `objectValue` would also read an empty list as an empty object.
    case "object": if case .object = value { true } else { false }
    case "array": if case .array = value { true } else { false }
    case "null": value.isNull
    default: false
    }
  }
}
