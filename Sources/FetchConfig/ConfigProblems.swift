/// Everything that is wrong with a config file, in the file's order; never empty.
package struct ConfigProblems: Error, Equatable, Sendable {
  package var all: [ConfigProblem]

  package init(_ all: [ConfigProblem]) { self.all = all }
}
