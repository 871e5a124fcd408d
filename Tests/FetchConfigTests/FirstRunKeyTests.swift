import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchConfig

/// Tests of the key `first_run`: its values in jobs and defaults, and its effect on new jobs.
@Suite struct FirstRunKeyTests {
  @Test func `a job's rule overrides that of the defaults`() throws {
    let config = try ConfigFolder.load(
      """
      defaults: { first_run: baseline }
      jobs:
        - { name: one, plugin: rss }
        - { name: two, plugin: rss, first_run: "latest:3" }
        - { name: three, plugin: rss, first_run: all }
      """)
    #expect(config.firstRun == .baseline)
    #expect(config.jobs.map(\.firstRun) == [.baseline, .latest(3), .all])
    #expect(try ConfigFolder.load("jobs: [{ name: a, plugin: rss }]").jobs[0].firstRun == nil)
  }

  @Test func `an invalid rule is reported with its place`() throws {
    #expect(
      try ConfigFolder.problems("jobs:\n  - { name: a, plugin: rss, first_run: last }\n") == [
        "fetchrun.yaml:2:40: invalid first_run 'last': use all, baseline, or latest:N for"
          + " the N newest items, such as latest:10"
      ])
  }

  private func added(to text: String?, _ rule: FirstRunRule?, default: FirstRunRule? = nil) throws
    -> String
  {
    var job = NewJob(name: "news", plugin: "rss")
    job.firstRun = rule
    return try ConfigEdit.adding(
      [job], to: text, file: "f.yaml", environment: [:], firstRun: `default`)
  }

  @Test
  func `first_run is added to the defaults of a new file, and to the jobs of an existing one`()
    throws
  {
    #expect(
      try added(to: nil, nil, default: .baseline) == """
        defaults:
          first_run: baseline
        jobs:
          - name: news
            plugin: rss

        """)
    #expect(
      try added(to: "jobs: []\n", .latest(2), default: .baseline) == """
        jobs:
          - name: news
            plugin: rss
            first_run: latest:2

        """)
  }

  @Test(arguments: ["all", "baseline", "latest:7"]) func `the text of a rule can be read back`(
    text: String
  ) {
    #expect(FirstRunRule(text)?.text == text)
  }
}
