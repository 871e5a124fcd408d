import ArgumentParser
import FetchConfig
import FetchEngine

/// `fetchrun export`: feeds for other programs.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the jobs that have a url option as OPML.")

  @OptionGroup var file: ConfigOptions

  func run() throws {
    let config = try file.load(RunOutput(asJSON: false))
    Terminal.current.output(OPMLWriter.text(config.jobs))
  }
}
