import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The run of `fetchrun run --dry-run`. It shows the results of the jobs without storing them, also
/// while a daemon has the store.
extension RunCommand {
  func rehearse(
    _ config: Config, _ services: Services, _ output: RunOutput
  ) async -> ExitCode? {
    do {
      let path = storage.path(configured: config.store)
      let preparation = JobPreparation(
        shelf: services.shelf, privateAddresses: network.privateAddresses,
        memory: GrantMemory(store: .file(path)))
      let prepared = try await preparation.prepare(config, named: jobs)
      let rehearsal = services.rehearsal(
        ofStore: path, secretsKey: config.secretsKey, lanes: config.lanes,
        suggested: SuggestedCommand(file, storage))
      var records: [RunRecord] = []
      for job in prepared where !Task.isCancelled {
        output.progress("\(job.name) is running …")
        let report = try await rehearsal.run(job)
        output.report(report)
        records.append(report.record)
      }
      output.message(RunOutput.nothingStored)
      return output.exitCode(for: records, errorOnNoData: errorOnNoData)
    } catch {
      return output.stopped(by: error)
    }
  }
}
