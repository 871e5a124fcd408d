package import FetchConfig
package import FetchModel
import FetchValues

/// A job or a hook of the config, with the file that requests permissions and the settings in the
/// config.
package struct GrantClaimant: Sendable {
  package let holder: GrantHolder
  /// The job. For a hook, it is a job made from the hook's file. The job may lack options or
  /// secrets that the file needs.
  package let job: Job
  package let config: JobConfig
  /// The problems with options and secrets.
  package let problems: [OptionProblem]
  /// The hooks that receive the events of the job; empty for a hook.
  package let hooks: [HookConfig]

  package init(
    _ holder: GrantHolder, _ config: JobConfig, with file: Plugin,
    hooks: [HookConfig] = []
  ) {
    self.holder = holder
    self.config = config
    (job, problems) = config.claim(of: file)
    let name = job.name
    self.hooks = hooks.filter { $0.scope.includes(job: name, plugin: file.manifest.name) }
  }
}

extension JobConfig {
  /// Returns the job with the given file, and the job's problems. The job may lack options or
  /// secrets that the file needs. `privateAddresses`: see `fitted`.
  func claim(
    of file: Plugin, privateAddresses: PrivateAddresses = .none
  ) -> (job: Job, problems: [OptionProblem]) {
    let fitted = fitted(to: file, privateAddresses: privateAddresses)
    if fitted.problems.isEmpty { return fitted }
    var (job, problems) = fitted
    job.terms = (job.terms ?? GrantTerms()).lacking(problems.map(\.configMessage))
    return (job, problems)
  }
}
