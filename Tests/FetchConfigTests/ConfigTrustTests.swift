import FetchConfig
import FetchValues
import Foundation
import Testing

/// Tests of configs that start programs, and of these programs. No other user may be able to write
/// such a config or program.
struct ConfigTrustTests {
  private static let places = CommandPlaces().paths

  /// Returns all problems of a config, without its folder's path.
  private func problems(
    _ files: [String: String], modes: [(String, Int)] = [], main: String = "fetchrun.yaml",
    prepare: (String) throws -> Void = { _ in }
  ) throws -> [String] {
    let folder = try ConfigFolder(files)
    defer { folder.remove() }
    try prepare(folder.path)
    for (name, mode) in [("fetchrun.yaml", 0o600), ("", 0o700)] + modes {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder.path + "/" + name)
    }
    return ConfigFile.inspect(
      folder.path + "/" + main, locations: Locations(environment: [:], executable: ""),
      environment: [:]
    ).problems.map { $0.description.replacing(folder.path, with: "FOLDER") }
  }

  @Test(arguments: [
    (ConfigTrust.Kind.file, "run `chown 0 '/a b'`", "use a copy that you own"),
    (.folder, "run `chown 0 '/a b'`", "use a folder that you own"),
    (.link, "run `chown -h 0 '/a b'`", "use the path of the link's target"),
  ])
  func `only root is advised to change an owner`(
    kind: ConfigTrust.Kind, toRoot: String, toOthers: String
  ) {
    #expect(ConfigTrust.advice(on: "/a b", kind, to: 0) == toRoot)
    #expect(ConfigTrust.advice(on: "/a b", kind, to: 1000) == toOthers)
  }

  @Test func `the schema has the expected places of commands`() {
    let joined = Set(Self.places.map { $0.joined(separator: " ") })
    for place in [
      "store_password command", "secrets * command", "secrets * oauth2 client_secret command",
      "hooks [] command", "hooks [] command run", "hooks [] webhook secret command",
      "hooks [] webhook headers * command", "hooks [] email password command",
      "hooks [] lua secrets * command", "hooks [] lua secrets * oauth2 refresh_token command",
      "jobs [] secrets * command", "jobs [] hooks [] command", "jobs [] push secret command",
      "jobs [] hooks [] webhook headers * oauth2 client_secret command",
    ] { #expect(joined.contains(place), "\(place)") }
    #expect(Self.places.count == 43, "\(joined.sorted())")
  }

  @Test(arguments: places)
  func `a config with a command anywhere must be writable only by the user`(place: [String]) throws
  {
    let text = try CommandPlaces.config(place, words: ["true"])
    if try isRefused(place, text) { return }
    #expect(
      try problems(["fetchrun.yaml": text], modes: [("fetchrun.yaml", 0o666)]) == [
        "FOLDER/fetchrun.yaml: run `chmod go-w FOLDER/fetchrun.yaml`: others can write this "
          + "file, which starts commands"
      ], "\(text)")
    guard place.first == "jobs" else { return }
    let main = try CommandPlaces.config(["secrets", "*", "env"], words: [])
      .replacing("\"env\":[]", with: "\"env\":\"A\"").replacing("\"a\"", with: "\"main\"")
    #expect(
      try problems(
        ["fetchrun.yaml": main, "jobs.d/b.yaml": jobs(of: text)],
        modes: [
          ("jobs.d/b.yaml", 0o666)
        ]) == [
          "FOLDER/jobs.d/b.yaml: run `chmod go-w FOLDER/jobs.d/b.yaml`: others can write this "
            + "file, which starts commands"
        ], "\(text)")
  }

  /// Whether the reader refuses a command at the place although the schema allows it. An example is
  /// an access token as a secret of a hook or of pushes.
  private func isRefused(_ place: [String], _ text: String) throws -> Bool {
    let problems = try problems(["fetchrun.yaml": text])
    let isToken =
      place.contains("oauth2")
      && place.contains { ["webhook", "email", "push", "store_password"].contains($0) }
    let isNoSource = problems.first?.contains("`oauth2` is not allowed in ") == true
    if isToken, problems.count == 1, isNoSource { return true }
    #expect(problems == [], "\(text)")
    return false
  }

  private func jobs(of text: String) throws -> String {
    let jobs = try JSONReader.decode(text)["jobs"] ?? .null
    return try JSONWriter.text(.object(ValueObject([("jobs", jobs)])))
  }

  @Test(arguments: places)
  func `no other user may be able to replace the program of a command`(place: [String]) throws {
    let text = try CommandPlaces.config(place, words: ["open/run.sh"])
    if try isRefused(place, text) { return }
    func problems(_ mode: Int, hasProgram: Bool) throws -> [String] {
      try self.problems(
        ["fetchrun.yaml": text, hasProgram ? "open/run.sh" : "open/other": "#!/bin/sh\n"],
        modes: [("open", mode)]
      ).map { $0.replacing(/yaml:\d+:\d+:\s/, with: "yaml: ") }
    }
    #expect(try problems(0o755, hasProgram: false) == [])
    #expect(try problems(0o1777, hasProgram: true) == [])
    #expect(
      try problems(0o1777, hasProgram: false) == [
        "FOLDER/fetchrun.yaml: there is no FOLDER/open/run.sh, but others can create it in "
          + "FOLDER/open, and FOLDER/open/run.sh is run as a command: name "
          + "an existing program, or a path in your own folder"
      ])
    for hasProgram in [false, true] {
      #expect(
        try problems(0o775, hasProgram: hasProgram) == [
          "FOLDER/fetchrun.yaml: run `chmod go-w FOLDER/open`: others can write the folder "
            + "FOLDER/open, and FOLDER/open/run.sh is run as a command"
        ])
    }
  }

  private static let hook = """
    hooks:
      - { name: desk, command: [./bin/run.sh, now] }
    jobs: [{ name: a, plugin: rss }]
    """

  @Test func `a program that others can write is not run, and its place is reported`() throws {
    let files = ["fetchrun.yaml": Self.hook, "bin/run.sh": ""]
    #expect(try problems(files, modes: [("bin/run.sh", 0o755)]) == [])
    #expect(
      try problems(files, modes: [("bin/run.sh", 0o775)]) == [
        "FOLDER/fetchrun.yaml:2:5: run `chmod go-w FOLDER/bin/run.sh`: others can write "
          + "FOLDER/./bin/run.sh, which is run as a command"
      ])
  }

  @Test func `a program found through a link in another user's folder is not run`() throws {
    let files = ["fetchrun.yaml": Self.hook, "safe/run.sh": "", "open/other": ""]
    func link(_ folder: String) throws {
      for (name, target) in [("open/way", "../safe"), ("bin", "open/way")] {
        try FileManager.default.createSymbolicLink(
          atPath: folder + "/" + name, withDestinationPath: target)
      }
    }
    #expect(try problems(files, modes: [("open", 0o755)], prepare: link) == [])
    #expect(
      try problems(files, modes: [("open", 0o777)], prepare: link) == [
        "FOLDER/fetchrun.yaml:2:5: run `chmod go-w FOLDER/open`: others can write the folder "
          + "FOLDER/open, and FOLDER/./bin/run.sh is run as a command"
      ])
    #expect(try problems(files, modes: [("open", 0o1777)], prepare: link) == [])
  }

  @Test func `a program in a missing folder that others can create is not run`() throws {
    let text = Self.hook.replacing("./bin/run.sh", with: "open/bin/run.sh")
    let files = ["fetchrun.yaml": text, "open/other": ""]
    #expect(try problems(files, modes: [("open", 0o755)]) == [])
    let found = try problems(files, modes: [("open", 0o1777)])
    #expect(found.count == 1)
    #expect(
      found.first?.contains(
        "there is no FOLDER/open/bin, but others can create it in FOLDER/open, and "
          + "FOLDER/open/bin/run.sh is run") == true, "\(found)")
  }

  @Test func `a broken link is checked at its target`() throws {
    let files = ["fetchrun.yaml": Self.hook, "open/other": "", "bin/other": ""]
    let found = try problems(files, modes: [("open", 0o1777)]) { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/bin/run.sh", withDestinationPath: "../open/run.sh")
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("there is no FOLDER/open/run.sh, but others can") == true)
  }

  @Test func `programs of the system, and those found by PATH, cause no problem`() throws {
    for program in ["/bin/sh", "/usr/bin/env", "notify-send", "sh"] {
      let text = Self.hook.replacing("./bin/run.sh", with: program)
      #expect(try problems(["fetchrun.yaml": text]) == [])
    }
    let shell = Self.hook.replacing(
      "[./bin/run.sh, now]", with: "{ shell: true, run: ./open/run.sh now }")
    #expect(
      try problems(["fetchrun.yaml": shell, "open/other": ""], modes: [("open", 0o777)]) == [])
  }

  /// The system sees two folders with different names. Swift's `String` treats the names as equal.
  @Test func `folders whose names differ only in bytes are two folders`() throws {
    let text = Self.hook.replacing("./bin/run.sh", with: "\"./\u{E9}/e\u{301}/../../e\u{301}/a\"")
    let files = [
      "fetchrun.yaml": text, "\u{E9}/e\u{301}/b": "", "e\u{301}/a": "",
    ]
    #expect(try problems(files) == [])
    let found = try problems(files, modes: [("e\u{301}", 0o777)])
    #expect(found.count == 1 && found[0].contains("chmod go-w 'FOLDER/e\u{301}'`:"), "\(found)")
  }

  /// In Swift's `String`, the slash before or after such a name is not a separate `Character`,
  /// because the slash joins with the scalar beside it.
  @Test(arguments: ["\u{301}x", "\u{600}"])
  func `a path is read byte by byte`(name: String) throws {
    let before = name == "\u{600}"
    let sub = before ? "sub" + name : "sub"
    let main = sub + "/" + (before ? "fetchrun.yaml" : name + ".yaml")
    let files = [main: Self.hook, sub + "/bin/run.sh": "", "fetchrun.yaml": ""]
    #expect(try problems(files, main: main) == [])
    let found = try problems(files, modes: [(sub + "/bin/run.sh", 0o777)], main: main)
    let quote = before ? "'" : ""
    #expect(
      found.count == 1
        && found[0].contains("chmod go-w \(quote)FOLDER/\(sub)/bin/run.sh\(quote)`:"), "\(found)")
  }
}
