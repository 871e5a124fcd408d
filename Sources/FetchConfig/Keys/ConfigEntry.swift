/// The description of one key in the schema and on the reference page.
struct ConfigEntry: Sendable {
  var name: String
  var kind: ConfigKind
  /// One sentence part, without a full stop.
  var summary: String
  /// The default as a user would write it; nil if a missing key has no further meaning.
  var defaultText: String?
  var isRequired = false
  /// Whether the derived mapping lacks it: `defaults` has no job's name, a job's budget no `runs`.
  var isOwn = false
}
