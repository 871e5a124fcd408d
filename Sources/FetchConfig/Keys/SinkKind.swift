import FetchModel
import Yams

/// A kind of sink in the config: its key of a hook, the keys of its mapping, and its reading. The
/// hook's keys, the reader, the JSON Schema and the reference page all use it.
struct SinkKind: Sendable {
  /// The hook's key with the sink. After a mistake, reading it leaves the hook's sink unchanged.
  let key: ConfigKey<HookReading>
  let section: ConfigSection

  /// - Parameters:
  ///   - title: the title of its table on the reference page.
  ///   - definition: its name among the definitions of the schema.
  ///   - short: the short form of the mapping.
  ///   - read: returns nil after it has noted why there is no sink.
  init<Settings>(
    _ name: String, _ summary: String, title: String, definition: String,
    or short: ConfigKind.Short? = nil, keys: ConfigKeys<Settings>,
    read: @escaping @Sendable (inout ConfigReader, Node) -> HookSink?
  ) {
    key = ConfigKey(name, as: .section(definition, or: short), summary) { reader, value, target in
      if let sink = read(&reader, value.node) { target.hook.sink = sink }
    }
    section = ConfigSection(title, definition, keys)
  }
}
