/// The reason why a text is not a duration or a size. The message shows a valid form.
package struct UnitTextError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(description: String) { self.description = description }
}
