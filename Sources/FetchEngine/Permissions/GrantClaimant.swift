package import FetchModel
import FetchValues

/// A job or a hook of the config, with the file that requests permissions and the settings in the
/// config.
package struct GrantClaimant: Sendable {
  package let holder: GrantHolder
  /// The job; for a hook, the job that its file would make. It may lack things that its file needs.
  package let job: Job
  package let definition: JobDefinition
  /// The problems of options and secrets; the job lacks the values that they name.
  package let problems: [OptionProblem]
  /// The hooks that are notified of a job.
  package let hooks: [HookConfig]

  package init(
    _ holder: GrantHolder, _ definition: JobDefinition, with file: Plugin,
    hooks: [HookConfig] = []
  ) {
    self.holder = holder
    self.definition = definition
    (job, problems) = definition.claim(of: file)
    let name = job.name
    self.hooks = hooks.filter { $0.scope.includes(job: name, plugin: file.manifest.name) }
  }
}

extension JobDefinition {
  /// Returns the job with its file, even if it lacks something that the file needs.
  func claim(of file: Plugin) -> (job: Job, problems: [OptionProblem]) {
    var (job, problems) = fitted(to: file)
    if !problems.isEmpty {
      job.terms = (job.terms ?? GrantTerms()).lacking(problems.map(\.configMessage))
    }
    return (job, problems)
  }
}
