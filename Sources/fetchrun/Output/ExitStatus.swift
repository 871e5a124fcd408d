import ArgumentParser
import FetchValues

/// The exit statuses of the program. Other programs depend on these numbers.
enum ExitStatus {
  static let success = ExitCode(0)
  static let runFailed = ExitCode(1)
  /// The exit status of `diff-permissions` if the file requests more permissions than the grant or
  /// the other file.
  static let moreWanted = ExitCode(1)
  /// The exit status if a job did not run, for example because it is paused.
  static let notRun = ExitCode(8)
  static let noNewData = ExitCode(9)
  static let usage = ExitCode(64)
  static let badPlugin = ExitCode(78)
  static let interrupted = ExitCode(130)
  /// The exit status if the reader of standard output has closed the pipe.
  static let closedPipe = ExitCode(141)
  static let terminated = ExitCode(143)
}
