/// A place in a config file. The line and the column are counted from 1, and are 0 if unknown.
package struct ConfigPlace: Equatable, Sendable {
  package var line = 0
  package var column = 0

  package init(line: Int = 0, column: Int = 0) {
    self.line = line
    self.column = column
  }
}
