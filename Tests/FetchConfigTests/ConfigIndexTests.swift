import FetchConfig
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Glibc
import Testing

/// Tests of the index of a config, with which a command reads only the jobs that it names.
@Suite struct ConfigIndexTests {
  private static let filler = IndexedConfig.filler()
  private static func job(_ name: String) -> String { IndexedConfig.job(name) }
  private static let plain = "jobs:\n" + job("a") + job("b") + filler

  private static func names(_ config: Config) -> [JobName] { config.jobs.map(\.name) }

  /// The job `a` of a config, or the problems.
  private enum Reading: Equatable {
    case job(JobConfig?)
    case problems([ConfigProblem])

    init(_ load: () throws(ConfigProblems) -> Config) {
      do throws(ConfigProblems) {
        self = .job(try load().jobs.first { $0.name == "a" })
      } catch { self = .problems(error.all) }
    }
  }

  @Test func `only the named job is read`() throws {
    let config = try IndexedConfig(Self.plain)
    defer { config.remove() }
    #expect(try Self.names(config.load("b")) == ["a", "b", "filler"])
    #expect(try Self.names(config.load("b")) == ["b"])
    #expect(try Self.names(config.load("filler", "a")) == ["a", "filler"])
    #expect(try Self.names(config.load()) == ["a", "b", "filler"])
    #expect(try Self.names(config.load("b", "none")) == ["a", "b", "filler"])
  }

  @Test func `a variable in the defaults decides about all jobs`() throws {
    let config = try IndexedConfig(
      "defaults: {jitter: \"${J}\"}\njobs:\n" + Self.job("a")
        + IndexedConfig.job("b", "interval: 5m") + Self.filler)
    defer { config.remove() }
    _ = try config.load(environment: ["J": "1m"])
    #expect(try config.load("a", environment: ["J": "1m"]).jobs.first?.jitter == .seconds(60))
    let problems = #expect(throws: ConfigProblems.self) {
      try config.load("a", environment: ["J": "10m"])
    }
    #expect(problems?.all.first?.message.contains("longer than the interval") == true)
  }

  @Test func `an index that others can change is not used`() throws {
    let config = try IndexedConfig(Self.plain)
    defer { config.remove() }
    _ = try config.load()
    let index = try #require(config.index)
    #expect(try Self.names(config.load("b")) == ["b"])
    #expect(chmod(index, 0o666) == 0)
    #expect(try Self.names(config.load("b")) == ["a", "b", "filler"])
  }

  @Test(arguments: 0..<24) func `a job is the same by the index and in the whole config`(
    seed: Int
  ) throws {
    let random = RandomConfig(seed: seed)
    let config = try IndexedConfig(random.text, environment: RandomConfig.environment)
    defer { config.remove() }
    var whole = try config.load()
    #expect((config.index != nil) == !random.hasFalseEntry)
    #expect(Self.names(whole) == random.names)
    let jobs = whole.jobs
    let (variables, hooks) = (whole.secretVariables, whole.allHooks)
    whole.jobs = []
    for job in jobs {
      var part = try config.load(job.name)
      #expect(part.jobs.first { $0.name == job.name } == job)
      #expect(part.secretVariables == variables)
      #expect(part.allHooks == hooks)
      let isOther = job.name != "filler"
      #expect(random.hasFalseEntry || !isOther || !Self.names(part).contains("filler"))
      part.jobs = []
      #expect(part == whole)
    }
  }

  @Test func `jobs that affect the whole config are always read`() throws {
    let config = try IndexedConfig(
      [
        "jobs:\n", Self.job("plain"),
        IndexedConfig.job("hook", "hooks: [{name: own, file: own.jsonl}]"),
        IndexedConfig.job("variable", "options: {url: \"${URL}\"}"),
        IndexedConfig.job("secret", "secrets: {token: {env: TOKEN}}"),
        IndexedConfig.job("same secret", "secrets: {token: {env: TOKEN}}"),
        IndexedConfig.job("zone", "zone: Europe/Berlin"),
        IndexedConfig.job("same zone", "zone: Europe/Berlin"), Self.filler,
      ].joined(),
      environment: ["URL": "https://a.test/"])
    defer { config.remove() }
    _ = try config.load()
    #expect(
      try Self.names(config.load("filler")) == ["hook", "variable", "secret", "zone", "filler"])
    let whole = #expect(throws: ConfigProblems.self) { try config.load(environment: [:]) }
    let part = #expect(throws: ConfigProblems.self) {
      try config.load("filler", environment: [:])
    }
    #expect(part?.all == whole?.all)
  }

  static let unfit: [String: String] = [
    "the config is small": "jobs:\n" + job("a") + job("b"),
    "the list is in brackets": "jobs: [{name: a, plugin: rss}, {name: b, plugin: rss}]\nkeep:\n"
      + "  versions: 3\n  # " + String(repeating: "x", count: 256 << 10),
    "a job has an anchor": "jobs:\n" + IndexedConfig.job("a", "options: {one: &x 1, two: *x}")
      + filler,
    "a text has another line break": "jobs:\n"
      + IndexedConfig.job("a", "options: {text: \"a\u{2028}b\"}") + filler,
    "a text has the form of a job": "jobs:\n"
      + IndexedConfig.job("a", "options: {text: \"a\n  - b\"}") + filler,
    "the next key is explicit": plain + "?\n  keep\n: {versions: 3}\n",
    "a hook names a job by a variable": "hooks: [{name: h, file: h.jsonl, jobs: [\"${JOB}\"]}]\n"
      + plain,
  ]

  @Test(arguments: unfit.keys.sorted()) func `there is no index if`(reason: String) throws {
    let config = try IndexedConfig(try #require(Self.unfit[reason]), environment: ["JOB": "a"])
    defer { config.remove() }
    let whole = try config.load("a")
    #expect(whole.jobs.count > 1)
    #expect(config.index == nil)
    #expect(try config.load("a") == whole)
  }

  @Test func `no index is used beside files of jobs.d`() throws {
    let config = try IndexedConfig(Self.plain)
    defer { config.remove() }
    _ = try config.load()
    try config.folder.write("jobs.d/more.yaml", "jobs:\n" + Self.job("c"))
    #expect(try Self.names(config.load("a")) == ["a", "b", "filler", "c"])
    config.removeIndex()
    _ = try config.load()
    #expect(config.index == nil)
  }

  @Test func `no index is written of a config with a problem`() throws {
    let config = try IndexedConfig("keep: {version: 3}\n" + Self.plain)
    defer { config.remove() }
    #expect(throws: ConfigProblems.self) { try config.load("a") }
    #expect(config.index == nil)
  }

  // MARK: Changes

  @Test(arguments: 0..<8) func `a changed byte of the config is noticed`(seed: Int) throws {
    let config = try IndexedConfig(Self.plain)
    defer { config.remove() }
    _ = try config.load()
    var random = SeededGenerator(seed: UInt64(seed))
    var bytes = Array(Self.plain.utf8)
    let count = bytes.count - Self.filler.utf8.count
    bytes[random.below(count)] = UInt8(32 + random.below(95))
    try config.folder.write("fetchrun.yaml", String(decoding: bytes, as: UTF8.self))
    let part = Reading { () throws(ConfigProblems) in try config.load("a") }
    let whole = Reading { () throws(ConfigProblems) in try config.load() }
    #expect(part == whole)
    let again = Reading { () throws(ConfigProblems) in try config.load("a") }
    #expect(again == whole)
  }

  @Test func `a changed, shortened or missing index is replaced`() throws {
    let config = try IndexedConfig(Self.plain)
    defer { config.remove() }
    let job = try config.load().jobs.first
    let path = try #require(config.index)
    let index = try Data(contentsOf: URL(filePath: path))
    var random = SeededGenerator(seed: 1)
    var damaged: [Data] = [Data(), index.prefix(20), index.prefix(32), index.dropLast()]
    damaged.append(index + [0])
    for _ in 0..<8 {
      var other = index
      other[random.below(index.count)] ^= 1 << UInt8(random.below(8))
      damaged.append(other)
    }
    for other in damaged {
      try other.write(to: URL(filePath: path))
      let whole = try config.load("a")
      #expect(whole.jobs.count == 3 && whole.jobs.first == job)
      #expect(try Data(contentsOf: URL(filePath: path)) == index)
    }
    config.removeIndex()
    #expect(try config.load("a").jobs.count == 3)
    #expect(try Self.names(config.load("a")) == ["a"])
  }

  @Test func `a forged index causes no crash`() throws {
    let config = try IndexedConfig(Self.plain)
    defer { config.remove() }
    _ = try config.load()
    let path = try #require(config.index)
    let content = try Array(Data(contentsOf: URL(filePath: path)).dropFirst(32))
    var random = SeededGenerator(seed: 2)
    // The rest after the digest of the config is changed. With another digest, no index fits.
    let restCount = 45
    for _ in 0..<24 {
      var forged = content
      forged[content.count - 1 - random.below(restCount)] = UInt8(truncatingIfNeeded: random.next())
      if random.isOnce(in: 4) { forged.removeLast(random.below(restCount)) }
      try Data(SHA256.hash(data: forged) + forged).write(to: URL(filePath: path))
      let found = try config.load("a")
      #expect(found.jobs.contains { $0.name == "a" })
    }
  }

  @Test func `only the user can read the index`() throws {
    let config = try IndexedConfig(Self.plain)
    defer { config.remove() }
    _ = try config.load()
    let path = try #require(config.index)
    var facts = stat()
    #expect(lstat(path, &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o600)
  }
}
