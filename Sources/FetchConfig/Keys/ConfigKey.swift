/// The keys of one mapping of the config file. The reader, the JSON Schema and the reference page
/// all go by `entry`.
protocol ConfigKey: RawRepresentable<String>, CaseIterable, Sendable {
  var entry: ConfigEntry { get }
}
