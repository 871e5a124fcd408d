import FetchModel
package import FetchValues

/// The config file's JSON Schema (draft 2020-12), for editors; from the keys the reader goes by.
package enum ConfigSchema {
  package static let value: Value = {
    var schema = ValueObject([
      ("$schema", "https://json-schema.org/draft/2020-12/schema"),
      ("title", "fetchrun config"),
    ])
    for member in object(FileKey.self).members { schema.append(member.key, member.value) }
    schema.append(
      "$defs",
      .object(
        ValueObject([
          ("variable", variable), ("job", .object(object(JobKey.self))),
          (
            "defaults", .object(object(JobKey.allCases.filter { !$0.isOwn }))
          ),
          ("allow", .object(object(AllowKey.self))),
          ("hookallow", .object(object(HookAllowKey.self))),
          ("files", .object(object(FilesKey.self))),
          ("budget", .object(object(BudgetKey.self))),
          ("quota", .object(object(BudgetKey.allCases.filter(\.isOfJobs)))),
          ("lane", .object(object(LaneKey.self))),
          ("transfers", .object(object(TransfersKey.self))),
          ("keep", .object(object(KeepKey.self))),
          ("secret", .object(object(SecretKey.self))), ("oauth", .object(object(OAuthKey.self))),
          ("hook", .object(object(HookKey.self))),
          ("webhook", .object(object(WebhookKey.self))),
          ("command", .object(object(CommandKey.self))),
          ("filesink", .object(object(FileSinkKey.self))),
          ("email", .object(object(EmailKey.self))),
          ("luahook", .object(object(LuaHookKey.self))),
        ])))
    return .object(schema)
  }()

  /// Text with `${NAME}` in it may stand for anything.
  private static let variable: Value = [
    "type": "string", "pattern": #"\$\{[A-Za-z_][A-Za-z0-9_]*(:[-?][^}]*)?\}"#,
  ]

  private static func object<Key: ConfigKey>(_ keys: Key.Type) -> ValueObject {
    object(Array(Key.allCases))
  }

  private static func object(_ keys: [some ConfigKey]) -> ValueObject {
    let properties = keys.map { ($0.rawValue, property($0.entry)) }
    let required = keys.filter(\.entry.isRequired).map { Value.string($0.rawValue) }
    var object = ValueObject([
      ("type", "object"), ("properties", .object(ValueObject(properties))),
      ("additionalProperties", false),
    ])
    if !required.isEmpty { object.append("required", .array(required)) }
    return object
  }

  private static func property(_ entry: ConfigEntry) -> Value {
    var object = entry.kind.schema
    object.append("description", .string(entry.summary))
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
            SchemaPattern.condition, otherwise: "use network, ac-power or, for example, load < 2")))
    case .flag: Self.any([["type": "boolean"], Self.variable])
    case .duration:
      Self.matching(SchemaPattern.duration, otherwise: "use a duration such as 30s, 15m or 1h30m")
    case .pause: Self.matching(SchemaPattern.pause)
    case .window: Self.matching(SchemaPattern.window)
    case .choice(let words):
      Self.any([["enum": .array(words.map { .string($0) })], Self.variable])
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
    case .allow: Self.reference("allow")
    case .hookAllow: Self.reference("hookallow")
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
    case .oauth2: Self.reference("oauth")
    case .defaults: Self.reference("defaults")
    case .budget: Self.reference("budget")
    case .transfers: Self.reference("transfers")
    case .keep: Self.reference("keep")
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
    case .webhook: Self.any([["type": "string"], .object(Self.reference("webhook"))])
    case .command:
      Self.any([
        ["type": "array", "items": ["type": "string"]], .object(Self.reference("command")),
      ])
    case .fileSink: Self.any([["type": "string"], .object(Self.reference("filesink"))])
    case .email: Self.reference("email")
    case .luaHook: Self.any([["type": "string"], .object(Self.reference("luahook"))])
    case .jobs:
      ValueObject([("type", ["array", "null"]), ("items", .object(Self.reference("job")))])
    }
  }

  private static let variable: Value = ["$ref": "#/$defs/variable"]
  private static let day: Value = .object(matching(SchemaPattern.days))
  private static let block: Value = .object(matching(SchemaPattern.block))
  /// What the reader takes as text.
  private static let textTypes: Value = ["string", "number", "boolean"]

  /// Text of that form, or with a variable in it.
  ///
  /// - Parameter advice: what editors show instead of the pattern (yaml-language-server).
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
