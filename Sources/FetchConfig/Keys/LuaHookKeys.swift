import FetchModel
import FetchValues

/// The keys of the sink `lua`: a hook file with permissions, secrets and limits like those of a
/// job.
enum LuaHookKeys {
  static let name = "lua"

  static let sink = SinkKind(
    name, "a hook file, run in the sandbox", title: "A hook file", definition: "luahook",
    or: .text("path or name"), keys: keys
  ) { reader, node in
    if case .scalar = node {
      return reader.line(node, name).map { .lua(LuaHookSettings(file: $0)) }
    }
    var hook = LuaHookReading()
    let isComplete = reader.section(node, name, keys, into: &hook)
    hook.settings.secrets = hook.secrets.map(\.given)
    reader.checkAllowed(hook.settings, hook.secrets)
    return isComplete ? .lua(hook.settings) : nil
  }

  private struct LuaHookReading {
    var settings = LuaHookSettings(file: "?")
    var secrets: [ConfigReader.PlacedSecret] = []
  }

  private typealias Key = ConfigKey<LuaHookReading>

  private static let keys = ConfigKeys<LuaHookReading>(
    prefix: "lua.",
    [
      Key(
        "file", .line,
        "a path (with a slash, or the name of a `.lua` file beside the config), or a name in "
          + "`hooks/` of a plugin folder",
        isRequired: true
      ) { $0.settings.file = $1 },
      Key("options", as: .options, "the hook's options") { reader, value, hook in
        if let options = reader.object(value.node, value.name) { hook.settings.options = options }
      },
      Key(
        "hosts", .hosts,
        "hostnames that may be reached in addition to those that the file requests"
      ) {
        $0.settings.hosts = $1
      },
      Key("allow", as: .section("hookallow"), "the permissions of the hook file") {
        reader, value, hook in
        reader.section(value.node, value.path, AllowKeys.ofHook, into: &hook.settings.allow)
      },
      Key("allow_private", .blocks, "short form of `allow.private`", default: "none") {
        $0.settings.allow.add($1)
      },
      Key(
        "secrets", as: .jobSecrets,
        "the secrets that the file requests, under the file's names for them"
      ) {
        reader, value, hook in
        hook.secrets = reader.jobSecrets(value.node)
      },
      Key("limits", as: .limits, "limits that differ from the defaults") { reader, value, hook in
        hook.settings.limits = reader.limits(value.node, value.path)
      },
    ])
}
