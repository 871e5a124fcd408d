package import FetchModel
import FetchValues

/// A job or a hook of the config, with the file that asks for grants and what the config says of it.
package struct GrantClaimant: Sendable {
  package let holder: GrantHolder
  /// A hook's as well: it is granted what a job of that file would be. One that does not have all that
  /// its file needs is a claimant, too.
  package let job: Job
  package let definition: JobDefinition
  /// Of its options and secrets; the job lacks what they name.
  package let problems: [OptionProblem]
  /// Those that are told of a job.
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
  /// The job with its file, whether it has all that this needs or not.
  func claim(of file: Plugin) -> (job: Job, problems: [OptionProblem]) {
    var (job, problems) = fitted(to: file)
    if !problems.isEmpty {
      job.terms = (job.terms ?? GrantTerms()).lacking(problems.map(\.configMessage))
    }
    return (job, problems)
  }
}
