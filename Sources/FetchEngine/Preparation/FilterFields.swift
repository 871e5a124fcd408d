package import FetchConfig
package import FetchModel
import FetchValues

/// Conditions of hooks that name a field which no stored item has: they can never be met.
package enum FilterFields {
  /// Says nothing about jobs that have no items yet.
  package static func warnings(
    of hooks: [HookConfig], _ jobs: [PreparedJob], by memory: GrantMemory
  ) -> [ConfigProblem] {
    hooks.flatMap { hook -> [ConfigProblem] in
      guard let names = hook.filter?.furtherFields, !names.isEmpty else { return [] }
      let told = jobs.filter {
        hook.scope.includes(job: $0.job.name, plugin: $0.job.plugin.manifest.name)
      }
      var (seen, asked): (Set<String>, [String]) = ([], [])
      for job in told.map(\.job.name) {
        guard let fields = memory.itemFields(of: job) else { continue }
        seen.formUnion(fields)
        asked.append(job)
      }
      guard !asked.isEmpty else { return [] }
      return names.filter { !seen.contains($0) }.map { name in
        let hint = NearestName.hint(name, among: ItemFilter.usualFields + seen.sorted())
        let whose = asked.count == 1 ? "of '\(asked[0])'" : "of its \(asked.count) jobs"
        return hook.problem("when: no stored item \(whose) has the field '\(name)'\(hint)")
          .asWarning
      }
    }
  }
}
