import ArgumentParser
import FetchHost
import Glibc

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
        end(EXIT_SUCCESS)
      } catch {
        end(tell(error))
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

  /// Says what it has to say, as `ParsableCommand.exit` does, and returns the status.
  private static func tell(_ error: any Error) -> Int32 {
    let code = Fetchrun.exitCode(for: error)
    let text = Fetchrun.fullMessage(for: error)
    if !text.isEmpty {
      Terminal.write(text + "\n", to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
    }
    return code.rawValue
  }

  /// Ends the process without `exit`, which takes libraries down (OpenSSL frees what it has) under
  /// threads that still use them: one in some two hundred runs crashed so, after all was done.
  private static func end(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
  }
}
