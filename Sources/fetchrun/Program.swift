import ArgumentParser
import FetchHost
import FetchModel
import Glibc

/// The entry point of the program. The program runs the command line on the threads of
/// `HostExecutor`.
@main
enum Program {
  static func main() {
    // A parent may have ignored this signal. The system then returns no status of ended programs.
    signal(SIGCHLD, SIG_DFL)
    StandardStreams.hold()
    ProcessMemory.keepPrivate()
    ProcessMemory.shareHeaps()
    HostExecutor.shared.run {
      do {
        try await run(Array(CommandLine.arguments.dropFirst()))
        end(status(EXIT_SUCCESS))
      } catch {
        end(status(report(error)))
      }
    }
  }

  /// Runs the command. Reads simple command lines of `run` and `--plugin` without ArgumentParser,
  /// which is slow.
  private static func run(_ words: [String]) async throws {
    if words.first == "run" {
      if let run = RunCommand(plain: Array(words.dropFirst())) { return try await run.run() }
    } else if let once = OnceCommand(plain: words) {
      return try await once.run()
    }
    if words.isEmpty { throw CleanExit.helpRequest(Fetchrun.self) }
    if let error = MisreadWords.unknownSubcommand(words) { throw error }
    var command: any ParsableCommand
    do { command = try Fetchrun.parseAsRoot(words) } catch {
      throw await MisreadWords.explained(error, words)
    }
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
  }

  /// Prints the error's message and returns the exit status. Prints nothing for an error during
  /// completion. Returns success for `LostOutput`, because `status` reports this error.
  private static func report(_ error: any Error) -> Int32 {
    if error is LostOutput { return EXIT_SUCCESS }
    if let failure = error as? Failure, Confinement.isRefusal(failure) {
      Terminal.current.message("fetchrun: " + failure.message)
      return ExitStatus.badPlugin.rawValue
    }
    if let unknown = error as? MisreadWords.UnknownSubcommand {
      Terminal.write("fetchrun: \(unknown.message)\n", to: STDERR_FILENO)
      return ExitStatus.usage.rawValue
    }
    let code = Fetchrun.exitCode(for: error)
    // During completion, a shell would show the message in the middle of the line that the user
    // types.
    if !code.isSuccess, CommandLine.arguments.dropFirst().first == "---completion" {
      return code.rawValue
    }
    let text = BashCompletion.completed(Fetchrun.fullMessage(for: error))
    if !text.isEmpty {
      Terminal.write(text + "\n", to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
    }
    return code.rawValue
  }

  /// Returns the program's exit status. If the command succeeded but its results were lost, returns
  /// the status for lost output. Prints the reason for the loss, unless the reader closed the pipe.
  /// The verb `serve` does not need its output, so the loss is ignored.
  private static func status(_ status: Int32) -> Int32 {
    guard let lost = StandardStreams.lostOutput, CommandLine.arguments.dropFirst().first != "serve"
    else {
      return status
    }
    if let message = lost.message { Terminal.current.message("fetchrun: " + message) }
    return status == EXIT_SUCCESS ? lost.exitCode.rawValue : status
  }

  /// Ends the process without `exit`. `exit` shuts down libraries that threads still use, for
  /// example OpenSSL. With `exit`, about one process in two hundred crashed at its end.
  private static func end(_ status: Int32) -> Never {
    EndDeadline.settle(status)
    StandardStreams.flush()
    MailExchanges.finish()
    fflush(nil)
    _exit(status)
  }
}
