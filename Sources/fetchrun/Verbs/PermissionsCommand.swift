import ArgumentParser
import FetchEngine
import FetchValues

/// `fetchrun permissions PLUGIN|JOB|--hook HOOK`: shows what a plugin requests, or what a job or a
/// hook was granted.
struct PermissionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permissions",
    abstract:
      "Show what a plugin asks for, or a job's or hook's permissions and how they were granted.")

  @Argument(
    help: ArgumentHelp(
      "The name of a job (from the config, or from an earlier run on the command line), a plugin's"
        + " name or file, or, with --hook, a hook's name."),
    completion: .claimants)
  var name: String

  @OptionGroup var kind: HookFlag
  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  @Flag(name: .long, help: "Print one JSON object.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    try await GrantSubjects.with(file, storage, output, jobs: kind.jobs(named: name)) { subjects in
      switch try await subjects.named(name, isHook: kind.isHook) {
      case .claimant(let claimant):
        let permissions = try await subjects.permissions(of: claimant)
        show(permissions.value, permissions.lines, output)
      case .kept(let all):
        for permissions in all { show(permissions.value, permissions.lines, output) }
      case .plugin(let plugin):
        show(.object(plugin.permissions), plugin.permissionLines, output)
      }
    }
  }

  private func show(_ value: Value, _ lines: [String], _ output: RunOutput) {
    if json { return output.control(value) }
    for line in lines { Terminal.current.output(PlainText.line(line)) }
  }
}
