import FetchConfig
package import FetchEngine
import FetchModel
package import FetchValues

/// The description of how a plugin is used, made from its manifest. It is shown by
/// `fetchrun plugins NAME` and on the page ReadyPlugins.
package struct PluginGuide: Sendable {
  /// The plugin in the form that the user types: a name in a plugin folder, or a path.
  private let name: String
  private let plugin: Plugin
  private var manifest: Manifest { plugin.manifest }

  package init(_ name: String, _ plugin: Plugin) {
    self.name = name
    self.plugin = plugin
  }

  // MARK: An example

  /// The options that the example command sets: the required options, and the options that have an
  /// example in the manifest.
  private var shown: [OptionSpec] {
    manifest.options.filter { $0.isRequired || $0.example != nil }
      .sorted { $0.isRequired && !$1.isRequired }
  }

  /// An example of a command that runs the plugin.
  package var command: String {
    let options = shown.map { "--option " + Self.word($0.name, $0.exampleText) }
    let secrets = manifest.permissions.secrets.filter(\.isRequired)
      .map { "--secret " + Self.word($0.name, "stored:NAME") }
    return (["fetchrun --plugin " + ShellWord.quoted(name)] + options + secrets)
      .joined(separator: " ")
  }

  /// Returns an argument such as `url=https://example.org`, quoted for a shell if needed.
  package static func word(_ name: String, _ value: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")
    }
    return isPlain ? name + "=" + ShellWord.quoted(value) : ShellWord.quoted("\(name)=\(value)")
  }

  /// The example command as a job of a config, in lines of YAML. The job has the command's options,
  /// but no secrets.
  package var config: [String] {
    var options = ValueObject()
    for spec in shown {
      options.append(spec.name, Self.sorted(spec.example) ?? .string(spec.kind.example))
    }
    let identity = JobIdentity(manifest, given: options)
    return ["jobs:"]
      + NewJob(name: identity.readable, plugin: name, options: options).lines(indentedBy: 2)
  }

  /// Returns an object with its members sorted by key, and any other value unchanged. The members
  /// of a Lua table have no order.
  private static func sorted(_ value: Value?) -> Value? {
    if let object = value?.objectValue { return .object(object.sortedByKey) }
    return value
  }

  // MARK: Parts

  /// The title of the description, such as `rss 1.0.0: RSS, Atom and JSON Feed`.
  package var title: String {
    "\(manifest.name) \(manifest.version)" + (manifest.summary.map { ": \($0)" } ?? "")
  }

  private var interval: String {
    let text = manifest.interval.map(\.description) ?? "adaptive, unless the config sets one"
    return manifest.window.map { "\(text); a run may take \(Interval.every($0))" } ?? text
  }

  /// The permissions that the plugin requests, as phrases. Each phrase can end a sentence that
  /// begins with "It asks to".
  private var asks: [String] { plugin.asked.all.map(\.phrase) }

  private static func unlessSet(_ spec: OptionSpec) -> String {
    if spec.isRequired { return "required" }
    guard let value = spec.defaultValue else { return "" }
    let text = value.optionText
    return text.isEmpty || text == "{}" || text == "[]" ? "empty" : text
  }

  private static func meaning(_ spec: OptionSpec) -> String {
    let choices = spec.choices.map(\.optionText).joined(separator: ", ")
    return [spec.summary ?? "", choices.isEmpty ? "" : "one of \(choices)"]
      .filter { !$0.isEmpty }.joined(separator: "; ")
  }

  // MARK: For people

  /// The description as lines for people. The title, the descriptions and the permissions are
  /// wrapped to 80 columns, unless a word is longer. Other lines can be longer.
  package var lines: [String] {
    var lines = Self.wrapped(title, indent: "") + [plugin.path, "", "Options"]
    if manifest.options.isEmpty { lines.append("  none") }
    for spec in manifest.options {
      let fallback = Self.unlessSet(spec)
      let what =
        spec.isRequired || fallback.isEmpty ? fallback : "\(fallback) unless set"
      let kind = what.isEmpty ? spec.kind.rawValue : "\(spec.kind.rawValue), \(what)"
      lines.append("  \(spec.name)  (\(kind))")
      lines += Self.wrapped(Self.meaning(spec), indent: "      ")
    }
    lines += ["", "Permissions that the plugin asks for"]
    lines += (asks.isEmpty ? ["nothing"] : asks).flatMap { Self.wrapped($0, indent: "  ") }
    lines += ["", "Interval", "  " + interval]
    lines += ["", "Example", "  " + command, ""] + config.map { "  " + $0 }
    return lines
  }

  private static let columns = 80

  private static func wrapped(_ text: String, indent: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(indent + word)
      }
    }
    return lines
  }

  // MARK: For programs

  /// The description as a JSON object: see the page JSON in the documentation.
  package var value: Value {
    let options = manifest.options.map { spec -> Value in
      [
        "name": .string(spec.name), "type": .string(spec.kind.rawValue),
        "required": .bool(spec.isRequired), "default": spec.defaultValue ?? .null,
        "choices": .array(spec.choices), "description": .text(spec.summary),
        "example": spec.example ?? .null,
      ]
    }
    return .object(
      ValueObject([
        ("name", .string(manifest.name.text)), ("version", .string(manifest.version)),
        ("description", .text(manifest.summary)), ("file", .string(plugin.path)),
        ("options", .array(options)), ("asks", plugin.asked.value),
        ("interval", .text(manifest.interval?.description)), ("command", .string(command)),
        ("config", .string(config.joined(separator: "\n") + "\n")),
      ]))
  }

  // MARK: For the page

  /// The description as a section of the page ReadyPlugins, in Markdown.
  package var markdown: String {
    let rows = manifest.options.map { spec in
      let fallback = Self.unlessSet(spec)
      let isWord = ["", "required", "empty"].contains(fallback)
      return "| `\(spec.name)` | \(spec.kind.rawValue) | "
        + "\(isWord ? fallback : "`\(fallback)`") | \(Self.meaning(spec)) |"
    }
    let table = ["| option | value | unless set | what |", "|---|---|---|---|"] + rows
    let about = "Version \(manifest.version): \(manifest.summary ?? "")."
    let asked = asks.isEmpty ? "for nothing" : "to " + asks.joined(separator: "; ")
    let lines = ["## \(manifest.name)", "", about, ""] + table + [""]
    let facts = ["It asks \(asked). Interval: \(interval).", "", "```sh", command, "```", ""]
    return (lines + facts + ["```yaml", "# fetchrun.yaml"] + config + ["```", ""]).joined(
      separator: "\n")
  }
}
