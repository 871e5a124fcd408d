import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchValues

/// The run of `fetchrun run` while a daemon has the store. The daemon runs the jobs.
extension RunCommand {
  /// Requests the runs from the daemon, waits for them and shows their results.
  func runThere(
    _ config: Config, _ sockets: [String], _ output: RunOutput
  ) async throws(ControlError) -> ExitCode? {
    let folders = Services.folders(of: config)
    let unknown = JobPreparation.unknown(jobs, in: config, isPlugin: folders.has)
    // If a job is unknown, no job is run. The request for the budget then only finds out whether
    // there is a daemon.
    let isNothing = !unknown.isEmpty
    let request: ControlRequest =
      isNothing
      ? .budget : .run(jobs.isEmpty ? .all : .named(jobs), skipsInterval: !due, waits: true)
    let runs = RunsShown(output, suggested: SuggestedCommand(file, storage))
    let end = try await ControlClient.send(request, at: sockets) { line in
      if !isNothing { runs.show(line) }
    }
    output.progress("")
    if !unknown.isEmpty { return output.stopped(by: ConfigProblems(unknown)) }
    return exitCode(end, config, output) ?? runs.exitCode(errorOnNoData: errorOnNoData)
  }

  /// Requests the runs from the daemon without waiting for them. With `--due`, requests no runs,
  /// since the daemon runs due jobs anyway. A request for the budget then finds out whether there
  /// is a daemon.
  func handOver(
    _ config: Config, _ sockets: [String], _ output: RunOutput
  ) async throws(ControlError) -> ExitCode? {
    let selection: JobSelection = jobs.isEmpty ? .all : .named(jobs)
    let request: ControlRequest = due ? .budget : .run(selection, skipsInterval: true)
    let end = try await ControlClient.send(request, at: sockets) { [due] line in
      if !due { output.control(line) { TriggerLine(line)?.text } }
    }
    if end.status == 0 {
      let what = due ? "the due jobs" : "the jobs that were not skipped"
      output.message("the daemon of this store runs \(what); see \(listing(config))")
    }
    return exitCode(end, config, output)
  }

  private func exitCode(
    _ end: ControlEnd, _ config: Config, _ output: RunOutput
  ) -> ExitCode? {
    if let message = end.message { output.message(message) }
    if let advice = SharedStore.advice(about: end, jobs, in: { config }) { output.message(advice) }
    return end.status == 0 ? nil : ExitCode(end.status)
  }
}
