import ArgumentParser
import Glibc

/// The error that standard output no longer accepts data.
struct LostOutput: Error {
  /// The system's error number.
  let number: Int32

  /// The message; nil if the reader closed the pipe, as `head` normally does.
  var message: String? {
    number == EPIPE
      ? nil : "cannot write to standard output: " + String(cString: strerror(number))
  }

  /// The exit status. If the reader closed the pipe, it is the status of a program that SIGPIPE has
  /// ended. Otherwise it is the status of a failed run.
  var exitCode: ExitCode { number == EPIPE ? ExitStatus.closedPipe : ExitStatus.runFailed }
}
