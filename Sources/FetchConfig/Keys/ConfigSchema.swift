import FetchModel
package import FetchValues

/// The JSON Schema (draft 2020-12) with which editors check the config file. It is made from the
/// keys that the config reader uses.
package enum ConfigSchema {
  package static let value: Value = {
    var schema = ValueObject([
      ("$schema", "https://json-schema.org/draft/2020-12/schema"),
      ("title", "fetchrun config"),
    ])
    for section in ConfigSection.all where section.definition == nil {
      for member in object(section.entries).members { schema.append(member.key, member.value) }
    }
    let definitions = ConfigSection.all.compactMap { section in
      section.definition.map { ($0, Value.object(object(section.entries))) }
    }
    schema.append("$defs", .object(ValueObject([("variable", variable)] + definitions)))
    return .object(schema)
  }()

  /// The schema of a text that contains `${NAME}`. The variable can have any value.
  private static let variable: Value = [
    "type": "string", "pattern": #"\$\{[A-Za-z_][A-Za-z0-9_]*(:[-?][^}]*)?\}"#,
  ]

  private static func object(_ entries: [ConfigEntry]) -> ValueObject {
    let properties = entries.map { ($0.name, property($0)) }
    let required = entries.filter(\.isRequired).map { Value.string($0.name) }
    var object = ValueObject([
      ("type", "object"), ("properties", .object(ValueObject(properties))),
      ("additionalProperties", false),
    ])
    if !required.isEmpty { object.append("required", .array(required)) }
    return object
  }

  /// Returns a summary without the addresses of its links, for editors.
  private static func plain(_ summary: String) -> String {
    summary.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
  }

  private static func property(_ entry: ConfigEntry) -> Value {
    var object = entry.kind.schema
    object.append("description", .string(plain(entry.summary)))
    return .object(object)
  }
}

extension ConfigKind {
  fileprivate var schema: ValueObject {
    switch self {
    case .text, .path: ValueObject([("type", Self.textTypes)])
    case .zone: Self.matching(SchemaPattern.zone)
    case .interval:
      Self.matching(
        SchemaPattern.interval, examples: ["adaptive", "never", "15m", "0 7 * * mon-fri"],
        otherwise: "use never, adaptive, a duration such as 15m, or a cron line such as"
          + " '0 7 * * mon-fri'")
    case .paths, .names, .program: Self.oneOrMore(["type": Self.textTypes])
    case .hosts: Self.oneOrMore(.object(Self.matching(SchemaPattern.host)))
    case .windows: Self.oneOrMore(.object(Self.matching(SchemaPattern.dayWindow)))
    case .days:
      Self.any([Self.day, ["type": "array", "items": Self.day, "minItems": 1]])
    case .conditions:
      Self.oneOrMore(
        .object(
          Self.matching(
            SchemaPattern.condition, otherwise: "use network, ac-power, or a load such as load < 2")
        ))
    case .flag: Self.any([["type": "boolean"], Self.variable])
    case .duration:
      Self.matching(SchemaPattern.duration, otherwise: "use a duration such as 30s, 15m or 1h30m")
    case .pause: Self.matching(SchemaPattern.pause)
    case .window: Self.matching(SchemaPattern.window)
    case .choice(let words):
      Self.any([["enum": .array(words.map { .string($0) })], Self.variable])
    case .choices(let words): Self.oneOrMore(["enum": .array(words.map { .string($0) })])
    case .metricsJobs:
      Self.any([
        Self.number(0...WebSettings.metricsJobsMax), ["const": false],
        ["type": "array", "items": ["type": "string"]], Self.variable,
      ])
    case .count(let range): Self.any([Self.number(range), Self.variable])
    case .rate: Self.matching(SchemaPattern.rate(.count))
    case .rates(let quantity):
      Self.oneOrMore(.object(Self.matching(SchemaPattern.rate(quantity))))
    case .priority:
      Self.any([.object(Self.matching(SchemaPattern.priority)), Self.number(1...99)])
    case .firstRun:
      Self.matching(SchemaPattern.firstRun, examples: ["all", "baseline", "latest:10"])
    case .options: ValueObject([("type", "object")])
    case .limits:
      ValueObject([
        ("type", "object"),
        (
          "properties",
          .object(
            ValueObject(RunLimits.names.map { ($0, Self.limit($0)) }))
        ),
        ("additionalProperties", false),
      ])
    case .size: Self.matching(SchemaPattern.size)
    case .files: Self.reference("files")
    case .places:
      Self.any([
        ["type": "boolean"], ["type": "array", "items": ["type": "string"]], Self.variable,
      ])
    case .blocks:
      Self.any([["type": "boolean"], .object(Self.oneOrMore(Self.block))])
    case .words: ValueObject([("type", "array"), ("items", ["type": "string"])])
    case .secrets:
      ValueObject([
        ("type", "object"), ("additionalProperties", .object(Self.reference("secret"))),
      ])
    case .jobSecrets:
      ValueObject([
        ("type", "object"),
        (
          "additionalProperties",
          .object(Self.any([["const": true], .object(Self.reference("secret"))]))
        ),
      ])
    case .secret: Self.reference("secret")
    case .defaults: Self.reference("defaults")
    case .quota: Self.reference("quota")
    case .lanes:
      ValueObject([
        ("type", "object"), ("additionalProperties", .object(Self.reference("lane"))),
      ])
    case .hooks: ValueObject([("type", "array"), ("items", .object(Self.reference("hook")))])
    case .events:
      Self.oneOrMore(["enum": .array(HookEvent.allCases.map { .string($0.rawValue) })])
    case .filter: ValueObject([("type", "string")])
    case .headers:
      ValueObject([
        ("type", "object"),
        (
          "additionalProperties",
          .object(Self.any([["type": ["string", "number"]], .object(Self.reference("secret"))]))
        ),
      ])
    case .section(let name, or: nil): Self.reference(name)
    case .section(let name, .text?):
      Self.any([["type": "string"], .object(Self.reference(name))])
    case .section(let name, .words?):
      Self.any([
        ["type": "array", "items": ["type": "string"]], .object(Self.reference(name)),
      ])
    case .jobs:
      ValueObject([("type", ["array", "null"]), ("items", .object(Self.reference("job")))])
    }
  }

  private static let variable: Value = ["$ref": "#/$defs/variable"]
  private static let day: Value = .object(matching(SchemaPattern.days))
  private static let block: Value = .object(matching(SchemaPattern.block))
  /// The types that the reader accepts where it expects a text.
  private static let textTypes: Value = ["string", "number", "boolean"]

  /// Returns the schema of a text that matches the pattern or contains a variable.
  ///
  /// - Parameter advice: the text that editors show instead of the pattern (yaml-language-server).
  private static func matching(
    _ pattern: String, examples: Value? = nil, otherwise advice: String? = nil
  ) -> ValueObject {
    var object = ValueObject([
      ("type", "string"), ("pattern", .string("\(pattern)|\\$\\{")),
    ])
    if let examples { object.append("examples", examples) }
    if let advice { object.append("patternErrorMessage", .string(advice)) }
    return object
  }

  private static func limit(_ name: String) -> Value {
    switch RunLimits.kind(of: name) {
    case .duration?: .object(matching(SchemaPattern.window))
    case .size(let range)?: .object(any([.object(matching(SchemaPattern.size)), number(range)]))
    case .count(let range)?: .object(any([number(range), variable]))
    case nil: false
    }
  }

  private static func number(_ range: ClosedRange<Int>) -> Value {
    [
      "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
      "maximum": .integer(Int64(range.upperBound)),
    ]
  }

  private static func any(_ schemas: [Value]) -> ValueObject {
    ValueObject([("anyOf", .array(schemas))])
  }

  private static func oneOrMore(_ schema: Value) -> ValueObject {
    any([schema, ["type": "array", "items": schema]])
  }

  private static func reference(_ name: String) -> ValueObject {
    ValueObject([("$ref", .string("#/$defs/" + name))])
  }
}
