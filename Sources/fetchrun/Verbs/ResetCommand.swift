import ArgumentParser
import FetchEngine
import FetchStore
import FetchValues
import Glibc

/// `fetchrun reset JOB`: forgets a job's items, state and validators.
struct ResetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Forget a job's items, state and validators; its next run is a first run.")

  @Argument(help: "The job's name.", completion: .jobs)
  var job: JobName

  @OptionGroup var place: StorePlace

  @Flag(name: .long, help: "Do not ask for confirmation.")
  var yes = false

  func run() async throws {
    let output = RunOutput(asJSON: false)
    do {
      let address = try place.address(output)
      try await Reading.from(store: address, of: place, output) { queries in
        try confirm(try await queries.job(job), output)
      }
      let store = try await Services.openStore(address, creates: false, output)
      let isKnown = try await store.reset(job: job)
      try await store.close()
      guard isKnown else { throw StoreError.unknownJob(job) }
      output.message("the job '\(job)' was reset")
    } catch let error as StoreError {
      output.message(error.message)
      throw ExitStatus.runFailed
    }
  }

  private func confirm(_ status: JobStatus, _ output: RunOutput) throws {
    if yes { return }
    guard isatty(STDIN_FILENO) == 1 else {
      output.message(
        "add --yes to forget \(counted(status.itemCount, "item")), the state and the validators of '\(job)'"
      )
      throw ExitStatus.usage
    }
    Terminal.write(
      "Forget \(counted(status.itemCount, "item")), the state and the validators of '\(job)'? [y/N] ",
      to: STDERR_FILENO)
    guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
      output.message("nothing was changed")
      throw ExitStatus.runFailed
    }
  }
}
