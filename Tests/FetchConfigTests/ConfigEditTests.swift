import FetchConfig
import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Testing

struct ConfigEditTests {
  static let job = NewJob(
    name: "news", plugin: "rss",
    options: ValueObject([("url", "https://example.org/feed.xml?a=b&c=d")]), interval: "15m")

  static func add(_ jobs: [NewJob] = [job], to text: String?) throws -> String {
    try ConfigEdit.adding(jobs, to: text, file: "f.yaml", environment: ["V": "x"])
  }

  @Test func `a new file is readable`() throws {
    #expect(
      try Self.add(to: nil) == """
        jobs:
          - name: news
            plugin: rss
            options:
              url: https://example.org/feed.xml?a=b&c=d
            interval: 15m

        """)
  }

  @Test func `secrets are written with their sources`() throws {
    var job = Self.job
    job.interval = nil
    job.options = ValueObject()
    job.secrets = [
      GivenSecret(name: "token", source: .environment("NEWS_TOKEN")),
      GivenSecret(name: "key", source: .file("/run/a, b}/key")),
    ]
    #expect(
      try Self.add([job], to: nil) == """
        jobs:
          - name: news
            plugin: rss
            secrets:
              token:
                env: NEWS_TOKEN
              key:
                file: /run/a, b}/key

        """)
  }

  static let written = """
      - name: news
        plugin: rss
        options:
          url: https://example.org/feed.xml?a=b&c=d
        interval: 15m
    """

  static let cases: [(before: String, after: String)] = [
    ("jobs:\n", "jobs:\n\(written)\n"), ("jobs: []", "jobs:\n\(written)"),
    ("jobs: [ ] # none yet\n", "jobs: # none yet\n\(written)\n"),
    ("# mine\nstore: x # here\n", "# mine\nstore: x # here\n\njobs:\n\(written)\n"),
    (
      "jobs:\n  # first\n  - name: a # that\n    plugin: rss\n\n  # no more\n",
      "jobs:\n  # first\n  - name: a # that\n    plugin: rss\n\n  # no more\n\(written)\n"
    ),
    (
      "jobs:\n- name: ${V}\n  plugin: rss\n\n# the store\nstore: x\n",
      "jobs:\n- name: ${V}\n  plugin: rss\n"
        + written.split(separator: "\n").map { $0.dropFirst(2) + "\n" }.joined()
        + "\n# the store\nstore: x\n"
    ),
    (
      "jobs: # all\n    -   {name: a, plugin: rss}\n...\n",
      "jobs: # all\n    -   {name: a, plugin: rss}\n"
        + written.split(separator: "\n").map { "  " + $0 + "\n" }.joined() + "...\n"
    ),
  ]

  @Test(arguments: cases) func `all existing text is unchanged`(
    before: String, after: String
  ) throws {
    #expect(try Self.add(to: before) == after)
  }

  @Test(arguments: cases) func `Windows line endings are kept, and used for new lines`(
    before: String, after: String
  ) throws {
    // A file of one line has no line ending to keep.
    guard before.contains("\n") else { return }
    func windows(_ text: String) -> String { text.replacing("\n", with: "\r\n") }
    #expect(try Self.add(to: windows(before)) == windows(after))
    guard before.dropLast().contains("\n") else { return }
    let unended = windows(String(before.dropLast()))
    let edited = try Self.add(to: unended)
    #expect(edited.utf8.filter { $0 == 10 }.count == edited.utf8.filter { $0 == 13 }.count)
  }

  @Test(arguments: [
    "jobs: [{name: a, plugin: rss}]", "{jobs: []}", "jobs:\n  [\n  ]\n", "\"jobs\": []",
  ])
  func `a list that cannot be extended is unchanged, and the message has the text to add`(
    text: String
  ) {
    let error = #expect(throws: ConfigEdit.Problem.self) { try Self.add(to: text) }
    #expect(
      error?.description
        == "cannot add jobs to f.yaml, which has an unusual form; add these lines under "
        + "`jobs`:\n\(Self.written)\n")
  }

  @Test func `a file with a mistake is unchanged`() {
    let error = #expect(throws: ConfigEdit.Problem.self) { try Self.add(to: "jbos: []") }
    #expect(error?.description == "f.yaml:1:1: unknown key 'jbos' (did you mean 'jobs'?)")
  }

  /// Strings that are difficult to write in YAML.
  static let awkward = [
    "", " ", "a: b", "a #b", "#a", "- a", "true", "No", "NULL", "~", "12", "1e3", "0x1F", ".inf",
    "12:30", "2026-11-20", "a:", "*a", "&a", "!a", "%a", "@a", "`a", "'a'", "\"a\"", "{a}", "[a]",
    "a, b", "a\nb", "a\tb", "a ", " a", "ä: ö", "日本 語", "a\u{0}b", "a\u{85}b", "a\u{2028}b",
    "a\u{FEFF}", "\u{1F600}", "a\u{10FFFF}", "${HOME}", "$${HOME}", "$5", "a\\nb", "=", "<<", "|",
    ">", "?", "? a", "---", "...", "a: b: c", "/path/to: x", "y", "x\r\ny", "{{a}}", "a\u{7F}",
  ]

  @Test(arguments: awkward) func `any text is read back unchanged`(text: String) throws {
    let options = ValueObject([
      ("text", .string(text)), ("list", [.string(text), 1, 0.5, true, nil]),
      ("table", ["k": .string(text), "n": ["m": []]]), ("number", 12), ("flag", false),
    ])
    // A name must be one line.
    let hasControl = text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
    let name = text.isEmpty || hasControl ? "other" : text
    _ = try Self.add([NewJob(name: JobName(name), plugin: "rss", options: options)], to: "jobs:\n")
  }

  @Test func `any key of an option is read back unchanged`() throws {
    var random = SeededGenerator(seed: 7)
    let joined = (0..<300).map { _ in
      (0...random.below(3)).map { _ in Self.awkward[random.below(Self.awkward.count)] }.joined()
    }
    for key in Self.awkward + joined {
      let job = NewJob(name: "a", plugin: "rss", options: ValueObject([(key, 1)]))
      _ = try Self.add([job], to: "jobs:\n")
    }
  }

  @Test func `a file is replaced in one step, and a missing folder is created for it`() throws {
    let folder = try ConfigFolder()
    defer { folder.remove() }
    let path = folder.path + "/new/fetchrun.yaml"
    try ConfigWriter.replace(path, with: "jobs:\n")
    try ConfigWriter.replace(path, with: "jobs: []\n")
    #expect(try folder.text("new/fetchrun.yaml") == "jobs: []\n")
    let error = #expect(throws: ConfigProblem.self) {
      try ConfigWriter.replace("/proc/none/f.yaml", with: "")
    }
    #expect(
      error?.description == "/proc/none/f.yaml: cannot be written: No such file or directory")
  }

  @Test func `a replaced file keeps permissions that the umask does not give`() throws {
    let folder = try ConfigFolder(["fetchrun.yaml": "jobs:\n"])
    defer { folder.remove() }
    chmod(folder.mainFile, 0o666)
    try ConfigWriter.replace(folder.mainFile, with: "jobs: []\n")
    var status = stat()
    stat(folder.mainFile, &status)
    #expect(status.st_mode & 0o777 == 0o666)
  }

  @Test func `a link to a missing file is reported and stays a link`() throws {
    let folder = try ConfigFolder()
    defer { folder.remove() }
    #expect(symlink("gone.yaml", folder.mainFile) == 0)
    let error = #expect(throws: ConfigProblem.self) {
      try ConfigWriter.replace(folder.mainFile, with: "jobs: []\n")
    }
    #expect(
      error?.message == "cannot be written: it is a symbolic link that cannot be followed (No such"
        + " file or directory): create the file to which it leads, or remove the link")
    var status = stat()
    lstat(folder.mainFile, &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }
}
