/// One option as a plugin's manifest declares it.
package struct OptionSpec: Equatable, Sendable {
  package var name: String
  package var kind: OptionKind = .string
  package var isRequired = false
  package var defaultValue: Value?
  package var choices: [Value] = []
  package var summary: String?

  package init(name: String) { self.name = name }
}
