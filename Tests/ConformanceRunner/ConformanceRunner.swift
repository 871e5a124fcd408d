import FetchTestSupport
import Foundation

/// A program that runs fetchrun's readers over the cases of one conformance folder and prints the
/// input of that folder's scorer: `ConformanceRunner json FOLDER`. `Tests/Conformance/run` does
/// this for all folders. `ConformanceRunner mutations` damages the sample feeds at every place and
/// prints the score. `ConformanceRunner mutations COUNT` makes at most about COUNT mutations of
/// each kind for each feed.
@main struct ConformanceRunner {
  typealias Command = @Sendable (ConformanceFolder) throws -> Void

  static let commands: [(name: String, run: Command)] = [
    ("json", JSONRun.cases), ("json-numbers", JSONRun.numbers), ("url", URLRun.cases),
    ("feeds", FeedRun.cases),
  ]

  /// The number of feeds that are damaged at the same time.
  private static let threads = 2

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "mutations" { return try mutations(Array(arguments.dropFirst())) }
    guard arguments.count == 2,
      let command = commands.first(where: { $0.name == arguments[0] })
    else { return usage() }
    try command.run(ConformanceFolder(path: arguments[1]))
  }

  private static func mutations(_ arguments: [String]) throws {
    let countMax = arguments.first.map { $0 == "all" ? .max : Int($0) ?? 0 } ?? .max
    let feed = arguments.dropFirst().first
    guard arguments.count <= 2, countMax > 0 else { return usage() }
    let isRight = try MutationRun.run(perKind: countMax, feed: feed, threads: threads)
    exit(isRight ? 0 : 1)
  }

  private static func usage() {
    let names = commands.map(\.name).joined(separator: "|")
    print("usage: ConformanceRunner \(names) FOLDER")
    print("       ConformanceRunner mutations [all|COUNT [FEED]]")
  }
}
