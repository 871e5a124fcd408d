import FetchModel
import FetchValues

/// The reading of sink values that have special rules.
extension ConfigReader {
  mutating func webhookURL(_ node: Node) -> String? {
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

  mutating func setHeaders(_ node: Node, in settings: inout WebhookSettings) {
    guard let mapping = mapping(node, "webhook.headers") else { return }
    for (keyNode, node) in mapping {
      let name = keyNode.string ?? ""
      guard Self.isHeaderName(name) else {
        note(keyNode, "invalid header name '\(name)'")
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

  mutating func template(_ node: Node, _ name: String) -> String? {
    guard let text = text(node, name) else { return nil }
    do throws(FilterProblem) { _ = try DeliveryTemplate(parsing: text) } catch {
      note(node, "\(name): the template \(error.description)")
    }
    return text
  }

  mutating func variables(_ node: Node, _ key: String) -> [String] {
    texts(node, key).compactMap { name, node in
      if !name.isEmpty, !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "=") }) {
        return name
      }
      note(node, "\(key): invalid variable name '\(name)': use a name such as DISPLAY")
      return nil
    }
  }

  mutating func isProgram(_ node: Node, _ settings: CommandSettings) -> Bool {
    var isList = false
    if case .sequence = node { isList = true }
    if settings.shell, settings.words.count != 1 {
      note(node, "`run` must be a single string if `shell` is true")
      return false
    }
    if !settings.shell, !isList {
      note(
        node,
        "a command must be a list of words, such as [notify-send, news]; for a shell, write "
          + "command: { run: LINE, shell: true }")
      return false
    }
    if settings.words.isEmpty || settings.words[0].isEmpty
      || settings.words.contains(where: { $0.utf8.contains(0) })
    {
      note(node, "command names no program, or has a NUL byte")
      return false
    }
    return true
  }

  mutating func mailServer(_ node: Node) -> String? {
    guard let text = line(node, "email.server") else { return nil }
    for scheme in ["smtp://", "smtps://"] where text.hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      // The address must end after the port or a slash, since curl would read further text as a
      // path. Text before `@` would be a user name or a password.
      if let target = try? TargetURL("http://" + rest), target.path == "/", !rest.contains("@"),
        !rest.contains("?")
      {
        return text
      }
    }
    note(node, "email.server must be smtps://HOST[:PORT] or smtp://HOST[:PORT]")
    return nil
  }

  mutating func address(_ node: Node, _ name: String) -> String? {
    guard let text = line(node, name) else { return nil }
    if EmailAddress.isValid(text) { return text }
    note(node, "\(name): invalid address '\(text)': use one such as name@example.org")
    return nil
  }
}
