package import FetchModel

/// A job or a hook of the config, with the file that asks for grants and what the config says of it.
package struct GrantClaimant: Sendable {
  package let holder: GrantHolder
  /// A hook's as well: it is granted what a job of that file would be.
  package let job: Job
  package let definition: JobDefinition
  /// Those that are told of a job.
  package let hooks: [HookConfig]

  package init(
    _ holder: GrantHolder, _ definition: JobDefinition, with file: Plugin,
    hooks: [HookConfig] = []
  ) throws(OptionProblems) {
    self.holder = holder
    self.definition = definition
    let job = try definition.job(with: file)
    self.job = job
    self.hooks = hooks.filter {
      $0.scope.includes(job: job.name, plugin: file.manifest.name)
    }
  }
}
