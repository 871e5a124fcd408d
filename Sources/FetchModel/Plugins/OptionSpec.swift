package import FetchValues

/// One option as a plugin's manifest declares it.
package struct OptionSpec: Equatable, Sendable {
  package var name: String
  package var kind: OptionKind = .string
  package var isRequired = false
  package var defaultValue: Value?
  package var choices: [Value] = []
  package var summary: String?
  /// A value for messages and documentation, of the declared kind.
  package var example: Value?

  package init(name: String) { self.name = name }
}

extension OptionSpec {
  /// How to write a value on the command line, and in a config.
  package var exampleText: String { example.map(\.optionText) ?? kind.example }

  /// The same where it is to be copied: an example is the plugin's word, and a shell or YAML reads it.
  package var quotedExample: String {
    example.map { ShellWord.quoted($0.optionText) } ?? kind.example
  }
}

extension Value {
  /// A value of an option as the command line has it: text as it is, lists and tables as JSON with
  /// sorted keys.
  package var optionText: String {
    displayText ?? (try? JSONWriter.text(self, options: .init(sortsKeys: true))) ?? ""
  }
}
