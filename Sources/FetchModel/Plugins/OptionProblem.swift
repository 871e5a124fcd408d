/// What is wrong with one option of a job.
package struct OptionProblem: Error, Equatable, Sendable {
  package var option: String
  /// What is wrong and what to do, but for how to give what is missing.
  package var message: String
  /// How to write the missing value; nil where the option was given.
  package var example: String?

  package init(_ option: String, _ message: String, example: String? = nil) {
    self.option = option
    self.message = message
    self.example = example
  }

  /// As a config file says it.
  package var configMessage: String {
    message + (example.map { "; add \(option): \($0) to its options" } ?? "")
  }
}

extension OptionProblem: CustomStringConvertible {
  /// As the command line says it.
  package var description: String {
    message + (example.map { "; give it with --option \(option)=\($0)" } ?? "")
  }
}
