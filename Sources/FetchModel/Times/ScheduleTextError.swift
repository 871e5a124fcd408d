/// Why a text of a schedule, a rate or a condition cannot be read; the message says what could.
package struct ScheduleTextError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  /// What a person wrote, short enough for a message.
  static func quoted(_ text: some StringProtocol) -> String { "'\(text.prefix(60))'" }
}
