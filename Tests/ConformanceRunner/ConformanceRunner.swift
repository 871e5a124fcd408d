import FetchTestSupport

/// Runs our readers over the cases of one conformance folder and prints what that folder's scorer
/// reads: `ConformanceRunner json FOLDER`. `Tests/Conformance/run` does all of them.
@main struct ConformanceRunner {
  typealias Command = @Sendable (ConformanceFolder) throws -> Void

  static let commands: [(name: String, run: Command)] = [
    ("json", JSONRun.cases), ("json-numbers", JSONRun.numbers), ("url", URLRun.cases),
    ("feeds", FeedRun.cases),
  ]

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let name = arguments.first, let path = arguments.last,
      let command = commands.first(where: { $0.name == name })
    else {
      let names = commands.map(\.name).joined(separator: "|")
      print("usage: ConformanceRunner \(names) FOLDER")
      return
    }
    try command.run(ConformanceFolder(path: path))
  }
}
