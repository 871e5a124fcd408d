package import FetchValues

/// One option in a plugin's manifest.
package struct OptionSpec: Equatable, Sendable {
  package var name: String
  package var kind: OptionKind = .string
  package var isRequired = false
  package var defaultValue: Value?
  package var choices: [Value] = []
  package var summary: String?
  /// An example for messages and documentation, of the declared type.
  package var example: Value?

  package init(name: String) { self.name = name }
}

extension OptionSpec {
  /// An example for the command line and a config.
  package var exampleText: String { example.map(\.optionText) ?? kind.example }

  /// The example quoted for copying: the plugin wrote it, and a shell or YAML reads it.
  package var quotedExample: String {
    example.map { ShellWord.quoted($0.optionText) } ?? kind.example
  }
}

extension Value {
  /// The value as the command line has it: text unchanged, lists and tables as JSON with sorted
  /// keys.
  package var optionText: String {
    displayText ?? (try? JSONWriter.text(self, options: .init(sortsKeys: true))) ?? ""
  }
}
