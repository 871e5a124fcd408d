package import FetchConfig
package import FetchModel

/// A job of the config with its plugin, options and grant, ready to run.
package struct PreparedJob: Sendable {
  package var config: JobConfig
  package var job: Job

  package init(config: JobConfig, job: Job) {
    self.config = config
    self.job = job
  }

  /// Creates a job whose plugin does not load: its runs end with that failure.
  package init(failing failure: Failure, _ config: JobConfig) {
    self.config = config
    let plugin = Plugin(standingInFor: config.plugin, failure)
    // Its options cannot be checked without the file.
    job = JobDefinition(config).fitted(to: plugin).job
  }
}
