/// One problem in a manifest.
package struct ManifestProblem: Error, Equatable, Sendable {
  /// The path of keys to the mistake, such as `options`, `url`, `type`; empty for the whole table.
  package var path: [String]
  /// The mistake and what to do, without the path.
  package var message: String

  package init(_ path: [String], _ message: String) {
    self.path = path
    self.message = message
  }
}

extension ManifestProblem: CustomStringConvertible {
  package var description: String {
    path.isEmpty ? message : path.joined(separator: ".") + ": " + message
  }
}

/// All problems of one manifest; at least one.
package struct ManifestProblems: Error, Equatable, Sendable {
  package var all: [ManifestProblem]

  package init(_ all: [ManifestProblem]) { self.all = all }
}
