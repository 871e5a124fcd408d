import ArgumentParser
import FetchEngine
import FetchModel
import FetchValues

/// `fetchrun diff-permissions JOB|PLUGIN|--hook HOOK [FILE]`: shows what a changed file requests.
struct DiffPermissionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff-permissions",
    abstract:
      "Compare the permissions that a file requests with the granted ones, or with another file's.",
    usage: "fetchrun diff-permissions (JOB [FILE] | --hook HOOK [FILE] | PLUGIN FILE) [--json]",
    discussion: """
      Lines with + show what the file newly asks for, lines with - what it no longer asks for. \
      Exit status: 1 if the file asks for more, 0 if not.
      """)

  @Argument(
    help: "A job's name, or a plugin's name or file; with --hook, a hook's name.",
    completion: .claimants)
  var name: String

  @Argument(help: "The file to compare (default for a job or a hook: its own file).")
  var newFile: String?

  @OptionGroup var kind: HookFlag

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  @Flag(name: .long, help: "Print one JSON object per line.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    var isMore = false
    try await GrantSubjects.with(file, storage, output, jobs: kind.jobs(named: name)) { subjects in
      let difference = try await difference(subjects, output)
      if json {
        for value in difference.values { output.control(value) }
      } else {
        for line in difference.lines { Terminal.current.output(PlainText.line(line)) }
        if difference.lines.isEmpty { output.message("the permissions are the same") }
      }
      isMore = !difference.more.isEmpty
    }
    if isMore { throw ExitStatus.moreWanted }
  }

  private func difference(
    _ subjects: GrantSubjects, _ output: RunOutput
  ) async throws -> PermissionDifference {
    switch try await subjects.named(name, isHook: kind.isHook) {
    case .claimant(var claimant):
      if let newFile { claimant = try await subjects.claimant(claimant, with: newFile) }
      for problem in claimant.job.lacking { output.message(problem) }
      return PermissionDifference(claimant.job, try await subjects.grant(of: claimant))
    case .kept(let all):
      guard let latest = all.first else { return PermissionDifference() }
      let file = try await subjects.plugin(newFile ?? latest.pin.plugin)
      return PermissionDifference(from: latest.pin.granted, to: file.asked)
    case .plugin(let plugin):
      guard let newFile else {
        throw ValidationError(
          "name the file that is to replace \(plugin.path):"
            + " `fetchrun diff-permissions \(ShellWord.quoted(name)) FILE`")
      }
      return PermissionDifference(
        from: plugin.asked, to: try await subjects.plugin(newFile).asked)
    }
  }
}
