import ArgumentParser
import FetchHost

/// What the command line says, on the host's own threads.
@main
enum Program {
  static func main() {
    HostExecutor.shared.run {
      do {
        var command = try parsed(Array(CommandLine.arguments.dropFirst()))
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch {
        Fetchrun.exit(withError: error)
      }
    }
  }

  /// What scripts ask for most, a run, is read without a look at all other verbs. Whatever is not
  /// right there is read again as a whole: help and mistakes are told by the whole.
  private static func parsed(_ words: [String]) throws -> any ParsableCommand {
    let first = words.first ?? ""
    if first.hasPrefix("-"), let once = try? Once.parse(words) { return once }
    if first == "run", let run = try? Run.parse(Array(words.dropFirst())) { return run }
    return try Fetchrun.parseAsRoot(words)
  }
}
