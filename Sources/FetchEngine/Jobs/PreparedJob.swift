package import FetchConfig
package import FetchModel

/// A job of the config together with what runs need: its plugin, options and grant.
package struct PreparedJob: Sendable {
  package var config: JobConfig
  package var job: Job

  package init(config: JobConfig, job: Job) {
    self.config = config
    self.job = job
  }

  /// A job whose plugin does not load: its runs end with that failure.
  package init(failing failure: Failure, _ config: JobConfig) {
    self.config = config
    let plugin = Plugin(standingInFor: config.plugin, failure)
    // Its options are right or wrong by a file that nobody can read.
    job = JobDefinition(config).fitted(to: plugin).job
  }
}
