package import FetchConfig
package import FetchModel
import FetchValues

/// The check of hook conditions for fields that no stored item has.
package enum FilterFields {
  /// Returns a warning for each additional field of a hook's condition that none of the newest
  /// stored items has. If no job of a hook has items yet, warns only about names that are probably
  /// mistyped, and only if the plugins load. Such names resemble a standard field. They do not
  /// occur in the plugins, hook files or options of these jobs.
  ///
  /// - Parameter onlyMistyped: whether to check only names that are probably mistyped. Reading the
  ///   stored items of many jobs takes a long time, and a correct condition must not delay a
  ///   daemon's start.
  package static func warnings(
    of hooks: [HookConfig], _ jobs: [Job], by memory: GrantMemory,
    onlyMistyped: Bool = false
  ) async -> [ConfigProblem] {
    var warnings: [ConfigProblem] = []
    for hook in hooks {
      let names = (hook.filter?.furtherFields ?? []).filter { !onlyMistyped || isMistyped($0) }
      guard !names.isEmpty else { continue }
      let told = jobs.filter {
        hook.scope.includes(job: $0.name, plugin: $0.plugin.manifest.name)
      }
      var (seen, asked): (Set<String>, [JobName]) = ([], [])
      for job in told.map(\.name) {
        guard let fields = await memory.itemFields(of: job) else { continue }
        seen.formUnion(fields)
        asked.append(job)
      }
      let messages =
        asked.isEmpty ? unstored(names, told) : missing(names, among: seen, of: asked)
      warnings += messages.map { hook.problem($0).asWarning }
    }
    return warnings
  }

  private static func missing(
    _ names: [String], among seen: Set<String>, of jobs: [JobName]
  ) -> [String] {
    let whose = jobs.count == 1 ? "of '\(jobs[0])'" : "of the \(jobs.count) checked jobs"
    return names.filter { !seen.contains($0) }.map { name in
      let hint = NearestName.hint(name, among: ItemFilter.usualFields + seen.sorted())
      return "when: none of the newest stored items \(whose) has the field '\(name)'\(hint)"
    }
  }

  private static func unstored(_ names: [String], _ jobs: [Job]) -> [String] {
    guard !jobs.isEmpty, jobs.allSatisfy({ $0.plugin.loadFailure == nil }) else { return [] }
    let whose =
      jobs.count == 1
      ? "the plugin of '\(jobs[0].name)' names"
      : "the plugins of the \(jobs.count) checked jobs name"
    return names.compactMap { name in
      guard isMistyped(name), !jobs.contains(where: { $0.mentions(name) }) else { return nil }
      let hint = NearestName.hint(name, among: ItemFilter.usualFields)
      return "when: \(whose) no field '\(name)'\(hint)"
    }
  }

  private static func isMistyped(_ name: String) -> Bool {
    !feedFields.contains(name) && NearestName.of(name, among: ItemFilter.usualFields) != nil
  }

  /// The fields of a feed's items, which a plugin may pass on unchanged.
  private static let feedFields = Set(PluginInterface.feedItem.fields.flatMap(\.names))
}

extension Job {
  /// Whether a name occurs in the plugin, the hook files or the options of the job.
  fileprivate func mentions(_ name: String) -> Bool {
    let texts = ([plugin.source] + hooks.map(\.file.source)).flatMap { source in
      [source.text] + source.libraries.map(\.text)
    }
    let given = (try? JSONWriter.text(.object(options))) ?? ""
    return given.contains(name)
      || texts.contains { String(decoding: $0, as: UTF8.self).contains(name) }
  }
}
