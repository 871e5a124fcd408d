import FetchConfig
import FetchModel
import FetchValues
import Foundation
import Testing

/// Tests of secrets in the config: their sources, the jobs and hooks that use them, and the users
/// who may write such a config.
@Suite struct SecretConfigTests {
  @Test func `each source is read, with paths relative to the config's folder`() throws {
    let folder = try ConfigFolder([
      "fetchrun.yaml": """
      secrets_key: keys/main
      secrets:
        a: { env: A }
        b: { file: b.txt, hosts: [api.example.org, "*.example.net"] }
        c: { command: [./tool, "a b", -x] }
        d: { command: [pass, show, d] }
        e: { credential: e.token }
        f: { keyring: "fetchrun:f" }
        g: { stored: g }
        h:
          oauth2:
            token_url: https://auth.example.org/token
            client_id: me
            client_secret: { file: "${SECRETS}/client" }
            refresh_token: { stored: h-refresh }
            scope: read write
            client_auth: body
      jobs:
        - { name: one, plugin: rss, secrets: { b: true, own: { env: OWN } } }
        - { name: two, plugin: rss }
      """,
      "jobs.d/more.yaml": "jobs: [ { name: three, plugin: rss, secrets: { g: true } } ]",
    ])
    defer { folder.remove() }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.mainFile)
    let config = try folder.load(["SECRETS": "/run/secrets"])
    let here = folder.path + "/"
    #expect(config.secretsKey == here + "keys/main")
    var client = OAuthClient(tokenURL: "https://auth.example.org/token", clientID: "me")
    client.clientSecret = .file("/run/secrets/client")
    client.refreshToken = .stored("h-refresh")
    client.scope = "read write"
    client.authentication = .body
    #expect(
      config.secrets.map(\.source) == [
        .environment("A"), .file(here + "b.txt"), .command([here + "./tool", "a b", "-x"]),
        .command(["pass", "show", "d"]), .credential("e.token"), .keyring("fetchrun:f"),
        .stored("g"), .oauth2(client),
      ])
    #expect(
      config.secrets.map { $0.hosts?.map(\.text) } == [
        nil, ["api.example.org", "*.example.net"], nil, nil, nil, nil, nil, nil,
      ])
    #expect(
      config.jobs[0].secrets
        == [config.secrets[1], GivenSecret(name: "own", source: .environment("OWN"))])
    #expect(config.jobs[1].secrets.isEmpty)
    #expect(config.jobs[2].secrets == [config.secrets[6]])
  }

  static let wrong: [(text: String, problem: String)] = [
    ("secrets: [a]", "1:10: secrets must be a mapping of keys and values"),
    (
      "secrets: { a: A }",
      "1:15: write the source of the secret, not the value: a: { env: VARIABLE }, { file: PATH } "
        + "or { stored: NAME }"
    ),
    (
      "secrets: { a: {} }",
      "1:15: the secret has no source; add one of env, file, command, credential, keyring, stored, "
        + "oauth2"
    ),
    (
      "secrets: { a: true }",
      "1:15: write the source of the secret, not the value: a: { env: VARIABLE }, { file: PATH } "
        + "or { stored: NAME }"
    ),
    ("secrets: { a: { enw: A } }", "1:17: unknown key 'enw' (did you mean 'env'?)"),
    (
      "secrets: { a: { env: A, file: b } }",
      "1:25: the secret has more than one source; keep only one of env, file"
    ),
    (
      "secrets: { a b: { env: A } }",
      "1:12: invalid secret name 'a b': use up to 64 ASCII letters, digits, '-', '_' and '.', "
        + "and do not begin with '.'"
    ),
    ("secrets: { a: { env: '' } }", "1:22: env is empty"),
    (
      "secrets: { a: { command: pass show a } }",
      "1:26: command must be a list of words, such as [pass, show, token]; it runs without a shell"
    ),
    (
      "secrets: { a: { credential: ../a } }",
      "1:29: `credential` must be the name of a file in $CREDENTIALS_DIRECTORY, without a path"
    ),
    (
      "secrets: { a: { env: A, hosts: https://a.example/ } }",
      "1:32: invalid hostname 'https://a.example/': use names such as example.org or *.example.org,"
        + " or '*'"
    ),
    ("secrets: { a: { oauth2: { client_id: me } } }", "1:25: oauth2 needs token_url"),
    (
      "secrets: { a: { oauth2: { client_id: me, token_url: http://a.example/ } } }",
      "1:53: `token_url` must begin with https:// (http:// only for localhost or a loopback"
        + " address), because secrets are sent there"
    ),
    (
      "secrets: { a: { oauth2: { client_id: me, token_url: https://a.example/, "
        + "client_secret: { hosts: a.example } } } }",
      "1:90: `hosts` is not allowed in client_secret: use only a source such as `env`"
    ),
    (
      "jobs: [ { name: a, plugin: rss, secrets: { token: true } } ]\n"
        + "secrets: { tokens: { env: A } }",
      "1:51: the top-level `secrets` have no valid secret 'token' (did you mean 'tokens'?); add or "
        + "correct it there"
    ),
    (
      "defaults: { secrets: { a: { env: A } } }",
      "1:13: `secrets` cannot be a default; set it in a job"
    ),
  ]

  @Test(arguments: wrong.indices) func `a mistake is explained`(index: Int) throws {
    let (text, problem) = Self.wrong[index]
    let jobs = text.contains("jobs:") ? "" : "\njobs: [ { name: a, plugin: rss } ]\n"
    #expect(try ConfigFolder.problems(text + jobs) == ["fetchrun.yaml:" + problem])
  }

  @Test(arguments: [0, 1])
  func `a hook file gets the top-level secrets, before and after which its hook may be`(
    place: Int
  ) throws {
    var lines = ["secrets: { token: { env: A } }", "jobs: [ { name: a, plugin: rss } ]"]
    lines.insert("hooks: [ { name: a, lua: { file: ntfy, secrets: { token: true } } } ]", at: place)
    let config = try ConfigFolder.load(lines.joined(separator: "\n"))
    var hook = LuaHookSettings(file: "ntfy")
    hook.secrets = [GivenSecret(name: "token", source: .environment("A"))]
    #expect(config.hooks.map(\.sink) == [.lua(hook)])
  }

  @Test func `mistakes of hooks and of the secrets after them are in the order of the file`()
    throws
  {
    let text = """
      hooks: [ { name: a, lua: { file: ntfy, secrets: { token: true } } } ]
      secrets: { tokens: { env: A }, b: {} }
      jobs: [ { name: a, plugin: rss } ]
      """
    #expect(
      try ConfigFolder.problems(text) == [
        "fetchrun.yaml:1:58: the top-level `secrets` have no valid secret 'token' "
          + "(did you mean 'tokens'?); add or correct it there",
        "fetchrun.yaml:2:35: the secret has no source; add one of env, file, command, "
          + "credential, keyring, stored, oauth2",
      ])
  }

  // MARK: Trust

  private static let withCommand = """
    secrets: { a: { command: [pass, show, a] } }
    jobs: [ { name: a, plugin: rss } ]
    """

  private func problems(
    _ files: [String: String], modes: [(String, Int)]
  ) throws -> [String] {
    let folder = try ConfigFolder(files)
    defer { folder.remove() }
    for (name, mode) in [("fetchrun.yaml", 0o600), ("", 0o700)] + modes {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder.path + "/" + name)
    }
    return folder.problems().map { $0.replacing(folder.path, with: "FOLDER") }
  }

  @Test(arguments: [0o660, 0o606, 0o622])
  func `a config that others can write may not start commands`(mode: Int) throws {
    let files = ["fetchrun.yaml": Self.withCommand]
    #expect(
      try problems(files, modes: [("fetchrun.yaml", mode)]) == [
        "fetchrun.yaml: run `chmod go-w fetchrun.yaml`: others can write this file, "
          + "which starts commands"
      ])
    #expect(try problems(files, modes: [("fetchrun.yaml", 0o644)]) == [])
    let without = Self.withCommand.replacing("command: [pass, show, a]", with: "env: A")
    #expect(try problems(["fetchrun.yaml": without], modes: [("fetchrun.yaml", mode)]) == [])
  }

  @Test
  func
    `a config in a folder that others can write may start commands only if the folder is sticky`()
    throws
  {
    let files = ["fetchrun.yaml": Self.withCommand]
    #expect(
      try problems(files, modes: [("", 0o777)]) == [
        "fetchrun.yaml: run `chmod go-w FOLDER`: others can write the folder FOLDER, "
          + "and this file starts commands"
      ])
    #expect(try problems(files, modes: [("", 0o1777)]) == [])
  }

  /// The links with their paths and targets, and the path by which the config is opened. Other
  /// users can write to the folder `open`.
  private static let throughLinks: [(links: [(String, String)], file: String)] = [
    ([("open/fetchrun.yaml", "../safe/fetchrun.yaml")], "open/fetchrun.yaml"),
    ([("open/way", "../safe")], "open/way/fetchrun.yaml"),
    ([("safe/way", "../open"), ("open/back", "../safe")], "safe/way/back/fetchrun.yaml"),
    (
      [("safe/a.yaml", "../open/b.yaml"), ("open/b.yaml", "FOLDER/safe/fetchrun.yaml")],
      "safe/a.yaml"
    ),
  ]

  @Test(arguments: throughLinks.indices)
  func `a config found through a link in a folder that others can write may not start commands`(
    index: Int
  ) throws {
    let (links, file) = Self.throughLinks[index]
    let folder = try ConfigFolder([
      "safe/fetchrun.yaml": Self.withCommand, "open/other": "",
    ])
    defer { folder.remove() }
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + name,
        withDestinationPath: target.replacing("FOLDER", with: folder.path))
    }
    func problems(_ mode: Int) throws -> [String] {
      for (name, mode) in [
        ("safe/fetchrun.yaml", 0o600), ("safe", 0o700), ("", 0o700), ("open", mode),
      ] {
        try FileManager.default.setAttributes(
          [.posixPermissions: mode], ofItemAtPath: folder.path + "/" + name)
      }
      return ConfigFile.inspect(
        folder.path + "/" + file, locations: Locations(environment: [:], executable: ""),
        environment: [:]
      ).problems.map { $0.description.replacing(folder.path, with: "FOLDER") }
    }
    #expect(
      try problems(0o777) == [
        "FOLDER/\(file): run `chmod go-w FOLDER/open`: others can write the folder FOLDER/open, "
          + "and this file starts commands"
      ])
    #expect(try problems(0o755) == [])
  }

  @Test func `each file of jobs_d is checked separately, including commands of access tokens`()
    throws
  {
    let oauth =
      "jobs: [ { name: b, plugin: rss, secrets: { t: { oauth2: { token_url: https://a.example/, "
      + "client_id: me, refresh_token: { command: [pass, t] } } } } } ]"
    let files = ["fetchrun.yaml": Self.withCommand, "jobs.d/b.yaml": oauth]
    #expect(
      try problems(files, modes: [("jobs.d/b.yaml", 0o664)]) == [
        "jobs.d/b.yaml: run `chmod go-w jobs.d/b.yaml`: others can write this file, "
          + "which starts commands"
      ])
  }
}
