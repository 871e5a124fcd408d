/// Everything that is wrong with one manifest; never empty.
package struct ManifestProblems: Error, Equatable, Sendable {
  package var all: [ManifestProblem]

  package init(_ all: [ManifestProblem]) { self.all = all }
}
