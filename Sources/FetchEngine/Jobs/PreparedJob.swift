package import FetchConfig

/// A job of the config together with what runs need: its plugin, options and grant.
package struct PreparedJob: Sendable {
  package var config: JobConfig
  package var job: Job
}
