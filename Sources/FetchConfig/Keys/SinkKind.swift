import FetchModel

/// A kind of sink in the config: its key of a hook, the keys of its mapping, and the function that
/// reads the mapping. The hook's keys, the reader, the JSON Schema and the reference page all use
/// it.
struct SinkKind: Sendable {
  /// The hook's key for the sink. If its value has a mistake, the hook's sink stays unchanged.
  let key: ConfigKey<HookReading>
  let section: ConfigSection

  /// - Parameters:
  ///   - title: the title of the kind's table on the reference page.
  ///   - definition: the name of the kind among the definitions of the schema.
  ///   - short: the short form of the mapping.
  ///   - read: the function that reads the sink, and returns nil after it has reported why there is
  ///     no sink.
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
