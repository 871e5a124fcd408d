import FetchTestSupport
import FetchValues
import Testing

struct JobHintTests {
  private static let jobs = ["news", "rss-kernel.org", "rss-swift.org", "releases"]

  @Test(arguments: [
    ("nwes", " (did you mean 'news'?)"),
    ("rss", " (did you mean 'rss-kernel.org' or 'rss-swift.org'?)"),
    ("RSS", " (did you mean 'rss-kernel.org' or 'rss-swift.org'?)"),
    ("swift", " (did you mean 'rss-swift.org'?)"),
    ("r", ""), ("", ""), ("weather", ""),
  ])
  func `a job is also suggested for the beginning or a part of its name`(
    word: String, expected: String
  ) {
    #expect(NearestName.hint(JobName(word), among: Self.jobs.map { JobName($0) }) == expected)
  }

  @Test func `at most three jobs are suggested`() {
    let jobs = (1...9).map { "rss-site\($0).example" }
    #expect(
      NearestName.hint(JobName("rss"), among: jobs.map { JobName($0) })
        == " (did you mean 'rss-site1.example', 'rss-site2.example' or 'rss-site3.example'?)")
  }
}
