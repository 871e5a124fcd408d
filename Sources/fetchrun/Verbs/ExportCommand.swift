import ArgumentParser
import FetchConfig
import FetchEngine
import FetchValues

/// `fetchrun export`: prints the feeds for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the feeds of the config's jobs as OPML.",
    discussion: """
      Only jobs with the plugin that --plugin names are exported. The address of a feed is the \
      job's option url.
      """)

  @Option(name: .long, help: "The plugin that reads feeds.", completion: .plugins)
  var plugin = "rss"

  @OptionGroup var file: ConfigOptions

  func run() throws {
    let output = RunOutput(asJSON: false)
    let (feeds, others) = OPMLWriter.feeds(among: try file.load(output).jobs, of: plugin)
    Terminal.current.output(OPMLWriter.text(feeds))
    guard let other = others.first else { return }
    let jobs = others.count == 1 ? "1 job" : "\(others.count) jobs"
    let word = ShellWord.quoted(OPMLWriter.name(ofPlugin: other.plugin))
    output.message(
      "skipped \(jobs) with the option 'url' and a plugin other than"
        + " '\(OPMLWriter.name(ofPlugin: plugin))'; to export the jobs of another plugin instead, use"
        + " --plugin \(word)")
  }
}
