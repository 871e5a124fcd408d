import ArgumentParser
import Glibc

/// The error that standard output did not accept data.
struct LostOutput: Error {
  /// The system's error number.
  let number: Int32

  /// The message; nil if a reader like `head` closed the pipe, which is normal.
  var message: String? {
    number == EPIPE
      ? nil : "cannot write to standard output: " + String(cString: strerror(number))
  }

  /// The status of a program that SIGPIPE has ended, otherwise that of failed work.
  var exitCode: ExitCode { number == EPIPE ? ExitStatus.closedPipe : ExitStatus.runFailed }
}
