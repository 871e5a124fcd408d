package import FetchValues

/// One option in a plugin's manifest.
package struct OptionSpec: Equatable, Sendable {
  package var name: String
  package var kind: OptionKind = .string
  package var isRequired = false
  package var defaultValue: Value?
  package var choices: [Value] = []
  package var summary: String?
  /// An example value of the declared type, for messages and documentation.
  package var example: Value?

  package init(name: String) { self.name = name }
}

extension OptionSpec {
  /// An example value in the form for the command line and the config.
  package var exampleText: String { example.map(\.optionText) ?? kind.example }

  /// The example value in quotes, so that a shell or YAML reads it as the plugin's author wrote it.
  package var quotedExample: String {
    example.map { ShellWord.quoted($0.optionText) } ?? kind.example
  }
}

extension Value {
  /// The value in the form for the command line. Strings are unchanged; lists and tables are JSON
  /// with sorted keys.
  package var optionText: String {
    displayText ?? (try? JSONWriter.text(self, options: .init(sortsKeys: true))) ?? ""
  }
}
