import FetchModel
import FetchValues
import Yams

/// Where hooks go.
extension ConfigReader {
  private static let timeoutAllowed: ClosedRange<Duration> = .seconds(1)...(.seconds(3600))

  mutating func webhook(_ node: Node) -> WebhookSettings? {
    var settings = WebhookSettings(url: "")
    if case .scalar = node {
      settings.url = webhookURL(node) ?? ""
      return settings.url.isEmpty ? nil : settings
    }
    guard let mapping = mapping(node, "webhook") else { return nil }
    for (key, _, node) in entries(mapping, WebhookKey.self) {
      let name = "webhook." + key.rawValue
      switch key {
      case .url: settings.url = webhookURL(node) ?? "?"
      case .headers: setHeaders(node, in: &settings)
      case .secret: settings.secret = innerSource(node, name)
      case .body: settings.body = template(node, name)
      case .contentType: settings.contentType = line(node, name)
      case .timeout:
        settings.timeout = duration(node, name, Self.timeoutAllowed) ?? settings.timeout
      case .allowPrivate: settings.privateAddresses = privateAddresses(node, name)
      }
    }
    if settings.url.isEmpty { note(node, "webhook needs url") }
    return settings.url.isEmpty ? nil : settings
  }

  private mutating func webhookURL(_ node: Node) -> String? {
    guard let text = text(node, "webhook.url") else { return nil }
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
      note(node, "webhook.url must begin with http:// or https://")
      return nil
    }
    do {
      _ = try TargetURL(text)
      return text
    } catch {
      note(node, "webhook.url: \(error.message)")
      return nil
    }
  }

  private mutating func setHeaders(_ node: Node, in settings: inout WebhookSettings) {
    guard let mapping = mapping(node, "webhook.headers") else { return }
    for (keyNode, node) in mapping {
      let name = keyNode.string ?? ""
      guard Self.isHeaderName(name) else {
        note(keyNode, "'\(name)' is no name of a header field")
        continue
      }
      if case .mapping = node {
        guard let source = innerSource(node, name) else { continue }
        settings.secretHeaders.append(WebhookSettings.SecretHeader(name: name, source: source))
      } else if let value = line(node, name) {
        settings.headers.append(HTTPField(name, value))
      }
    }
  }

  private static func isHeaderName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  private mutating func template(_ node: Node, _ name: String) -> String? {
    guard let text = text(node, name) else { return nil }
    do throws(FilterProblem) { _ = try DeliveryTemplate(parsing: text) } catch {
      note(node, "\(name): the template \(error.description)")
    }
    return text
  }

  mutating func commandSink(_ node: Node) -> CommandSettings? {
    var settings = CommandSettings(words: [])
    var run: Node? = node
    if case .mapping(let mapping) = node {
      run = nil
      for (key, _, node) in entries(mapping, CommandKey.self) {
        let name = "command." + key.rawValue
        switch key {
        case .run: run = node
        case .shell: settings.shell = flag(node, name)
        case .timeout:
          settings.timeout = duration(node, name, Self.timeoutAllowed) ?? settings.timeout
        case .env: settings.variables = variables(node, name)
        }
      }
    }
    guard let run else {
      note(node, "command needs run")
      return nil
    }
    settings.words = texts(run, "command").map(\.text)
    guard isProgram(run, settings) else { return nil }
    return settings
  }

  private mutating func variables(_ node: Node, _ key: String) -> [String] {
    texts(node, key).compactMap { name, node in
      if !name.isEmpty, !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "=") }) {
        return name
      }
      note(node, "\(key): '\(name)' is not the name of a variable; write one such as DISPLAY")
      return nil
    }
  }

  private mutating func isProgram(_ node: Node, _ settings: CommandSettings) -> Bool {
    var isList = false
    if case .sequence = node { isList = true }
    if settings.shell, settings.words.count != 1 {
      note(node, "with shell, run is one text")
      return false
    }
    if !settings.shell, !isList {
      note(
        node,
        "a command must be a list of words, such as [notify-send, news]; no shell reads it unless "
          + "command has run and shell: true")
      return false
    }
    if settings.words.isEmpty || settings.words[0].isEmpty
      || settings.words.contains(where: { $0.utf8.contains(0) })
    {
      note(node, "command has a word that no program can be given")
      return false
    }
    return true
  }

  mutating func feedFile(_ node: Node) -> FeedFileSettings? {
    var settings = FeedFileSettings(path: "")
    if case .scalar = node {
      settings.path = line(node, "file") ?? ""
      return settings.path.isEmpty ? nil : settings
    }
    guard let mapping = mapping(node, "file") else { return nil }
    for (key, _, node) in entries(mapping, FileSinkKey.self) {
      let name = "file." + key.rawValue
      switch key {
      case .path: settings.path = line(node, name) ?? "?"
      case .format:
        settings.format = choice(node, name, FeedFileSettings.Format.self) ?? settings.format
      case .items:
        let count = count(node, name, FeedFileSettings.itemCountAllowed)
        settings.itemCount = count ?? settings.itemCount
      case .title: settings.title = line(node, name)
      case .url: settings.url = line(node, name)
      }
    }
    if settings.path.isEmpty { note(node, "file needs path") }
    return settings.path.isEmpty ? nil : settings
  }

  mutating func email(_ node: Node) -> EmailSettings? {
    guard let mapping = mapping(node, "email") else { return nil }
    var settings = EmailSettings(server: "", from: "", to: [])
    var isComplete = true
    let entries = entries(mapping, EmailKey.self)
    for (key, _, node) in entries {
      let name = "email." + key.rawValue
      switch key {
      case .server: settings.server = mailServer(node) ?? ""
      case .from: settings.from = address(node, name) ?? ""
      case .to:
        for case .some(let text) in texts(node, name).map({ address($0.node, name) }) {
          settings.to.append(text)
        }
      case .user: settings.user = line(node, name)
      case .password: settings.password = innerSource(node, name)
      case .subject: settings.subject = template(node, name)
      case .allowPlain: settings.allowsPlain = flag(node, name)
      case .allowPrivate: settings.privateAddresses = privateAddresses(node, name)
      case .timeout:
        settings.timeout = duration(node, name, Self.timeoutAllowed) ?? settings.timeout
      }
    }
    for key in [EmailKey.server, .from, .to] where !entries.contains(where: { $0.key == key }) {
      note(node, "email needs \(key.rawValue)")
      isComplete = false
    }
    return isComplete ? settings : nil
  }

  private mutating func mailServer(_ node: Node) -> String? {
    guard let text = line(node, "email.server") else { return nil }
    for scheme in ["smtp://", "smtps://"] where text.hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      // Whatever else is in it, curl would take for a path or a password.
      if let target = try? TargetURL("http://" + rest), target.path == "/", !rest.contains("@"),
        !rest.contains("?")
      {
        return text
      }
    }
    note(node, "email.server must be smtps://HOST[:PORT] or smtp://HOST[:PORT]")
    return nil
  }

  private mutating func address(_ node: Node, _ name: String) -> String? {
    guard let text = line(node, name) else { return nil }
    if EmailAddress.isValid(text) { return text }
    note(node, "\(name): '\(text)' is no address; write name@example.org")
    return nil
  }

  mutating func luaHook(_ node: Node) -> LuaHookSettings? {
    var settings = LuaHookSettings(file: "")
    if case .scalar = node {
      settings.file = line(node, "lua") ?? ""
      return settings.file.isEmpty ? nil : settings
    }
    guard let mapping = mapping(node, "lua") else { return nil }
    var secrets: [PlacedSecret] = []
    for (key, _, node) in entries(mapping, LuaHookKey.self) {
      let name = "lua." + key.rawValue
      switch key {
      case .file: settings.file = line(node, name) ?? "?"
      case .options:
        if let object = value(node).objectValue {
          settings.options = object
        } else {
          note(node, "options must be a mapping of names and values")
        }
      case .hosts: settings.hosts = hosts(node)
      case .allow: setAllow(to: node, in: &settings)
      case .allowPrivate: setPrivate(to: node, name, in: &settings.allow)
      case .secrets: secrets = jobSecrets(node)
      case .limits: settings.limits = hookLimits(node)
      }
    }
    settings.secrets = secrets.map(\.given)
    checkAllowed(settings, secrets)
    if settings.file.isEmpty { note(node, "lua needs file") }
    return settings.file.isEmpty ? nil : settings
  }

  private mutating func hookLimits(_ node: Node) -> ValueObject {
    var limits = ValueObject()
    guard let mapping = mapping(node, "lua.limits") else { return limits }
    var checked = RunLimits()
    for (key, child) in mapping {
      guard let name = key.string else { continue }
      let value = value(child)
      do { try checked.set(name, to: value) } catch {
        note(key, error.description)
        continue
      }
      limits[name] = value
    }
    return limits
  }
}
