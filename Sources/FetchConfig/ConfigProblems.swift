/// All problems in a config file, in the order of the file. If this error is thrown, there is at
/// least one problem.
package struct ConfigProblems: Error, Equatable, Sendable {
  package var all: [ConfigProblem]

  package init(_ all: [ConfigProblem]) { self.all = all }

  /// Adds problems that were found later, in the order of the files and their lines.
  package func adding(_ others: [ConfigProblem]) -> ConfigProblems {
    if others.isEmpty || all.isEmpty { return ConfigProblems(all + others) }
    var files: [String] = []
    for problem in all + others where !files.contains(problem.file) { files.append(problem.file) }
    let inOrder = files.flatMap { file in
      (all + others).enumerated().filter { $0.element.file == file }.sorted {
        ($0.element.line, $0.element.column, $0.offset)
          < ($1.element.line, $1.element.column, $1.offset)
      }.map(\.element)
    }
    return ConfigProblems(inOrder)
  }
}
