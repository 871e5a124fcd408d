import FetchConfig
import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Testing

struct ConfigFileTests {
  @Test(
    arguments: [
      ("true", .bool(true)), ("False", .bool(false)), ("yes", .bool(true)), ("off", .bool(false)),
      ("null", .null), ("~", .null), ("", .null), ("10", .integer(10)), ("0", .integer(0)),
      ("010", .integer(8)), ("-3", .integer(-3)), ("+5", .integer(5)), ("-0", .integer(0)),
      ("1_000", .integer(1000)), ("9223372036854775807", .integer(.max)),
      ("92233720368547758070", .string("92233720368547758070")), ("0x1f", .integer(31)),
      ("0b11", .integer(3)), ("0o17", .integer(15)), ("1:30", .integer(90)),
      ("1:1:1:1:1:1:1:1:1:1:1:1:1", .string("1:1:1:1:1:1:1:1:1:1:1:1:1")),
      ("1:60", .string("1:60")), ("1.5", .number(1.5)), ("1e3", .number(1000)),
      (".5", .number(0.5)), ("1:30.5", .number(90.5)), ("-.inf", .number(-.infinity)),
      ("09", .number(9)), ("2026-11-21", .string("2026-11-21")), ("word", .string("word")),
      ("10 words", .string("10 words")),
      ("https://example.org:80/", .string("https://example.org:80/")), ("<<", .string("<<")),
      ("=", .string("=")), ("Ünïcode", .string("Ünïcode")), ("\"10\"", .string("10")),
      ("'true'", .string("true")), ("\"\"", .string("")), ("!!str 10", .string("10")),
      ("!!int \"10\"", .string("10")), ("!!bool \"yes\"", .bool(true)), ("!!null x", .null),
      ("!!float 10", .number(10)), ("!own 10", .string("10")), ("! 10", .string("10")),
    ] as [(String, Value)]) func `a scalar is read by the types of YAML`(
      text: String, value: Value
    ) throws
  {
    let config = try ConfigFolder.load(
      "jobs: [{name: a, plugin: rss, options: {url: \(text)}}]")
    #expect(config.jobs.first?.options["url"] == value)
  }

  @Test func `a text that nests too deeply is refused, at the level that is too deep`() {
    let text = "jobs: [{name: a, plugin: rss, options: {url: \(String(repeating: "[", count: 1000))"
    #expect {
      try ConfigFolder.load(text)
    } throws: {
      "\($0)".contains(
        "1:142: found more than 100 lists and mappings inside one another")
    }
  }

  @Test func `the duplicate of a key is found among many keys`() {
    let keys = (1...40).map { "k\($0): 1" } + ["k7: 2"]
    #expect {
      try ConfigFolder.load(
        "jobs: [{name: a, plugin: rss, options: {\(keys.joined(separator: ", "))}}]")
    } throws: {
      "\($0)".contains("duplicate key 'k7': remove one")
    }
  }

  @Test func `every key is read`() throws {
    let config = try ConfigFolder.load(
      """
      store: /var/news.sqlite
      plugins: [/opt/plugins]
      budget:
        runs: 32
        requests: [600/h, 5000/d]
        bytes: 500MB/d
        cpu: 10m/h
        run_time: 2h/d
      lanes:
        "*": { gap: 2s }
        example.org: { connections: 4, gap: 250ms }
      jobs:
        - name: news
          plugin: rss
          options: { url: https://example.org/feed.xml, count: 10, tags: [a, "1"] }
          interval: "*/15 7-22 * * mon-fri"
          jitter: 1m30s
          between: ["07:00-12:00", "22:00-02:00"]
          days: [mon-fri, sun]
          zone: Europe/Berlin
          timeout: 10s
          limits: { cpu: 1s }
          priority: high
          budget: { requests: [100/h, 500/d], bytes: 50MB/d, cpu: 1m/h, run_time: 1h/d }
          conditions: [network, load below 4]
          catch_up: staggered
          enabled: no
          hosts: [cdn.example.org, "*.example.net"]
          allow_private: true
          allow_read: /srv/inbox
          isolation: run
          files: { root: /srv/mirror, bytes: 64MiB, count: 500 }
      """)
    #expect(config.store == "/var/news.sqlite")
    #expect(config.pluginFolders == ["/opt/plugins"])
    #expect(config.budget.runsAtOnceMax == 32)
    #expect(
      config.budget.requests
        == [Rate(amount: 600, period: .hour), Rate(amount: 5000, period: .day)])
    #expect(config.budget.bytes == [Rate(amount: 500_000_000, period: .day)])
    #expect(config.budget.cpu == [Rate(amount: 600_000, period: .hour)])
    #expect(config.budget.runTime == [Rate(amount: 7_200_000, period: .day)])
    #expect(config.lanes.rule(for: "example.org").connectionsMax == 4)
    #expect(config.lanes.rule(for: "example.com").gap == .seconds(2))
    let job = try #require(config.jobs.first)
    #expect(job.name == "news" && job.plugin == "rss" && job.line == 13)
    #expect(
      Value.object(job.options) == [
        "url": "https://example.org/feed.xml", "count": 10, "tags": ["a", "1"],
      ])
    #expect(job.interval == .cron(try CronLine(parsing: "*/15 7-22 * * mon-fri")))
    #expect(job.jitter == .seconds(90))
    #expect(job.windows.map(\.description) == ["07:00-12:00", "22:00-02:00"])
    #expect(job.days.description == "mon,tue,wed,thu,fri,sun")
    #expect(job.zone?.name == "Europe/Berlin")
    #expect(job.limits == ValueObject([("window", "10s"), ("cpu", "1s")]))
    #expect(job.priority == .high)
    #expect(
      job.budget.requests == [Rate(amount: 100, period: .hour), Rate(amount: 500, period: .day)])
    #expect(job.budget.bytes == [Rate(amount: 50_000_000, period: .day)])
    #expect(job.budget.cpu == [Rate(amount: 60_000, period: .hour)])
    #expect(job.budget.runTime == [Rate(amount: 3_600_000, period: .day)])
    #expect(job.conditions.needsNetwork && job.conditions.loadMax == 4)
    #expect(job.catchUp == .staggered)
    #expect(!job.isEnabled && job.allow.privateAddresses == .all && job.isolation == .run)
    #expect(job.hosts.map(\.text) == ["cdn.example.org", "*.example.net"])
    #expect(job.allow.readPaths == ["/srv/inbox"])
    #expect(job.files.root == "/srv/mirror")
    #expect(job.files.quota == FileQuota(bytes: 64 << 20, count: 500))
  }

  @Test func `a default quota applies to each job, and a default folder is refused`() throws {
    let config = try ConfigFolder.load(
      """
      defaults:
        files: { bytes: 1GB, count: 10 }
      jobs:
        - { name: one, plugin: rss }
        - { name: two, plugin: rss, files: { root: /a, count: 20 } }
      """)
    #expect(config.jobs.map(\.files.root) == [nil, "/a"])
    #expect(
      config.jobs.map(\.files.quota) == [10, 20].map { FileQuota(bytes: 1_000_000_000, count: $0) })
    let problems = try ConfigFolder.problems(
      """
      defaults:
        files: { root: /a }
      jobs:
        - { name: one, plugin: rss, files: { size: 1GB, bytes: lots, count: 0 } }
        - { name: two, plugin: rss, files: here }
      """)
    #expect(
      problems == [
        "fetchrun.yaml:2:10: `files.root` cannot be a default; set it in a job",
        "fetchrun.yaml:4:40: unknown key 'size'",
        "fetchrun.yaml:4:58: files.bytes: 'lots' is not a size; use a size such as 500MB or 64MiB",
        "fetchrun.yaml:4:71: files.count must be a whole number from 1 to 10000000",
        "fetchrun.yaml:5:38: files must be a mapping of keys and values: root, bytes, count",
      ])
  }

  @Test func `an option beside the keys of a job is answered with its place`() throws {
    let problems = try ConfigFolder.problems("jobs: [ { name: one, plugin: rss, url: a } ]")
    #expect(
      problems == [
        "fetchrun.yaml:1:35: unknown key 'url'; options of the plugin go below `options:`"
      ])
  }

  @Test func `a folder for files is relative to the config's folder`() throws {
    let folder = try ConfigFolder([
      "fetchrun.yaml": "jobs: [{ name: one, plugin: rss, files: { root: here } }]"
    ])
    defer { folder.remove() }
    #expect(try folder.load().jobs.first?.files.root == folder.path + "/here")
  }

  @Test func `defaults apply to jobs that do not set the key`() throws {
    let config = try ConfigFolder.load(
      """
      defaults:
        interval: 1h
        zone: Asia/Tokyo
        timeout: 20s
        limits: { cpu: 2s }
        priority: low
        allow_read: [/a]
      jobs:
        - { name: one, plugin: rss }
        - { name: two, plugin: rss, interval: 5m, timeout: 5s, allow_read: /b, priority: 60 }
      allow_private: true
      """)
    #expect(config.jobs[0].interval == .every(.seconds(3600)))
    #expect(config.jobs[0].zone?.name == "Asia/Tokyo")
    #expect(config.jobs[0].limits == ValueObject([("window", "20s"), ("cpu", "2s")]))
    #expect(config.jobs[0].allow.privateAddresses == .all)
    #expect(config.jobs[1].interval == .every(.seconds(300)))
    #expect(config.jobs[1].limits == ValueObject([("window", "5s"), ("cpu", "2s")]))
    #expect(config.jobs[1].allow.readPaths == ["/a", "/b"])
    #expect(config.jobs[1].priority.value == 60)
  }

  @Test func `all mistakes are reported together, each with its place and the nearest valid word`()
    throws
  {
    let problems = try ConfigFolder.problems(
      """
      stoer: x
      defaults: { name: a, intervall: 5m }
      budget: { runs: many, requests: 600, cpu: [1m/h, 2m/h] }
      lanes:
        exa mple: {}
        example.org: { conections: 2, gap: 2d }
      jobs:
        - name: a
          plugin: rss
          interval: 15min
          between: 7-22
          days: [mon, tusday]
          zone: Europe/Belin
        - name: a
          plugin: rss
          timeout: 10s
          limits: { window: 5s, memroyBytes: 1MB, [cpu]: 1s }
          priority: 100
          conditions: netwrk
          catch_up: stagered
          enabled: perhaps
          hosts: [http://x/]
          isolation: al
        - plugin: rss
        - name: b
        - c
        - name: d
          plugin: rss
          options: [1]
          allow_privte: true
      """)
    #expect(
      problems == [
        "fetchrun.yaml:1:1: unknown key 'stoer' (did you mean 'store'?)",
        "fetchrun.yaml:2:13: `name` cannot be a default; set it in a job",
        "fetchrun.yaml:2:22: unknown key 'intervall' (did you mean 'interval'?)",
        "fetchrun.yaml:3:17: runs must be a whole number from 1 to 10000",
        "fetchrun.yaml:3:33: requests: '600' is not an amount per hour (/h) or day (/d); use a"
          + " rate such as 600/h or 5000/d",
        "fetchrun.yaml:3:43: cpu has more than one rate per hour; keep one",
        "fetchrun.yaml:5:3: invalid hostname 'exa mple': use names such as example.org or"
          + " *.example.org, or '*'",
        "fetchrun.yaml:6:18: unknown key 'conections' (did you mean 'connections'?)",
        "fetchrun.yaml:6:38: gap must be at most 1d",
        "fetchrun.yaml:10:15: interval: '15min' has the unknown unit 'min'; use a duration"
          + " such as 30s, 15m, 1h30m or 2d",
        "fetchrun.yaml:11:14: between: '7-22' is not a valid range of times; use a range such as"
          + " \"07:00-22:00\"",
        "fetchrun.yaml:12:17: days: 'tusday' is not a day (did you mean 'tuesday'?); use days"
          + " such as mon-fri or sat,sun",
        "fetchrun.yaml:13:11: invalid time zone 'Europe/Belin' (did you mean 'Europe/Berlin'?):"
          + " use a name such as Europe/Berlin",
        "fetchrun.yaml:17:15: `timeout` and the limit `window` are the same setting; remove one",
        "fetchrun.yaml:17:27: unknown limit 'memroyBytes' (did you mean 'memoryBytes'?); use one of "
          + RunLimits.names.joined(separator: ", "),
        "fetchrun.yaml:17:45: a limit's name must be a string",
        "fetchrun.yaml:18:15: priority: '100' is not a priority; write low, normal, high or a number"
          + " from 1 to 99",
        "fetchrun.yaml:19:17: conditions: 'netwrk' is not a condition (did you mean 'network'?);"
          + " use network, ac-power or load below NUMBER (above 0 and at most 10000)",
        "fetchrun.yaml:20:15: catch_up must be none, one, all or staggered (did you mean"
          + " 'staggered'?)",
        "fetchrun.yaml:21:14: enabled must be true or false",
        "fetchrun.yaml:22:13: invalid hostname 'http://x/': use names such as example.org or"
          + " *.example.org, or '*'",
        "fetchrun.yaml:23:16: isolation must be shared or run",
        "fetchrun.yaml:24:5: the job has no name; add name: NAME",
        "fetchrun.yaml:25:5: the job has no plugin; add plugin: NAME",
        "fetchrun.yaml:26:5: a job must be a mapping of keys and values",
        "fetchrun.yaml:29:14: options must be a mapping of names and values",
        "fetchrun.yaml:30:5: unknown key 'allow_privte' (did you mean 'allow_private'?)",
        "fetchrun.yaml:14:5: duplicate job name 'a' (first defined on line 8)",
      ])
  }

  static let broken: [(text: String, problem: String)] = [
    ("", "fetchrun.yaml:1:1: the file has no keys; add `jobs:` with a list of jobs"),
    ("store: x", "fetchrun.yaml:1:1: there are no jobs; add `jobs:` with a list of jobs"),
    ("- a", "fetchrun.yaml:1:1: the file must be a mapping of keys and values"),
    ("jobs: 7", "fetchrun.yaml:1:7: jobs must be a list of jobs: begin each job with '- name:'"),
    (
      "jobs: [",
      "fetchrun.yaml:2:1: not YAML: did not find expected node content"
    ),
    ("jobs: []\njobs: []", "fetchrun.yaml:2:1: duplicate key 'jobs' (first on line 1): remove one"),
    ("{jobs: [], jobs: []}", "fetchrun.yaml:1:2: duplicate key 'jobs': remove one"),
    (
      "jobs: []\n---\njobs: []",
      "fetchrun.yaml:2:1: found a second document; keep only one"
    ),
    ("jobs: *x", "fetchrun.yaml:1:7: not YAML: found undefined alias"),
  ]

  @Test(arguments: broken) func `a broken file is reported`(text: String, problem: String) throws {
    #expect(try ConfigFolder.problems(text) == [problem])
  }

  @Test(arguments: ["jobs:", "jobs: []", "jobs: [] # none yet"])
  func `an empty list of jobs is valid`(text: String) throws {
    #expect(try ConfigFolder.load(text).jobs.isEmpty)
  }

  @Test(arguments: [
    ("timeout: 5", "14: timeout: '5' has no unit: "),
    (
      "limits: { cpu: 5 }",
      "15: the limit cpu must be a duration such as 30s, more than zero and at most 1h: "
    ),
  ]) func `a duration without a unit is reported with the units to write`(
    key: String, problem: String
  ) throws {
    let text = "jobs:\n  - name: a\n    plugin: rss\n    \(key)\n"
    #expect(
      try ConfigFolder.problems(text) == [
        "fetchrun.yaml:4:\(problem)write 5s for 5 seconds, 5m for 5 minutes, 5h for 5 hours or 5d"
          + " for 5 days"
      ])
  }

  @Test(
    arguments: [
      (
        "jitter: 5x",
        "1:9: jitter: '5x' has the unknown unit 'x'; use a duration such as 30s, 15m, 1h30m or 2d"
      ),
      (
        "jitter: 5",
        "1:9: jitter: '5' has no unit: write 5s for 5 seconds, 5m for 5 minutes, 5h for 5 hours or"
          + " 5d for 5 days"
      ),
      ("jitter: 25h", "1:9: jitter must be at most 1d"),
      ("jitter: [1m]", "1:9: jitter must be a string"),
      (
        "interval: 15m\njitter: 16m",
        "2:9: jitter 16m is longer than the interval 15m; use a shorter jitter"
      ),
      ("jitter: 15m\ninterval: 15m", nil), ("jitter: 2h\ninterval: '*/5 * * * *'", nil),
      ("jitter: 2h\ninterval: adaptive", nil), ("jitter: 0s", nil),
    ] as [(String, String?)])
  func `jitter is a duration no longer than the interval`(keys: String, problem: String?) throws {
    let lines = keys.split(separator: "\n").map { "    \($0)\n" }.joined()
    let text = "jobs:\n  - name: a\n    plugin: rss\n" + lines
    // The job begins after three lines, and is indented by four columns.
    let expected = problem.map { problem in
      let parts = problem.split(separator: ":", maxSplits: 2)
      return "fetchrun.yaml:\((Int(parts[0]) ?? 0) + 3):\((Int(parts[1]) ?? 0) + 4):\(parts[2])"
    }
    if let expected {
      #expect(try ConfigFolder.problems(text) == [expected])
    } else {
      #expect(try ConfigFolder.load(text).jobs.count == 1)
    }
  }

  @Test func `a default jitter is compared with each job's interval`() throws {
    #expect(
      try ConfigFolder.problems(
        """
        defaults: { jitter: 10m }
        jobs:
          - { name: a, plugin: rss, interval: 1h }
          - { name: b, plugin: rss, interval: 5m }
        """) == [
          "fetchrun.yaml:4:39: jitter 10m is longer than the interval 5m; use a shorter jitter"
        ])
  }

  @Test(arguments: [
    ("requests", "0/h"), ("requests", "[60/h, 0/d]"), ("bytes", "0B/h"), ("bytes", "0.5B/d"),
    ("cpu", "0m/h"), ("run_time", "0s/d"),
  ]) func `a rate of zero is refused, because it would not disable jobs`(
    key: String, rate: String
  ) throws {
    let jobs = "jobs: [{ name: a, plugin: rss, budget: { \(key): \(rate) } }]"
    let zero = rate.contains("[") ? "0/d" : rate
    for text in [
      jobs,
      "budget: { \(key): \(rate) }\njobs: []",
      "defaults: { budget: { \(key): \(rate) } }\njobs: []",
    ] {
      let problems = try ConfigFolder.problems(text)
      #expect(problems.count == 1)
      #expect(problems.first?.hasPrefix("fetchrun.yaml:1:") == true)
      #expect(
        problems.first?.hasSuffix(
          ": \(key): '\(zero)' would not prevent all runs; remove the limit, or disable a job with "
            + "`enabled: false`") == true, "\(problems)")
    }
  }

  @Test func `a job's budget accepts only its own keys, and is merged with the default one`() throws
  {
    let config = try ConfigFolder.load(
      """
      defaults: { budget: { requests: 10/h, bytes: 1MB/h } }
      jobs:
        - { name: a, plugin: rss, budget: { requests: 20/h } }
        - { name: b, plugin: rss }
      """)
    #expect(
      config.jobs.map(\.budget.requests) == [20, 10].map { [Rate(amount: $0, period: .hour)] })
    #expect(config.jobs.map(\.budget.bytes.count) == [1, 1])
    #expect(config.budget == BudgetLimits())
    #expect(
      try ConfigFolder.problems(
        "jobs: [{ name: a, plugin: rss, budget: { runs: 3, request: 1/h, cpu: 1/h } }]") == [
          "fetchrun.yaml:1:42: runs is only allowed in the top-level budget",
          "fetchrun.yaml:1:51: unknown key 'request' (did you mean 'requests'?)",
          "fetchrun.yaml:1:70: cpu: '1/h' must have a duration before the '/'; use a rate such as"
            + " 10m/h or 2h/d",
        ])
  }

  @Test func `several problems can be shown on one line`() {
    let problems = ConfigProblems([
      ConfigProblem(file: "a.yaml", line: 2, column: 8, "one"),
      ConfigProblem(file: "b.yaml", "two"),
    ])
    #expect("\(problems)" == "a.yaml:2:8: one; b.yaml: two")
  }

  // MARK: jobs.d

  @Test func `files in jobs_d add jobs, in the order of their names`() throws {
    let folder = try ConfigFolder([
      "fetchrun.yaml": "defaults: { interval: 1h }\nplugins: [mine]",
      "jobs.d/b.yaml": "jobs: [{ name: b, plugin: x/y.lua }]",
      "jobs.d/a.yml": "jobs:\n  - { name: a, plugin: rss }",
      "jobs.d/.hidden.yaml": "nothing", "jobs.d/readme.txt": "nothing",
    ])
    defer { folder.remove() }
    let config = try folder.load()
    #expect(config.jobs.map(\.name) == ["a", "b"])
    #expect(config.jobs.map(\.interval) == [.every(.seconds(3600)), .every(.seconds(3600))])
    #expect(config.jobs[0].file == folder.path + "/jobs.d/a.yml")
    #expect(config.jobs[1].plugin == folder.path + "/x/y.lua")
    #expect(config.pluginFolders == [folder.path + "/mine"])
  }

  /// A link to itself cannot be opened, even by root.
  @Test func `a jobs_d that cannot be read is a problem, and a missing one is none`() throws {
    let folder = try ConfigFolder(["fetchrun.yaml": "jobs: [{ name: a, plugin: rss }]"])
    defer { folder.remove() }
    #expect(folder.problems().isEmpty)
    try #require(symlink("jobs.d", folder.path + "/jobs.d") == 0)
    let problem =
      "jobs.d: cannot be read: Too many levels of symbolic links; make the folder readable, or"
      + " remove it if it has no jobs"
    #expect(folder.problems() == [problem])
    try folder.write("fetchrun.yaml", "plugins: [mine]")
    #expect(folder.problems() == [problem])
  }

  @Test func `mistakes of all files are reported together`() throws {
    let folder = try ConfigFolder([
      "fetchrun.yaml": "jobs: [{ name: a, plugin: rss }]\nstoer: x",
      "jobs.d/a.yaml": "store: x\njobs: [{ name: a, plugin: rss }]",
      "jobs.d/b.yaml": "jbos: []", "jobs.d/c.yaml": "",
    ])
    defer { folder.remove() }
    #expect(
      folder.problems() == [
        "fetchrun.yaml:2:1: unknown key 'stoer' (did you mean 'store'?)",
        "jobs.d/a.yaml:1:1: store is only allowed in the main file; this file may have only jobs",
        "jobs.d/b.yaml:1:1: unknown key 'jbos'; this file may have only jobs",
        "jobs.d/b.yaml:1:1: there are no jobs; add `jobs:` with a list of jobs",
        "jobs.d/c.yaml:1:1: the file has no keys; add `jobs:` with a list of jobs",
        "jobs.d/a.yaml:2:8: duplicate job name 'a' (first defined in fetchrun.yaml:1)",
      ])
  }

  // MARK: Aliases

  @Test func `an anchor may be used many times`() throws {
    let uses = (0..<500).map { "  - { name: j\($0), plugin: rss, options: *shared }\n" }
    let config = try ConfigFolder.load(
      "jobs:\n  - { name: a, plugin: rss, options: &shared { url: u } }\n" + uses.joined())
    #expect(config.jobs.count == 501)
    #expect(config.jobs[500].options == ValueObject([("url", "u")]))
  }

  @Test(arguments: ["value: *j", "? *j\n: 1", "[*j]: 1"])
  func `nested aliases are refused before they are expanded`(use: String) throws {
    var text = "jobs:\n- &a [x, x, x, x, x, x, x, x, x]\n"
    for (name, before) in zip("bcdefghij", "abcdefghi") {
      text += "- &\(name) [\(Array(repeating: "*\(before)", count: 9).joined(separator: ","))]\n"
    }
    #expect(
      try ConfigFolder.problems(text + use) == [
        "fetchrun.yaml: 10 anchors (&) and 82 aliases (*) could expand to too many copies; "
          + "replace some aliases by their values, or move shared values to `defaults`"
      ])
  }

  @Test func `deep nesting is refused`() throws {
    let text = "jobs: " + String(repeating: "[", count: 100_000)
    #expect(try ConfigFolder.problems(text).count == 1)
  }
}
