import FetchModel
import FetchValues
import Testing

@testable import FetchConfig

@Suite struct AllowConfigTests {
  private func blocks(_ texts: String...) throws -> PrivateAddresses {
    .within(try texts.map { try AddressBlock(parsing: $0) })
  }

  @Test func `each kind of permission is read separately, and a missing kind is not restricted`()
    throws
  {
    let config = try ConfigFolder.load(
      """
      jobs:
        - name: all
          plugin: rss
          allow:
            hosts: [api.example.org, "*.cdn.example"]
            private: [192.168.1.0/24, "fd00::/8", 10.0.0.7]
            read: /srv/in
            write: false
        - { name: any, plugin: rss, allow: { private: true } }
        - { name: one, plugin: rss, allow: { private: 10.0.0.0/8 } }
        - { name: no, plugin: rss, allow: { hosts: [], private: false, write: true } }
        - { name: none, plugin: rss }
      """)
    let allow = config.jobs.map(\.allow)
    #expect(allow[0].hosts?.map(\.text) == ["api.example.org", "*.cdn.example"])
    #expect(allow[0].privateAddresses == (try blocks("192.168.1.0/24", "fd00::/8", "10.0.0.7")))
    #expect(allow[0].readPaths == ["/srv/in"] && allow[0].keepsFiles == false)
    #expect(allow[1].privateAddresses == .all && allow[1].hosts == nil)
    #expect(allow[2].privateAddresses == (try blocks("10.0.0.0/8")))
    #expect(allow[3].hosts == [] && allow[3].privateAddresses == .none)
    #expect(allow[3].keepsFiles == true)
    #expect(allow[4] == Allowance())
  }

  @Test func `permissions of a job are added to the defaults and to the short keys`() throws {
    let config = try ConfigFolder.load(
      """
      allow_read: /everybody
      defaults:
        allow: { hosts: a.example, private: 10.0.0.0/8, write: false }
      jobs:
        - name: one
          plugin: rss
          allow: { hosts: b.example, private: [10.0.0.0/8, "::1"], read: [/own], write: true }
        - { name: two, plugin: rss, allow_private: true, allow_read: /two }
      """)
    let one = config.jobs[0].allow
    #expect(one.hosts?.map(\.text) == ["a.example", "b.example"])
    #expect(one.privateAddresses == (try blocks("10.0.0.0/8", "::1")))
    #expect(one.readPaths == ["/everybody", "/own"] && one.keepsFiles == true)
    let two = config.jobs[1].allow
    #expect(two.hosts?.map(\.text) == ["a.example"] && two.privateAddresses == .all)
    #expect(two.readPaths == ["/everybody", "/two"] && two.keepsFiles == false)
  }

  @Test func `an empty list, or false, allows nothing, whatever the defaults have`() throws {
    let config = try ConfigFolder.load(
      """
      allow_private: true
      allow_read: /everybody
      defaults:
        allow: { hosts: a.example, secrets: token, commands: [pass], write: [in] }
      jobs:
        - name: none
          plugin: rss
          allow: { hosts: [], private: [], read: [], write: [], secrets: [], commands: [] }
        - { name: short, plugin: rss, allow_private: false, allow_read: [] }
        - { name: more, plugin: rss, allow: { write: [out/x] } }
        - { name: all, plugin: rss, allow: { write: true } }
      """)
    let allow = config.jobs.map(\.allow)
    #expect(allow[0].hosts == [] && allow[0].secrets == [] && allow[0].commands == [])
    #expect(allow[0].privateAddresses == .none && allow[0].readPaths == [])
    #expect(allow[0].keepsFiles == false && allow[0].writePaths == nil)
    #expect(allow[0].permits(.read("/everybody/x")) == false)
    #expect(allow[0].permits(.reach("a.example")) == false)
    #expect(allow[0].permits(.send(secret: "token", to: "a.example")) == false)
    #expect(allow[0].permits(.keepFiles) == false)
    #expect(allow[1].privateAddresses == .none && allow[1].readPaths == [])
    #expect(allow[1].hosts?.map(\.text) == ["a.example"])
    #expect(allow[2].keepsFiles == true && allow[2].writePaths?.map(\.text) == ["in", "out/x"])
    #expect(allow[2].privateAddresses == .all && allow[2].readPaths == ["/everybody"])
    #expect(allow[3].keepsFiles == true && allow[3].writePaths == nil)
  }

  @Test func `the short key for private addresses also takes blocks`() throws {
    let config = try ConfigFolder.load(
      """
      allow_private: 10.0.0.0/8
      hooks:
        - { name: room, lua: { file: room, allow_private: [fd00::/8] } }
        - { name: posted, webhook: { url: "http://10.0.0.1/", allow_private: ["10.0.0.0/8", "::1"] } }
        - name: mail
          email: { server: smtp://m.test, from: a@b.test, to: c@d.test, allow_private: false }
      jobs:
        - { name: one, plugin: rss, allow_private: ["::1"], allow: { private: 192.168.0.0/16 } }
        - { name: two, plugin: rss }
      """)
    #expect(
      config.jobs[0].allow.privateAddresses
        == (try blocks("10.0.0.0/8", "::1", "192.168.0.0/16")))
    #expect(config.jobs[1].allow.privateAddresses == (try blocks("10.0.0.0/8")))
    let given = config.hooks.compactMap { hook in
      switch hook.sink {
      case .lua(let settings): settings.allow.privateAddresses
      case .webhook(let settings): settings.privateAddresses
      case .email(let settings): settings.privateAddresses
      default: nil
      }
    }
    #expect(given == [try blocks("fd00::/8"), try blocks("10.0.0.0/8", "::1"), .none])
    let problems = try ConfigFolder.problems(
      "jobs: [{ name: one, plugin: rss, allow_private: everywhere }]")
    #expect(problems.count == 1 && problems[0].hasPrefix("fetchrun.yaml:1:49: allow_private: "))
  }

  @Test func `paths for writing are relative to the job's folder`() throws {
    let problems = try ConfigFolder.problems(
      """
      jobs:
        - { name: one, plugin: rss, allow: { write: [../out, /srv, in] } }
        - { name: two, plugin: rss, allow: { write: in } }
      """)
    #expect(
      problems == [
        "fetchrun.yaml:2:48: write: '../out' is not a path in the folder: the path has . or .. as "
          + "a name; write only the names of folders and files",
        "fetchrun.yaml:2:56: write: '/srv' is not a path in the folder: the path begins with /; "
          + "write a path relative to the folder",
        "fetchrun.yaml:3:47: write must be true, false or a list of paths",
      ])
  }

  @Test func `a hook file has its own allow`() throws {
    let config = try ConfigFolder.load(
      """
      hooks:
        - name: room
          lua:
            file: room
            allow: { hosts: a.example, private: [10.0.0.0/8], secrets: [token], commands: [] }
            secrets: { token: { env: TOKEN } }
        - { name: short, lua: { file: room, allow_private: true } }
      jobs: [{ name: one, plugin: rss }]
      """)
    let allow = config.hooks.compactMap { hook -> Allowance? in
      if case .lua(let settings) = hook.sink { settings.allow } else { nil }
    }
    #expect(allow[0].hosts?.map(\.text) == ["a.example"] && allow[0].secrets == ["token"])
    #expect(allow[0].commands == [])
    #expect(allow[0].privateAddresses == (try blocks("10.0.0.0/8")))
    #expect(allow[1].privateAddresses == .all && allow[1].hosts == nil)
    let problems = try ConfigFolder.problems(
      """
      hooks:
        - name: room
          lua:
            secrets: { tokn: { env: TOKEN }, key: { command: [pass, show, key] } }
            allow: { secrets: [token, key], commands: [], read: /srv }
            file: room
      jobs: [{ name: one, plugin: rss }]
      """)
    #expect(
      problems == [
        "fetchrun.yaml:4:18: `allow` does not permit the secret 'tokn' for the hook (did you mean "
          + "'token'?); add the secret to `allow.secrets`, or remove it here",
        "fetchrun.yaml:4:40: the secret 'key' needs the program 'pass', which `allow` does not "
          + "permit for the hook; add the program to `allow.commands`",
        "fetchrun.yaml:5:53: unknown key 'read'",
      ])
  }

  @Test func `paths for reading are relative to the config's folder`() throws {
    let folder = try ConfigFolder([
      "fetchrun.yaml": "jobs: [{ name: one, plugin: rss, allow: { read: [in, /srv] } }]"
    ])
    defer { folder.remove() }
    #expect(try folder.load().jobs.first?.allow.readPaths == [folder.path + "/in", "/srv"])
  }

  @Test func `every mistake is reported with its place`() throws {
    let problems = try ConfigFolder.problems(
      """
      jobs:
        - name: one
          plugin: rss
          allow:
            host: a.example
            hosts: [http://a.example/]
            private: [10.0.0.7/8, lan, 300.0.0.0/8]
            write: maybe
        - { name: two, plugin: rss, allow: everything }
        - { name: three, plugin: rss, allow: { private: yes please } }
      """)
    #expect(
      problems == [
        "fetchrun.yaml:5:7: unknown key 'host' (did you mean 'hosts'?)",
        "fetchrun.yaml:6:15: invalid hostname 'http://a.example/': use names such as example.org or"
          + " *.example.org, or '*'",
        "fetchrun.yaml:7:17: private: '10.0.0.7/8' is not the start of a block: use 10.0.0.0/8 or "
          + "10.0.0.7",
        "fetchrun.yaml:7:29: private: 'lan' is not an address block: use a block such as "
          + "192.168.0.0/16 or fd00::/8, or a single address",
        "fetchrun.yaml:7:34: private: '300.0.0.0/8' is not an address block: use a block such as "
          + "192.168.0.0/16 or fd00::/8, or a single address",
        "fetchrun.yaml:8:14: write must be true, false or a list of paths",
        "fetchrun.yaml:9:38: allow must be a mapping of keys and values: hosts, private, read, write, "
          + "secrets, commands",
        "fetchrun.yaml:10:51: private: 'yes please' is not an address block: use a block such as "
          + "192.168.0.0/16 or fd00::/8, or a single address",
      ])
  }

  @Test func `only the listed secrets and programs may be used`() throws {
    let config = try ConfigFolder.load(
      """
      secrets: { shared: { command: [pass, show, shared] } }
      defaults:
        allow: { secrets: shared, commands: [pass] }
      jobs:
        - name: one
          plugin: rss
          allow: { secrets: [own], commands: [./tell, sh] }
          secrets: { shared: true, own: { env: OWN } }
          hooks:
            - { name: told, command: [./tell, news] }
            - { name: line, command: { run: "echo news", shell: true } }
        - { name: two, plugin: rss, secrets: { shared: true } }
      """)
    let allow = config.jobs.map(\.allow)
    #expect(
      allow[0].secrets == ["shared", "own"] && allow[0].commands == ["pass", "./tell", "sh"])
    #expect(allow[1].secrets == ["shared"] && allow[1].commands == ["pass"])
    #expect(allow[0].permits(secret: "own") && !allow[1].permits(secret: "own"))
  }

  @Test func `without allow every secret and program may be used, with an empty list none`() throws
  {
    let jobs = """
      jobs:
        - name: one
          plugin: rss
          secrets: { token: { command: [pass, show, token] } }
          hooks: [{ name: told, command: [notify-send, news] }]
      """
    #expect(try ConfigFolder.load(jobs).jobs[0].allow == Allowance())
    let problems = try ConfigFolder.problems(
      "defaults: { allow: { secrets: [], commands: [] } }\n" + jobs)
    #expect(
      problems == [
        "fetchrun.yaml:5:16: `allow` does not permit the secret 'token' for the job 'one'; add "
          + "the secret to `allow.secrets`, or remove it here",
        "fetchrun.yaml:5:16: the secret 'token' needs the program 'pass', which `allow` does not "
          + "permit for the job 'one'; add the program to `allow.commands`",
        "fetchrun.yaml:6:13: the hook 'told' needs the program 'notify-send', which `allow` does "
          + "not permit for the job 'one'; add the program to `allow.commands`",
      ])
  }

  @Test func `a mistyped name in allow is reported with the nearest name`() throws {
    let problems = try ConfigFolder.problems(
      """
      jobs:
        - name: one
          plugin: rss
          allow: { secrets: [tokn, token], commands: [notify-sent] }
          secrets: { token: { env: TOKEN } }
          hooks:
            - { name: told, command: [notify-send, news] }
            - { name: line, command: { run: "echo news", shell: true } }
            - name: posted
              webhook: { url: "https://a.example/", secret: { command: [/bin/pass, show, key] } }
      """)
    let tail = "which `allow` does not permit for the job 'one'"
    #expect(
      problems == [
        "fetchrun.yaml:4:24: allow.secrets: the job 'one' has no secret 'tokn' (did you mean "
          + "'token'?); remove the name, or add the secret to `secrets` of the job",
        "fetchrun.yaml:7:9: the hook 'told' needs the program 'notify-send', \(tail) (did you mean "
          + "'notify-sent'?); add the program to `allow.commands`",
        "fetchrun.yaml:8:9: the hook 'line' needs the program 'sh', \(tail); add the program to "
          + "`allow.commands`",
        "fetchrun.yaml:9:9: the hook 'posted' needs the program '/bin/pass', \(tail); add the "
          + "program to `allow.commands`",
      ])
  }
}
