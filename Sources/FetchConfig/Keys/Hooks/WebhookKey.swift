import FetchValues

/// The keys of `webhook`.
enum WebhookKey: String, ConfigKey {
  case url
  case headers
  case secret
  case body
  case contentType = "content_type"
  case timeout
  case allowPrivate = "allow_private"

  var entry: ConfigEntry {
    switch self {
    case .url: ConfigEntry(.text, "where it is sent", isRequired: true)
    case .headers: ConfigEntry(.headers, "further header fields")
    case .secret:
      ConfigEntry(
        .secret, "what it is signed with: `webhook-signature`, as Standard Webhooks has it")
    case .body: ConfigEntry(.text, "a template in place of the JSON, see <doc:Hooks>")
    case .contentType: ConfigEntry(.text, "the media type", default: "application/json")
    case .timeout: ConfigEntry(.duration, "how long an answer may take", default: "30s")
    case .allowPrivate:
      ConfigEntry(
        .blocks, "private, loopback and link-local addresses it may go to", default: "none")
    }
  }
}
