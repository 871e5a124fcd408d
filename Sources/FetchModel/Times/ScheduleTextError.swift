/// The reason why a schedule, rate or condition cannot be read; the message shows a valid form.
package struct ScheduleTextError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  /// Returns the written text, short enough for a message.
  static func quoted(_ text: some StringProtocol) -> String { "'\(text.prefix(60))'" }
}
