import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// The run of `--plugin` while a daemon has the store. The daemon runs the plugin, and this process
/// shows the result.
extension OnceCommand {
  /// The paths of the sockets of the daemon that has the store; nil if there is no daemon.
  var daemonSockets: [String]? {
    let sockets = StateFolder(of: storage.address()).daemonSockets
    return ControlClient.hasDaemon(at: sockets) ? sockets : nil
  }

  /// Passes the job to the daemon and shows the run. Returns the exit status; nil for success.
  func handOver(_ job: Job, to sockets: [String], _ output: RunOutput) async -> ExitCode? {
    let problems = unsendable
    guard problems.isEmpty else {
      for problem in problems { output.message(problem) }
      output.message("or run the plugin on a separate store: --store try.sqlite")
      return ExitStatus.usage
    }
    do {
      let reader = try await StoreOpener.read(storage.address())
      let before = try await reader.lastSequence()
      let runs = RunsShown(output) { record in
        // This closure is synchronous, so it waits until the asynchronous report has ended.
        HostExecutor.large.run { await output.report(record, itemsAfter: before, in: reader) }
      }
      output.progress("\(job.name) is running …")
      let end = try await ControlClient.send(
        .guest(request(for: job)), at: sockets, line: runs.show)
      output.progress("")
      if let message = end.message { output.message(message) }
      if try await reader.hasOpenTransfers(of: job.name) {
        output.message(
          "the daemon of this store downloads the queued files: see "
            + SuggestedCommand.reading("transfers", storage.address()))
      }
      return end.status == 0
        ? runs.exitCode(errorOnNoData: errorOnNoData) : ExitCode(end.status)
    } catch let error as ControlError {
      output.progress("")
      output.message(
        error.code == .cancelled
          ? "no longer waiting; the daemon continues the run if it has begun, and drops it otherwise:"
            + " see "
            + SuggestedCommand.reading("runs", storage.address())
          : error.message)
      return ExitStatus.runFailed
    } catch {
      return output.stopped(by: error)
    }
  }

  /// The messages about options that a daemon cannot use.
  private var unsendable: [String] {
    let flags: [(String, Bool)] = [
      ("--on-new", onNew != nil), ("--hook", !typedHooks.hook.isEmpty),
      ("--ca-file", network.caFile != nil), ("--insecure", network.insecure),
      ("--sandbox", sandbox.sandbox != nil),
    ]
    let names = flags.filter(\.1).map(\.0)
    let problems =
      names.isEmpty
      ? []
      : [
        "a daemon uses this store: run without \(names.joined(separator: ", ")), which the daemon "
          + "cannot accept"
      ]
    return problems + secrets.given.compactMap(GuestRequest.problem)
  }

  private func request(for job: Job) -> GuestRequest {
    var request = GuestRequest(
      job: job.name, plugin: plugin ?? "", file: ProcessEnvironment.absolute(job.plugin.path),
      hash: job.plugin.source.contentHash)
    request.options = options.option
    request.readPaths = job.grant.readPaths.map(ProcessEnvironment.absolute)
    request.filesRoot = filesRoot.map(ProcessEnvironment.absolute)
    request.secrets = secrets.secret.map { text in
      guard let given = GivenSecret(text: text), case .file(let path) = given.source else {
        return text
      }
      return "\(given.name)=file:\(ProcessEnvironment.absolute(path))"
    }
    request.allowsPrivate = network.addresses.allowPrivate
    request.privateBlocks = network.addresses.allowPrivateNetwork
    request.isIsolated = isolate
    request.isNamed = self.job != nil
    request.firstRun = firstRun.firstRun
    return request
  }
}

extension RunOutput {
  /// Prints a run of the daemon, with the job's items that were stored after the sequence number
  /// `sequence`.
  fileprivate func report(
    _ record: RunRecord, itemsAfter sequence: Int64, in reader: any ReadableStore
  ) async {
    var report = RunReport(record: record)
    var query = ItemQuery()
    query.since = sequence
    query.job = record.job
    var mark: PageMark?
    repeat {
      guard let page = try? await reader.items(query, after: mark) else { break }
      mark = page.next
      for item in page.elements {
        if asJSON {
          line(item)
          continue
        }
        report.newsCount += 1
        if report.lines.count >= 2 * Self.listedMax { report.lines.removeFirst(Self.listedMax) }
        report.lines.append(item)
      }
    } while mark != nil
    self.report(report)
  }
}
