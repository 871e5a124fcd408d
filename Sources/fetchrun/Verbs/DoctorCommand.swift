import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun doctor`: checks this machine and this installation.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the isolation, the libraries, the store and the plugin folders.")

  @OptionGroup var place: StorePlace

  @Flag(name: .long, help: "Print one JSON object per finding.")
  var json = false

  func run() async throws {
    let store = try place.address(RunOutput(asJSON: json))
    let services = try Services.start(NetworkOptions.none, sandbox: .bestEffort)
    let examination = Diagnosis(
      workers: services.workers, store: store,
      pluginFolders: ProcessEnvironment.locations.pluginFolders)
    let findings = await examination.findings()
    await services.shutdown()
    for finding in findings {
      if json {
        Terminal.current.output(json: finding.json)
      } else {
        Terminal.current.output(line(finding))
      }
    }
    if findings.contains(where: { $0.grade == .bad }) { throw ExitStatus.runFailed }
  }

  private func line(_ finding: Finding) -> String {
    let terminal = Terminal.current
    let word =
      switch finding.grade {
      case .good: terminal.styled("good", .green)
      case .weak: terminal.styled("weak", .yellow)
      case .bad: terminal.styled("bad ", .red)
      }
    return "\(word)  \(finding.subject): \(PlainText.line(finding.message))"
  }
}
