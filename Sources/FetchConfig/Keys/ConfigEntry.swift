/// What there is to say about one key.
struct ConfigEntry: Sendable {
  var kind: ConfigKind
  /// One sentence part, without a full stop.
  var summary: String
  /// As it would be written; nil where leaving the key away means nothing more than that.
  var defaultText: String?
  var isRequired = false

  init(
    _ kind: ConfigKind, _ summary: String, default defaultText: String? = nil,
    isRequired: Bool = false
  ) {
    self.kind = kind
    self.summary = summary
    self.defaultText = defaultText
    self.isRequired = isRequired
  }
}
