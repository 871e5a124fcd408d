import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel

extension RunOutput {
  /// Says what keeps a verb from its work, a message for each problem; what the program ends with.
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

  /// A message of what its user may not expect, and what ends nothing.
  func warning(_ text: String) {
    if let log { return log.write(LogEntry(text, .warning)) }
    message("warning: " + text)
  }
}
