package import FetchModel

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
    case .text, .path, .zone: ValueObject([("type", ["string", "number"])])
    case .interval:
      ValueObject([
        ("type", "string"), ("examples", ["adaptive", "never", "15m", "0 7 * * mon-fri"]),
      ])
    case .paths, .hosts, .windows, .days, .conditions: Self.oneOrMore(["type": "string"])
    case .flag: Self.any([["type": "boolean"], Self.variable])
    case .duration:
      Self.any([["type": "string", "pattern": .string(Self.durationPattern)], Self.variable])
    case .choice(let words):
      Self.any([["enum": .array(words.map { .string($0) })], Self.variable])
    case .count(let range): Self.any([Self.number(range), Self.variable])
    case .rates(let quantity):
      Self.oneOrMore(["type": "string", "pattern": .string(Self.ratePattern(quantity))])
    case .priority:
      Self.any([["enum": ["low", "normal", "high"]], Self.number(1...99), Self.variable])
    case .options: ValueObject([("type", "object")])
    case .limits:
      ValueObject([
        ("type", "object"),
        (
          "properties",
          .object(
            ValueObject(RunLimits.names.map { ($0, ["type": ["string", "integer"]]) }))
        ),
        ("additionalProperties", false),
      ])
    case .size: Self.any([["type": "string", "pattern": .string(Self.sizePattern)]])
    case .files: Self.reference("files")
    case .allow: Self.reference("allow")
    case .hookAllow: Self.reference("hookallow")
    case .places:
      Self.any([
        ["type": "boolean"], ["type": "array", "items": ["type": "string"]], Self.variable,
      ])
    case .blocks:
      Self.any([
        ["type": "boolean"], ["type": "string"], ["type": "array", "items": ["type": "string"]],
      ])
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
    case .quota: Self.reference("quota")
    case .lanes:
      ValueObject([
        ("type", "object"), ("additionalProperties", .object(Self.reference("lane"))),
      ])
    case .hooks: ValueObject([("type", "array"), ("items", .object(Self.reference("hook")))])
    case .events:
      Self.oneOrMore(["enum": .array(HookEvent.allCases.map { .string($0.rawValue) })])
    case .filter: ValueObject([("type", "string")])
    case .names: Self.oneOrMore(["type": "string"])
    case .program: Self.oneOrMore(["type": "string"])
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
  private static let durationPattern =
    #"^ *([0-9]+(\.[0-9]+)? *(w|d|h|ms|m|s) *)+$|\$\{"#

  private static let sizePattern = #"^ *[0-9.]+ *[kKmMgGtT]?[iI]?[bB] *$|\$\{"#

  private static func ratePattern(_ quantity: Rate.Quantity) -> String {
    switch quantity {
    case .count: #"^ *[0-9]+ */ *[hd] *$|\$\{"#
    case .bytes: #"^ *[0-9.]+ *[kKmMgGtT]?[iI]?[bB] */ *[hd] *$|\$\{"#
    case .time: #"^ *([0-9]+(\.[0-9]+)? *(w|d|h|ms|m|s) *)+/ *[hd] *$|\$\{"#
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
