import FetchModel
import Yams

/// A kind of sink as the config has it: its key of a hook, the keys of its mapping, and its reading.
/// The hook's keys, the reader, the JSON Schema and the reference page all use it.
struct SinkKind: Sendable {
  /// The key of a hook that has the sink. Its reading leaves the hook's sink as it is after a mistake.
  let key: ConfigKey<HookReading>
  let section: ConfigSection

  /// - Parameters:
  ///   - title: of its table on the reference page.
  ///   - definition: its name among the definitions of the schema.
  ///   - short: what may be written instead of the mapping.
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
