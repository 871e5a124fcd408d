import FetchConfig
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of hooks in the config: their events and their targets.
@Suite struct HookConfigTests {
  private func problems(_ hooks: String) -> [String] {
    let text = "jobs: [ { name: news, plugin: rss } ]\nhooks:\n" + hooks
    do {
      _ = try ConfigFolder.load(text, environment: [:])
      return []
    } catch {
      return (error as? ConfigProblems)?.all.map {
        "\($0.line):\($0.column) \($0.message)"
      } ?? ["\(error)"]
    }
  }

  @Test func `every key and every sink is read`() throws {
    let folder = try ConfigFolder([
      "fetchrun.yaml": """
      hooks:
        - name: chat
          on: [added, failed, recovered, stale]
          when: title contains 'swift'
          jobs: news
          batch: each
          rate: 30/h
          failures: 5
          stale_after: 2d
          quiet_after: 2w
          dead_after: 1w
          webhook:
            url: https://chat.example.org/hook
            headers: { X-Team: "7", Authorization: { env: TOKEN } }
            secret: { file: hook.key }
            body: '{"text": {{json:text}}}'
            content_type: application/json
            timeout: 10s
            allow_private: [10.0.0.0/8, fd00::/8]
        - { name: short, webhook: "http://127.0.0.1:8080/x" }
        - { name: say, plugins: [rss, web-page], command: [./bin/say, "a b"] }
        - { name: shell, command: { run: "cat > $HOME/x", shell: true, timeout: 5s, env: [DISPLAY, A_B] } }
        - { name: log, digest: 1h, file: log/news.jsonl }
        - { name: feed, file: { path: /srv/news.xml, format: atom, items: 20, title: News, url: https://a.test/n } }
        - name: mail
          email:
            server: smtps://mail.example.org
            from: a@example.org
            to: [b@example.org, c@example.org]
            user: a
            password: { env: MAIL }
            subject: "{{count}} new"
        - name: script
          lua: { file: hooks/own.lua, options: { room: x }, hosts: [api.example.org], limits: { window: 5s } }
      jobs:
        - name: news
          plugin: rss
          hooks: [ { name: own, on: updated, lua: ntfy } ]
      """
    ])
    defer { folder.remove() }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.mainFile)
    let config = try folder.load([:])
    let here = folder.path + "/"
    #expect(
      config.allHooks.map(\.name)
        == ["chat", "short", "say", "shell", "log", "feed", "mail", "script", "own"])
    var chat = WebhookSettings(url: "https://chat.example.org/hook")
    chat.headers = [HTTPField("X-Team", "7")]
    chat.secretHeaders = [.init(name: "Authorization", source: .environment("TOKEN"))]
    chat.secret = .file(here + "hook.key")
    chat.body = #"{"text": {{json:text}}}"#
    chat.contentType = "application/json"
    chat.timeout = .seconds(10)
    chat.privateAddresses = .within(
      [try AddressBlock(parsing: "10.0.0.0/8"), try AddressBlock(parsing: "fd00::/8")])
    var hook = HookConfig(name: "chat", sink: .webhook(chat))
    hook.events = [.added, .failed, .recovered, .stale]
    hook.namesEvents = true
    hook.filter = try ItemFilter(parsing: "title contains 'swift'")
    hook.scope = .jobs(["news"])
    hook.batching = .each
    hook.rate = Rate(amount: 30, period: .hour)
    hook.failuresInRow = 5
    hook.staleAfter = .seconds(2 * 86_400)
    hook.quietAfter = .seconds(14 * 86_400)
    hook.deadAfter = .seconds(7 * 86_400)
    #expect(config.hooks[0] == hook)
    #expect(config.hooks[1].sink == .webhook(WebhookSettings(url: "http://127.0.0.1:8080/x")))
    #expect(config.hooks[2].scope == .plugins(["rss", "web-page"]))
    #expect(config.hooks[2].sink == .command(CommandSettings(words: [here + "./bin/say", "a b"])))
    var shell = CommandSettings(words: ["cat > $HOME/x"])
    (shell.shell, shell.timeout) = (true, .seconds(5))
    shell.variables = ["DISPLAY", "A_B"]
    #expect(config.hooks[3].sink == .command(shell))
    #expect(config.hooks[4].batching == .digest(.seconds(3600)))
    #expect(config.hooks[4].sink == .file(FeedFileSettings(path: here + "log/news.jsonl")))
    var feed = FeedFileSettings(path: "/srv/news.xml")
    (feed.format, feed.itemCount, feed.title) = (.atom, 20, "News")
    feed.url = "https://a.test/n"
    #expect(config.hooks[5].sink == .file(feed))
    var mail = EmailSettings(
      server: "smtps://mail.example.org", from: "a@example.org",
      to: ["b@example.org", "c@example.org"])
    (mail.user, mail.password, mail.subject) = ("a", .environment("MAIL"), "{{count}} new")
    #expect(config.hooks[6].sink == .email(mail))
    var lua = LuaHookSettings(file: here + "hooks/own.lua")
    lua.options = ValueObject([("room", "x")])
    lua.hosts = [try #require(HostPattern("api.example.org"))]
    lua.limits = ValueObject([("window", "5s")])
    #expect(config.hooks[7].sink == .lua(lua))
    #expect(config.jobs[0].hooks[0].scope == .jobs(["news"]))
    #expect(config.jobs[0].hooks[0].sink == .lua(LuaHookSettings(file: "ntfy")))
    #expect(config.jobs[0].hooks[0].events == [.updated])
  }

  @Test func `all mistakes of a hook are reported together`() {
    #expect(
      problems(
        """
          - name: a
            webhook: { url: 5 }
            on: [aded]
            when: title contains
          - { name: b, digest: 1h, batch: each, nowhere: 1 }
          - { name: c, file: { format: atom }, rate: 0/h }
          - { name: a, lua: { options: 1 }, stale_after: 1d, jobs: [new] }
        """
      ) == [
        "4:21 webhook.url must begin with http:// or https://",
        "5:10 unknown event 'aded' in `on` (did you mean 'added'?); use added, updated, removed,"
          + " noData, failed, recovered, stale",
        "6:11 when: ends where a field or a value should be (character 15)",
        "7:28 `batch` and `digest` cannot be used together; remove one",
        "7:41 unknown key 'nowhere'",
        "8:22 file needs path",
        "8:46 rate must be at least 1",
        "9:21 lua needs file",
        "9:32 options must be a mapping of names and values",
        "9:5 duplicate hook name 'a' (first defined on line 3)",
        "9:5 hook 'a': there is no job 'new' (did you mean 'news'?)",
      ])
  }

  @Test func `the name of a hook in a job is answered with the key that connects the two`() throws {
    let problems = try ConfigFolder.problems(
      """
      jobs: [ { name: news, plugin: rss, hooks: [team] } ]
      hooks: [ { name: team, webhook: { url: "https://a.test/" } } ]
      """)
    #expect(
      problems == [
        "fetchrun.yaml:1:44: a hook of a job is a mapping of keys and values; to send the job's "
          + "news to the hook 'team', add the job to `jobs` of that hook"
      ])
  }

  @Test func `a hook file determines its events, unless the config lists them`() throws {
    let config = try ConfigFolder.load(
      """
      jobs: [ { name: news, plugin: rss } ]
      hooks:
        - { name: own, stale_after: 1d, lua: ntfy }
        - { name: named, on: [failed, stale], stale_after: 1d, lua: ntfy }
        - { name: log, file: log.jsonl }
      """, environment: [:])
    #expect(config.hooks.map(\.namesEvents) == [false, true, false])
    #expect(config.hooks.map(\.events) == [[], [.failed, .stale], [.added]])
    let places = config.hooks[1].eventPlaces
    #expect(places.map { "\($0.event) \($0.line):\($0.column)" } == ["failed 4:25", "stale 4:33"])
  }

  @Test(arguments: [
    (
      "  - { name: a }",
      "3:5 the hook has no sink; add one of webhook, command, file, email, lua"
    ),
    ("  - { command: [x] }", "3:5 the hook has no name; add name: NAME"),
    (
      "  - { name: a b, command: [x] }",
      "3:13 invalid hook name 'a b': use at most 64 ASCII letters, digits, - and _"
    ),
    (
      "  - { name: a, command: [x], file: y }",
      "3:30 the hook has more than one sink; keep only one of command, file"
    ),
    (
      "  - { name: a, email: ann@example.org }",
      "3:23 email must be a mapping of keys and values: server, from, to, user, password, subject, "
        + "allow_plain, allow_private, timeout"
    ),
    (
      "  - { name: a, file: ./loud.lua }",
      "3:22 `file` is for news, but './loud.lua' ends with .lua: for a hook file write lua: "
        + "./loud.lua"
    ),
    (
      "  - { name: a, command: x }",
      "3:25 a command must be a list of words, such as [notify-send, news]; for a shell, write "
        + "command: { run: LINE, shell: true }"
    ),
    (
      "  - { name: a, command: { run: [x, y], shell: true } }",
      "3:32 `run` must be a single string if `shell` is true"
    ),
    (
      "  - { name: a, command: { run: [x], env: [A, B=C] } }",
      "3:46 command.env: invalid variable name 'B=C': use a name such as DISPLAY"
    ),
    (
      "  - { name: a, command: { run: [x], env: TOKEN } }\n"
        + "  - { name: b, webhook: { url: https://a.example/, secret: { env: TOKEN } } }",
      "3:5 hook 'a': the variable TOKEN is the source of a secret, which a hook's program cannot "
        + "receive; remove it from `env`"
    ),
    (
      "  - { name: a, on: [aded], command: [x] }",
      "3:21 unknown event 'aded' in `on` (did you mean 'added'?); use added, updated, removed, "
        + "noData, failed, recovered, stale"
    ),
    (
      "  - { name: a, when: 'title =', command: [x] }",
      "3:22 when: has a '='; write == or != (character 7)"
    ),
    (
      "  - { name: a, on: stale, command: [x] }",
      "3:5 the event `stale` needs `stale_after` or `quiet_after`"
    ),
    (
      "  - { name: a, stale_after: 1d, command: [x] }",
      "3:16 `stale_after` needs the event `stale` in `on`"
    ),
    (
      "  - { name: a, batch: each, digest: 1h, command: [x] }",
      "3:16 `batch` and `digest` cannot be used together; remove one"
    ),
    ("  - { name: a, batch: all, command: [x] }", "3:23 batch must be 'run' or 'each'"),
    ("  - { name: a, batch: [each], command: [x] }", "3:23 batch must be a string"),
    ("  - { name: a, digest: 0s, command: [x] }", "3:24 digest must be from 1s to 31d"),
    (
      "  - { name: a, jobs: [new], command: [x] }",
      "3:5 hook 'a': there is no job 'new' (did you mean 'news'?)"
    ),
    (
      "  - { name: a, command: [x] }\n  - { name: a, command: [y] }",
      "4:5 duplicate hook name 'a' (first defined on line 3)"
    ),
    (
      "  - { name: a, webhook: ftp://x.test }",
      "3:25 webhook.url must begin with http:// or https://"
    ),
    (
      "  - { name: a, webhook: { url: https://x.test, body: '{{nam}}' } }",
      "3:54 webhook.body: the template has the unknown field {{nam}}; use one of hook, event, "
        + "job, id, count, title, url, text, json or item.NAME"
    ),
    (
      "  - { name: a, webhook: { url: https://x.test, allow_private: 10.0.0.1/8 } }",
      "3:63 webhook.allow_private: '10.0.0.1/8' is not the start of a block: use 10.0.0.0/8 or "
        + "10.0.0.1"
    ),
    (
      "  - { name: a, email: { server: smtp://m.test/x, from: a@b.test, to: c@d.test } }",
      "3:33 email.server must be smtps://HOST[:PORT] or smtp://HOST[:PORT]"
    ),
    (
      "  - { name: a, email: { server: smtp://m.test, from: \"a@b.test\\nBcc: x\", to: c@d.test } }",
      "3:54 email.from must be one line of text, not empty and without control characters"
    ),
    (
      "  - { name: a, email: { server: smtp://m.test, from: a@b.test, to: 'C <c@d.test>' } }",
      "3:68 email.to: invalid address 'C <c@d.test>': use one such as name@example.org"
    ),
    ("  - { name: a, email: { from: a@b.test, to: c@d.test } }", "3:23 email needs server"),
  ]) func `a mistake is reported with its place`(hooks: String, problem: String) {
    #expect(problems(hooks) == [problem])
  }

  @Test func `a hook's program cannot receive the variable of the store's password`() throws {
    let hooks =
      "  - { name: a, command: { run: [x], env: WORD } }\n"
      + "store: postgresql://ann@db.example/news\nstore_password: { env: WORD }\n"
    #expect(
      problems(hooks) == [
        "3:5 hook 'a': the variable WORD is the source of a secret, which a hook's program cannot "
          + "receive; remove it from `env`"
      ])
  }

  @Test func `a config with commands is refused in a place that others can write`() throws {
    let folder = try ConfigFolder([
      "fetchrun.yaml": """
      hooks: [ { name: a, command: [x] } ]
      jobs: [ { name: news, plugin: rss } ]
      """
    ])
    defer { folder.remove() }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: folder.mainFile)
    #expect(throws: ConfigProblems.self) { try folder.load([:]) }
  }
}
