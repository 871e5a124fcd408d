import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel

extension RunOutput {
  /// Prints a message for each problem in the error that stops a verb, and returns the exit status.
  func stopped(by error: any Error) -> ExitCode {
    switch error {
    case let problems as ConfigProblems:
      self.problems(problems)
      return ExitStatus.badPlugin
    case let problems as PluginProblems:
      if let refusal = problems.refusal { return stopped(by: refusal) }
      for problem in problems.all { message(problem.description) }
      return ExitStatus.badPlugin
    case let problems as OptionProblems:
      for text in problems.messages { message(text) }
      return ExitStatus.usage
    case let failure as Failure where Confinement.isRefusal(failure):
      message(failure.message)
      return ExitStatus.badPlugin
    default:
      message("\(error)")
      return ExitStatus.runFailed
    }
  }

  /// Prints a warning about something that the user may not expect. The verb continues.
  func warning(_ text: String) {
    if let log { return log.write(LogEntry(text, .warning)) }
    message("warning: " + text)
  }
}
