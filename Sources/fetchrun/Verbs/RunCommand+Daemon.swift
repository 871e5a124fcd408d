import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchValues

/// `fetchrun run` while a daemon has the store: the daemon runs the jobs.
extension RunCommand {
  /// Lets the daemon run the jobs, and shows the results as `runHere` does.
  func runThere(
    _ config: Config, _ sockets: [String], _ output: RunOutput
  ) async throws(ControlError) -> ExitCode? {
    let folders = Services.folders(of: config)
    let unknown = JobPreparation.unknown(jobs, in: config, isPlugin: folders.has)
    // A cheap request still finds out whether there is a daemon.
    let isNothing = !unknown.isEmpty
    let request: ControlRequest =
      isNothing
      ? .budget : .run(jobs.isEmpty ? .all : .named(jobs), skipsInterval: !due, waits: true)
    let runs = RunsShown(output)
    let end = try await ControlClient.send(request, at: sockets) { line in
      if !isNothing { runs.show(line) }
    }
    output.progress("")
    if !unknown.isEmpty { return output.stopped(by: ConfigProblems(unknown)) }
    return exitCode(end, output) ?? runs.exitCode(errorOnNoData: errorOnNoData)
  }

  /// Hands the jobs to the daemon without waiting. With `--due`, nothing is sent, since the daemon
  /// runs due jobs itself.
  func handOver(
    _ config: Config, _ sockets: [String], _ output: RunOutput
  ) async throws(ControlError) -> ExitCode? {
    let selection: JobSelection = jobs.isEmpty ? .all : .named(jobs)
    let request: ControlRequest = due ? .budget : .run(selection, skipsInterval: true)
    let end = try await ControlClient.send(request, at: sockets) { [due] line in
      if !due { output.control(line) { TriggerLine(line)?.text } }
    }
    let what = due ? "the due jobs" : "them"
    output.message("the daemon of this store runs \(what); see \(listing(config))")
    return exitCode(end, output)
  }

  private func exitCode(_ end: ControlEnd, _ output: RunOutput) -> ExitCode? {
    if let message = end.message { output.message(message) }
    return end.status == 0 ? nil : ExitCode(end.status)
  }
}
