import FetchModel
import Testing

@testable import FetchConfig

@Suite struct AllowConfigTests {
  private func blocks(_ texts: String...) throws -> PrivateAddresses {
    .within(try texts.map { try AddressBlock(parsing: $0) })
  }

  @Test func `each kind is read on its own, and what is not written is not bound`() throws {
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

  @Test func `what a job allows is added to the defaults and to the short keys`() throws {
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

  @Test func `paths are looked for from the config`() throws {
    let folder = try ConfigFolder([
      "fetchrun.yaml": "jobs: [{ name: one, plugin: rss, allow: { read: [in, /srv] } }]"
    ])
    defer { folder.remove() }
    #expect(try folder.load().jobs.first?.allow.readPaths == [folder.path + "/in", "/srv"])
  }

  @Test func `every mistake is told with its place`() throws {
    let problems = try ConfigFolder.problems(
      """
      jobs:
        - name: one
          plugin: rss
          allow:
            host: a.example
            hosts: [http://a.example]
            private: [10.0.0.7/8, lan, 300.0.0.0/8]
            write: maybe
        - { name: two, plugin: rss, allow: everything }
        - { name: three, plugin: rss, allow: { private: yes please } }
      """)
    #expect(
      problems == [
        "fetchrun.yaml:5:7: unknown key 'host' (did you mean 'hosts'?)",
        "fetchrun.yaml:6:15: 'http://a.example' is no hostname; write example.org, *.example.org or '*'",
        "fetchrun.yaml:7:17: private: '10.0.0.7/8' begins inside a block; write 10.0.0.0/8, or "
          + "10.0.0.7 alone",
        "fetchrun.yaml:7:29: private: 'lan' is no block of addresses; write 192.168.0.0/16, fd00::/8 "
          + "or one address",
        "fetchrun.yaml:7:34: private: '300.0.0.0/8' is no block of addresses; write 192.168.0.0/16, "
          + "fd00::/8 or one address",
        "fetchrun.yaml:8:14: write must be true or false",
        "fetchrun.yaml:9:38: allow must be a mapping of keys and values",
        "fetchrun.yaml:10:51: private: 'yes please' is no block of addresses; write 192.168.0.0/16, "
          + "fd00::/8 or one address",
      ])
  }
}
