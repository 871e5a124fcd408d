import FetchValues

/// The JSON Schema of lines, answers and bodies of requests.
enum RouteSchema {
  /// Returns the schema of an object to which a later version may add members.
  static func open(_ fields: [RouteField]) -> Value { .object(object(fields)) }

  /// Returns the schema of an object in a request. Members that are not in `fields` are invalid.
  static func closed(_ fields: [RouteField]) -> Value {
    var schema = object(fields)
    schema.append("additionalProperties", false)
    return .object(schema)
  }

  private static func object(_ fields: [RouteField]) -> ValueObject {
    let required = fields.filter { !$0.isOptional }.map { Value.string($0.name) }
    return ValueObject([
      ("type", "object"), ("required", .array(required)),
      ("properties", .object(ValueObject(fields.map { ($0.name, schema($0)) }))),
    ])
  }

  private static func schema(_ field: RouteField) -> Value {
    let schema = schema(field.kind)
    return field.isNullable ? ["anyOf": [schema, ["type": "null"]]] : schema
  }

  private static func schema(_ kind: RouteField.Kind) -> Value {
    switch kind {
    case .text: ["type": "string"]
    case .digits(let count): ["type": "string", "pattern": .string("^[0-9a-f]{\(count)}$")]
    case .integer: ["type": "integer"]
    case .number: ["type": "number"]
    case .flag: ["type": "boolean"]
    case .time: ["type": "string", "format": "date-time"]
    case .object: ["type": "object"]
    case .fields(let fields): open(fields)
    case .list(let kind): ["type": "array", "items": schema(kind)]
    case .choice(let words): ["type": "string", "enum": .array(words.map(Value.string))]
    case .any: [:]
    }
  }
}
