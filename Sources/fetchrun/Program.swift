import ArgumentParser
import FetchHost

/// What the command line says, on the host's own threads.
@main
enum Program {
  static func main() {
    HostExecutor.shared.run {
      do {
        var command = try Fetchrun.parseAsRoot()
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
}
