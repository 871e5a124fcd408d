/// The description of one key for the schema and the reference page.
struct ConfigEntry: Sendable {
  var name: String
  var kind: ConfigKind
  /// The description of the key's value, as part of a sentence without a full stop.
  var summary: String
  /// The default in the form in which a user would write it; nil if there is none.
  var defaultText: String?
  var isRequired = false
  /// Whether mappings that are derived from this mapping lack the key. For example, `defaults` has
  /// no `name`, and a job's budget has no `runs`.
  var isOwn = false
}
