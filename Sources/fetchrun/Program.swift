import ArgumentParser
import FetchHost
import FetchModel
import Glibc

/// What the command line says, on the host's own threads.
@main
enum Program {
  static func main() {
    StandardStreams.hold()
    ProcessMemory.keepPrivate()
    ProcessMemory.shareHeaps()
    HostExecutor.shared.run {
      do {
        try await run(Array(CommandLine.arguments.dropFirst()))
        end(status(EXIT_SUCCESS))
      } catch {
        end(status(tell(error)))
      }
    }
  }

  /// What scripts ask for most, a run, is read without the parser where its words are plain.
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

  /// Says what it has to say, as `ParsableCommand.exit` does, and returns the status.
  private static func tell(_ error: any Error) -> Int32 {
    if error is LostOutput { return EXIT_SUCCESS }
    if let failure = error as? Failure, Confinement.isRefusal(failure) {
      Terminal.current.message("fetchrun: " + failure.message)
      return ExitStatus.badPlugin.rawValue
    }
    let code = Fetchrun.exitCode(for: error)
    // A shell that completes would show it in the middle of what is typed.
    if !code.isSuccess, CommandLine.arguments.dropFirst().first == "---completion" {
      return code.rawValue
    }
    let text = BashCompletion.completed(Fetchrun.fullMessage(for: error))
    if !text.isEmpty {
      Terminal.write(text + "\n", to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
    }
    return code.rawValue
  }

  /// What the program ends with that would end with this one, for its results may be lost. A daemon
  /// does not need its output.
  private static func status(_ status: Int32) -> Int32 {
    guard let lost = StandardStreams.lostOutput, CommandLine.arguments.dropFirst().first != "serve"
    else {
      return status
    }
    if let message = lost.message { Terminal.current.message("fetchrun: " + message) }
    return status == EXIT_SUCCESS ? lost.exitCode.rawValue : status
  }

  /// Ends the process without `exit`, which takes libraries down (OpenSSL frees what it has) under
  /// threads that still use them: one in some two hundred runs crashed so, after all was done.
  private static func end(_ status: Int32) -> Never {
    EndDeadline.settle(status)
    StandardStreams.flush()
    fflush(nil)
    _exit(status)
  }
}
