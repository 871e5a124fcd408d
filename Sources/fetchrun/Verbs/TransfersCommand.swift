import ArgumentParser
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun transfers`: shows and changes the downloads of jobs.
struct TransfersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfers", abstract: "List, cancel or retry the downloads of jobs.",
    usage: "fetchrun transfers [--job JOB] [--json] [list | cancel ID... | retry ID...]",
    discussion: """
      Lists pending transfers in the order of their requests, then ended transfers, the latest \
      first. The partial file of a cancelled transfer is removed. A failed transfer that is retried starts from \
      the beginning. Times are in UTC.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case list, cancel, retry
  }

  @Argument(help: ArgumentHelp("list (the default), cancel or retry.", valueName: "action"))
  var action = Action.list

  @Argument(help: "Ids of transfers, to cancel or retry.", completion: .transfers)
  var ids: [Int64] = []

  @Option(name: .long, help: "List only the transfers of one job.", completion: .jobs)
  var job: JobName?

  @Option(name: .long, help: "The maximum number of ended transfers to list; 0 for all.")
  var limit = 20

  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .long, help: "Print one JSON object per transfer.")
  var json = false

  mutating func validate() throws {
    if limit < 0 { throw ValidationError("--limit must be 0 or more") }
    if action == .list, !ids.isEmpty { throw ValidationError("list takes no ids") }
    if action != .list, ids.isEmpty {
      throw ValidationError("missing transfer id: `fetchrun transfers` lists the ids")
    }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    switch action {
    case .list: try await list(output)
    case .cancel: try await ask(.cancel, output)
    case .retry: try await ask(.retry, output)
    }
  }

  private func list(_ output: RunOutput) async throws {
    do {
      let records = try await StoreQueries(at: daemon.store(output))
        .transfers(job: job, endedLimit: limit == 0 ? nil : limit)
      if json {
        for record in records { Terminal.current.output(json: record.json) }
      } else {
        TransferTable.table(records).write(to: .current)
        if records.isEmpty {
          let job = job.map { " of the job '\($0)'" } ?? ""
          output.message("there are no transfers\(job)")
        }
      }
    } catch let error as StoreError {
      output.message(daemon.sentence(error))
      throw ExitStatus.runFailed
    }
  }

  private func ask(_ action: ControlRequest.TransferCommand, _ output: RunOutput) async throws {
    try await daemon.ask(.transfers(action, ids: ids), output) { line in
      output.control(line) {
        guard let id = line["id"]?.integerValue, let state = line["state"]?.stringValue else {
          return nil
        }
        return "\(id): \(state)"
      }
    }
  }
}
