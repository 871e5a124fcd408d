import ArgumentParser
import FetchHost
import FetchValues
import Glibc

/// The program `fetchrun-web`, which serves the API and the page, and stores the tokens. It is a
/// separate program, so that `fetchrun` needs no HTTP server.
enum WebProgram {
  private static let name = "fetchrun-web"
  /// The name of the environment variable with the path of `fetchrun-web`. If the variable is set,
  /// there is no search for the program.
  private static let environmentName = "FETCHRUN_WEB"
  /// SwiftPM's name of this build, whose folder is searched for the program.
  #if DEBUG
    private static let configuration = "debug"
  #else
    private static let configuration = "release"
  #endif

  /// Replaces this process with the program `fetchrun-web`. If this fails, prints the reason and
  /// throws the exit status.
  static func become(_ arguments: [String], _ output: RunOutput) throws {
    guard let path = BesideExecutable.locate(name, environmentName) else {
      output.message(
        "\(name) is missing: install the whole package, or build it beside fetchrun with "
          + "`swift build -c \(configuration) --product \(name)`")
      throw ExitStatus.runFailed
    }
    StandardStreams.flush()
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    execv(path, words)
    output.message("\(path) cannot be started: \(String(cString: strerror(errno)))")
    throw ExitStatus.runFailed
  }

  /// Replaces this process with the program `fetchrun-web`, which receives the verb's options for
  /// the config and the store.
  static func become(
    _ arguments: [String], _ file: ConfigOptions, _ storage: StoreOptions, _ output: RunOutput
  ) throws {
    var places: [String] = []
    if let config = file.config { places += ["--config", config] }
    if let store = storage.store { places += ["--store", store] }
    try become(places + arguments, output)
  }
}
