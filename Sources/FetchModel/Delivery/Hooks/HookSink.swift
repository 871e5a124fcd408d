/// Where the deliveries of a hook go.
package enum HookSink: Equatable, Sendable {
  case webhook(WebhookSettings)
  case command(CommandSettings)
  case file(FeedFileSettings)
  case email(EmailSettings)
  case lua(LuaHookSettings)

  package var word: String {
    switch self {
    case .webhook: "webhook"
    case .command: "command"
    case .file: "file"
    case .email: "email"
    case .lua: "lua"
    }
  }
}
