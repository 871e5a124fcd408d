package import FetchModel
package import FetchValues

/// A job that will be written into a config.
package struct NewJob: Equatable, Sendable {
  package var name: JobName
  package var plugin: String
  package var options: ValueObject
  /// The interval as it is written in the config.
  package var interval: String?
  package var secrets: [GivenSecret] = []
  /// The private addresses that the job may reach.
  package var privateAddresses = PrivateAddresses.none
  /// The rule for the job's first run; nil to use the rule of the defaults or the plugin.
  package var firstRun: FirstRunRule?

  package init(
    name: JobName, plugin: String, options: ValueObject = ValueObject(), interval: String? = nil
  ) {
    self.name = name
    self.plugin = plugin
    self.options = options
    self.interval = interval
  }

  /// Returns the job as lines of YAML. The first line begins with a dash after `indent` spaces.
  package func lines(indentedBy indent: Int) -> [String] {
    var lines = ["name: " + YAMLText.scalar(name.text), "plugin: " + YAMLText.scalar(plugin)]
    if !options.isEmpty {
      lines.append("options:")
      // The reader expands variables in values, but not in keys.
      lines += options.members.map {
        "  \(YAMLText.scalar($0.key, hasVariables: false)): \(YAMLText.line($0.value))"
      }
    }
    let sources = secrets.flatMap { secret in
      secret.source.written.map {
        ["  \(YAMLText.scalar(secret.name)):", "    \($0.kind): \(YAMLText.scalar($0.place))"]
      } ?? []
    }
    if !sources.isEmpty { lines += ["secrets:"] + sources }
    if let interval {
      // A duration ends with its unit, so YAML does not read it as a number.
      let isDuration = (try? Duration(parsing: interval)) != nil
      lines.append("interval: " + (isDuration ? interval : YAMLText.scalar(interval)))
    }
    switch privateAddresses {
    case .none: break
    case .all: lines.append("allow_private: true")
    case .within(let blocks):
      let list = blocks.map { YAMLText.scalar($0.description) }
      lines.append("allow_private: [" + list.joined(separator: ", ") + "]")
    }
    if let firstRun { lines.append("first_run: " + firstRun.text) }
    let margin = String(repeating: " ", count: indent)
    return lines.enumerated().map { index, line in margin + (index == 0 ? "- " : "  ") + line }
  }

  /// Whether a job that was read from a config is this job. The name, plugin, options and secrets
  /// must be equal. The rule for the first run must be equal if this job has one.
  func isRead(as job: JobConfig) -> Bool {
    job.name == name && ExactText(job.plugin) == ExactText(plugin)
      && job.options == options && job.secrets == secrets
      && (firstRun == nil || job.firstRun == firstRun)
  }
}
