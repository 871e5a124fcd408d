import FetchModel
import FetchValues

/// The kinds of sinks, with the keys of their mappings. A hook has exactly one sink.
enum SinkKeys {
  static let all: [SinkKind] = [webhook, command, file, email, LuaHookKeys.sink]

  private static let timeoutAllowed: ClosedRange<Duration> = .seconds(1)...(.seconds(3600))

  // MARK: Webhooks

  private static let webhook = SinkKind(
    "webhook", "a POST of the delivery's JSON", title: "A webhook", definition: "webhook",
    or: .text("address"), keys: webhookKeys
  ) { reader, node in
    if case .scalar = node {
      return reader.webhookURL(node).map { .webhook(WebhookSettings(url: $0)) }
    }
    var settings = WebhookSettings(url: "?")
    let isComplete = reader.section(node, "webhook", webhookKeys, into: &settings)
    return isComplete ? .webhook(settings) : nil
  }

  private typealias WebhookKey = ConfigKey<WebhookSettings>

  private static let webhookKeys = ConfigKeys<WebhookSettings>(
    prefix: "webhook.",
    [
      WebhookKey("url", as: .text, "the address", isRequired: true) {
        reader, value, settings in
        settings.url = reader.webhookURL(value.node) ?? settings.url
      },
      WebhookKey("headers", as: .headers, "additional header fields") { reader, value, settings in
        reader.setHeaders(value.node, in: &settings)
      },
      WebhookKey(
        "secret", .secret,
        "the key of the signature in `webhook-signature`, as in Standard Webhooks"
      ) { $0.secret = $1 },
      WebhookKey(
        "body", .template, "a template that replaces the JSON, see [Hooks](../Using/Hooks.md)"
      ) {
        $0.body = $1
      },
      WebhookKey("content_type", .line, "the media type", default: "application/json") {
        $0.contentType = $1
      },
      WebhookKey(
        "timeout", .duration(timeoutAllowed), "longest wait for the answer", default: "30s"
      ) { $0.timeout = $1 },
      WebhookKey(
        "allow_private", .blocks,
        "private, loopback and link-local addresses that may receive deliveries",
        default: "none"
      ) { $0.privateAddresses = $1 },
    ])

  // MARK: Commands

  private struct CommandReading {
    var settings = CommandSettings(words: [])
    var run: Node?
  }

  private static let command = SinkKind(
    "command", "a program that reads the delivery's JSON from standard input", title: "A command",
    definition: "command", or: .words, keys: commandKeys
  ) { reader, node in
    var command = CommandReading()
    if case .mapping = node {
      guard reader.section(node, "command", commandKeys, into: &command) else { return nil }
    } else {
      command.run = node
    }
    guard let run = command.run else { return nil }
    command.settings.words = reader.texts(run, "command").map(\.text)
    return reader.isProgram(run, command.settings) ? .command(command.settings) : nil
  }

  private typealias CommandKey = ConfigKey<CommandReading>

  private static let commandKeys = ConfigKeys<CommandReading>(
    prefix: "command.",
    [
      CommandKey("run", as: .program, "a program and its arguments", isRequired: true) {
        _, value, command in
        command.run = value.node
      },
      CommandKey(
        "shell", .flag, "whether `run` is a single string for `/bin/sh -c`", default: "false"
      ) { $0.settings.shell = $1 },
      CommandKey(
        "timeout", .duration(timeoutAllowed),
        "time after which the program and its process group are killed", default: "1m"
      ) { $0.settings.timeout = $1 },
      CommandKey(
        "env", as: .names,
        "variables of fetchrun's environment that the program receives in addition to `PATH`, "
          + "`HOME`, `LANG`, `LC_*`, `TZ`, `TMPDIR` and `FETCHRUN_*`; the source of a"
          + " secret is not allowed"
      ) { reader, value, command in
        command.settings.variables = reader.variables(value.node, value.path)
      },
    ])

  // MARK: Files

  private static let file = SinkKind(
    "file", "a file of JSON lines, or a feed", title: "A file", definition: "filesink",
    or: .text("path"), keys: fileKeys
  ) { reader, node in
    var settings = FeedFileSettings(path: "?")
    if case .scalar = node {
      guard let path = reader.line(node, "file") else { return nil }
      settings.path = path
    } else if !reader.section(node, "file", fileKeys, into: &settings) {
      return nil
    }
    // Without this check, the hook would write news into the file with the Lua code.
    if settings.path.hasSuffix(".lua") {
      reader.note(
        node,
        "`file` is for news, but '\(settings.path)' ends with .lua: for a hook file write lua:"
          + " \(settings.path)")
      return nil
    }
    return .file(settings)
  }

  private typealias FileKey = ConfigKey<FeedFileSettings>

  private static let fileKeys = ConfigKeys<FeedFileSettings>(
    prefix: "file.",
    [
      FileKey("path", .linePath, "the file", isRequired: true) { $0.path = $1 },
      FileKey(
        "format", .choice(FeedFileSettings.Format.self),
        "with `jsonl`, fetchrun appends lines to the file; with all other formats, the file is a"
          + " feed, which fetchrun rewrites as a whole", default: "jsonl"
      ) { $0.format = $1 },
      FileKey(
        "items", .count(FeedFileSettings.itemCountAllowed),
        "maximum number of items in a feed, which keeps the newest", default: "50"
      ) { $0.itemCount = $1 },
      FileKey("title", .line, "title of a feed", default: "the hook's name") { $0.title = $1 },
      FileKey("url", .line, "public address of the feed") { $0.url = $1 },
    ])

  // MARK: Mail

  private static let email = SinkKind(
    "email", "a message by SMTP", title: "An email", definition: "email", keys: emailKeys
  ) { reader, node in
    var settings = EmailSettings(server: "", from: "", to: [])
    return reader.section(node, "email", emailKeys, into: &settings) ? .email(settings) : nil
  }

  private typealias EmailKey = ConfigKey<EmailSettings>

  private static let emailKeys = ConfigKeys<EmailSettings>(
    prefix: "email.",
    [
      EmailKey(
        "server", as: .text, "`smtps://host`, or `smtp://host:587` with STARTTLS",
        isRequired: true
      ) { reader, value, settings in settings.server = reader.mailServer(value.node) ?? "" },
      EmailKey("from", as: .text, "the sender's address", isRequired: true) {
        reader, value, settings in
        settings.from = reader.address(value.node, value.path) ?? ""
      },
      EmailKey("to", as: .names, "the receivers' addresses", isRequired: true) {
        reader, value, settings in
        for (_, node) in reader.texts(value.node, value.path) {
          if let address = reader.address(node, value.path) { settings.to.append(address) }
        }
      },
      EmailKey("user", .line, "user name at the server") { $0.user = $1 },
      EmailKey("password", .secret, "the user's password") { $0.password = $1 },
      EmailKey(
        "subject", .template,
        "a template for the subject, see [Hooks](../Using/Hooks.md)"
      ) {
        $0.subject = $1
      },
      EmailKey(
        "allow_plain", .flag,
        "whether connections without encryption are allowed", default: "false"
      ) {
        $0.allowsPlain = $1
      },
      EmailKey(
        "allow_private", .blocks,
        "private, loopback and link-local addresses that the server may have; `false` for none",
        default: "`true`"
      ) { $0.privateAddresses = $1 },
      EmailKey("timeout", .duration(timeoutAllowed), "longest time for one message", default: "1m")
      {
        $0.timeout = $1
      },
    ])
}

/// A kind of sink in the config: the key that selects it in a hook, and the keys of the sink's
/// mapping. The hook's keys, the reader, the JSON Schema and the reference page all use this type.
struct SinkKind: Sendable {
  /// The key of a hook that selects this kind of sink. If no sink can be read from the value of the
  /// key, the hook's sink stays unchanged.
  let key: ConfigKey<HookReading>
  let section: ConfigSection

  /// - Parameters:
  ///   - title: the title of the kind's table on the reference page.
  ///   - definition: the name of the kind among the definitions of the schema.
  ///   - short: the short form of the mapping.
  ///   - read: the function that reads the sink. If it cannot read the sink, it reports the reason
  ///     and returns nil.
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
