import ArgumentParser
import FetchEngine
import FetchModel
import FetchStore
import Glibc

/// `fetchrun grant JOB`: the user agrees to what a job's plugin asks for.
struct GrantVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Agree to what the plugin of a job asks for, as its file is now.",
    discussion: """
      Shows what is asked for beyond what was granted, and asks. A job that waited for that runs at \
      once where a daemon serves it.
      """)

  @Argument(help: "The job's name.")
  var job: String

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  @Flag(name: .long, help: "Do not ask.")
  var yes = false

  @Flag(name: .long, help: "Print one JSON object.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    try await GrantSubjects.with(file, storage, output) { subjects in
      let prepared = try await subjects.job(named: job)
      let permissions = try subjects.permissions(of: prepared)
      if case .beyondAllowance = permissions.decision, let held = permissions.held {
        output.message(held.message)
        throw ExitStatus.runFailed
      }
      let plugin = prepared.job.plugin
      show(PermissionDifference(prepared.job, permissions.pin), permissions, output)
      try confirm(output)
      let grant = PinnedGrant(
        plugin: plugin.name, hash: plugin.source.contentHash, granted: plugin.asked,
        at: RunTime.system.now(), source: .agreement)
      try await keep(grant, prepared.job, subjects.storePath, output)
    }
  }

  /// What is new in lines with +, all that is asked for where nothing was granted yet.
  private func show(
    _ difference: PermissionDifference, _ permissions: JobPermissions, _ output: RunOutput
  ) {
    output.message("\(job) runs \(permissions.job.plugin.described)")
    let asked = permissions.job.plugin.asked.all
    if permissions.pin == nil {
      for permission in asked { output.message("+ " + permission.phrase) }
      if asked.isEmpty { output.message("it asks for nothing") }
    } else {
      for line in difference.lines { output.message(line) }
      if difference.isEmpty { output.message("it asks for what was granted") }
    }
  }

  private func confirm(_ output: RunOutput) throws {
    if yes { return }
    guard isatty(STDIN_FILENO) == 1 else {
      output.message("grant asks before it grants; say --yes")
      throw ExitStatus.usage
    }
    Terminal.write("Grant this to '\(job)'? [y/N] ", to: STDERR_FILENO)
    guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
      output.message("nothing was changed")
      throw ExitStatus.runFailed
    }
  }

  /// By the daemon where one has the store.
  private func keep(
    _ grant: PinnedGrant, _ job: Job, _ store: String, _ output: RunOutput
  ) async throws {
    let end: ControlEnd
    let name = job.name
    let line = GrantLine(job: name, hash: grant.hash, isDue: false)
    do throws(ControlError) {
      end = try await ControlClient.send(
        .grant(job: name, grant, manifestName: job.plugin.manifest.name),
        at: ControlSocketPath.candidates(store: store)
      ) { line in output.control(line) { GrantLine(line)?.text } }
    } catch {
      guard error.code == .noDaemon else {
        output.message(error.message)
        throw ExitStatus.runFailed
      }
      let opened = try await Services.openStore(store, output)
      try await opened.keep(grant, of: name, manifestName: job.plugin.manifest.name)
      try await opened.close()
      return output.control(line.value) { line.text }
    }
    if let message = end.message { output.message(message) }
    if end.status != 0 { throw ExitCode(end.status) }
  }
}
