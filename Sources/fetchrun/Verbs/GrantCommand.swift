import ArgumentParser
import FetchEngine
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// `fetchrun grant JOB|--hook HOOK`: grants what the file of a job or a hook requests.
struct GrantCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Grant what the present file of a job or a hook asks for.",
    discussion: """
      Shows what the file asks for beyond the earlier grant, and asks for confirmation. With a \
      daemon, a job that waited for the grant runs immediately, and a hook that waited for it gets \
      its deliveries.
      """)

  @Argument(help: "The job's name, or the hook's.", completion: .claimants)
  var name: String

  @OptionGroup var kind: HookFlag
  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  @Flag(name: .long, help: "Do not ask for confirmation.")
  var yes = false

  @Flag(name: .long, help: "Print one JSON object.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    try await GrantSubjects.with(file, storage, output, jobs: kind.jobs(named: name)) { subjects in
      let claimant = try await subjects.claimant(named: name, isHook: kind.isHook)
      let permissions = try await subjects.permissions(of: claimant)
      if case .beyondAllowance = permissions.decision, let held = permissions.held {
        output.message(held.message)
        throw ExitStatus.runFailed
      }
      let plugin = claimant.job.plugin
      show(PermissionDifference(claimant.job, permissions.pin), permissions, output)
      if isAnythingNew(claimant.job, permissions) { try confirm(output) }
      let grant = PinnedGrant(
        plugin: plugin.name, hash: plugin.source.contentHash, granted: plugin.asked,
        at: RunTime.system.now(), source: .agreement)
      try await keep(grant, claimant, subjects.store, output)
      if case .lacking = claimant.job.decision(by: grant, now: grant.grantedAt) {
        let lacking = claimant.job.lacking.joined(separator: "; ")
        output.message("'\(name)' does not run until it has what it needs: \(lacking)")
      }
    }
  }

  /// Shows the requested permissions, each in a line with +. If there is an earlier grant, shows
  /// only the differences from it. A line with - has a permission that the file no longer requests.
  private func show(
    _ difference: PermissionDifference, _ permissions: JobPermissions, _ output: RunOutput
  ) {
    output.message("\(name) runs \(permissions.job.plugin.described)")
    let asked = permissions.job.plugin.asked.all
    if permissions.pin == nil {
      for permission in asked { output.message("+ " + permission.phrase) }
      if asked.isEmpty { output.message("the file asks for nothing") }
    } else {
      for line in difference.lines { output.message(line) }
      if difference.isEmpty {
        output.message("the file asks for nothing new")
      }
    }
  }

  /// Whether the file requests more permissions than the earlier grant has. Without an earlier
  /// grant, whether it requests any permission.
  private func isAnythingNew(_ job: Job, _ permissions: JobPermissions) -> Bool {
    permissions.pin == nil
      ? !job.plugin.asked.all.isEmpty : !PermissionDifference(job, permissions.pin).more.isEmpty
  }

  private func confirm(_ output: RunOutput) throws {
    if yes { return }
    guard isatty(STDIN_FILENO) == 1 else {
      output.message("add --yes to grant this to '\(name)'")
      throw ExitStatus.usage
    }
    Terminal.write("Grant this to '\(name)'? [y/N] ", to: STDERR_FILENO)
    guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
      output.message("nothing was changed")
      throw ExitStatus.runFailed
    }
  }

  /// Stores the grant. If a daemon has the store, the daemon stores the grant.
  private func keep(
    _ grant: PinnedGrant, _ claimant: GrantClaimant, _ store: StoreAddress, _ output: RunOutput
  ) async throws {
    let request = ControlRequest.grant(
      of: claimant.holder, grant, manifestName: claimant.job.plugin.manifest.name)
    let show: @Sendable (Value) -> Void = { line in
      output.control(line) { GrantLine(line)?.text }
    }
    let end: ControlEnd
    do throws(ControlError) {
      end = try await ControlClient.send(
        request, at: StateFolder(of: store).daemonSockets, line: show)
    } catch {
      guard error.code == .noDaemon else {
        output.message(error.message)
        throw ExitStatus.runFailed
      }
      let opened = try await Services.openStore(store, output)
      end = await StoreControl(opened, suggested: SuggestedCommand(file, storage))
        .answer(request) { show($0) }
      try await opened.close()
    }
    if let message = end.message { output.message(message) }
    if end.status != 0 { throw ExitCode(end.status) }
  }
}
