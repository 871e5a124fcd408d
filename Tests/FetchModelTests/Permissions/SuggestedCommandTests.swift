import FetchModel
import FetchTestSupport
import FetchValues
import Testing

struct SuggestedCommandTests {
  @Test func `suggested commands have the options that differ from the default`() {
    #expect(SuggestedCommand().command("deliveries") == "fetchrun deliveries")
    let named = SuggestedCommand(config: "/srv/jobs.yaml", store: "/srv/my store.sqlite")
    #expect(
      named.command("transfers cancel 2")
        == "fetchrun transfers cancel 2 --config /srv/jobs.yaml --store '/srv/my store.sqlite'")
    #expect(
      named.command("grant", of: .job("news"))
        == "fetchrun grant news --config /srv/jobs.yaml --store '/srv/my store.sqlite'")
    #expect(
      SuggestedCommand(config: "it's").command("grant", of: .hook("the desk"))
        == #"fetchrun grant --hook 'the desk' --config 'it'\''s'"#)
  }

  @Test func `a name that looks like an option is not read as one`() {
    let named = SuggestedCommand(store: "s")
    #expect(named.command("grant", of: .job("-n")) == "fetchrun grant --store s -- -n")
    #expect(
      named.command("grant", of: .hook("--yes")) == "fetchrun grant --hook --store s -- --yes")
  }

  @Test(arguments: [
    ("plain", "plain"), ("/a/b_c-1.2@x%:,+", "/a/b_c-1.2@x%:,+"), ("", "''"), ("a b", "'a b'"),
    ("$HOME", "'$HOME'"), ("~", "'~'"), ("é", "'é'"), ("'", #"''\'''"#), ("a\n", "'a\n'"),
    ("a'\u{200D}; b", "'a'\\''\u{200D}; b'"), ("'\u{FE0F}", "''\\''\u{FE0F}'"),
    ("\u{600}'", "'\u{600}'\\'''"),
  ])
  func `a suggested word is one word in a shell`(text: String, quoted: String) {
    #expect(ShellWord.quoted(text) == quoted)
  }
}
