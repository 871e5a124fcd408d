import ArgumentParser
import Glibc

/// Standard output did not take what was written to it.
struct LostOutput: Error {
  /// The system's error number.
  let number: Int32

  /// A reader that has read enough, as `head` has, wants to hear nothing of it.
  var message: String? {
    number == EPIPE
      ? nil : "cannot write to standard output: " + String(cString: strerror(number))
  }

  /// As of a program that SIGPIPE ended; else as of work that failed.
  var exitCode: ExitCode { number == EPIPE ? ExitStatus.closedPipe : ExitStatus.runFailed }
}
