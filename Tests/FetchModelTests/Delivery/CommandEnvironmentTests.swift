import FetchModel
import FetchValues
import Testing

@Suite struct CommandEnvironmentTests {
  private static let all = [
    "PATH": "/bin", "HOME": "/root", "LANG": "C", "LC_ALL": "C", "LC_TIME": "de_DE", "TZ": "UTC",
    "TMPDIR": "/tmp", "FETCHRUN_STORE": "/s", "FETCHRUN_TOKEN": "t", "SSH_AUTH_SOCK": "/a",
    "AWS_SECRET_ACCESS_KEY": "k", "PATHS": "x", "XLC_ALL": "x", "DISPLAY": ":0", "USER": "me",
  ]

  private func names(_ adding: [String] = [], without secrets: Set<String> = []) -> Set<String> {
    let short = CommandEnvironment.short(Self.all, adding: adding, without: secrets)
    #expect(short.allSatisfy { Self.all[$0.key] == $0.value })
    return Set(short.keys)
  }

  private static let usual: Set = [
    "PATH", "HOME", "LANG", "LC_ALL", "LC_TIME", "TZ", "TMPDIR", "FETCHRUN_STORE",
    "FETCHRUN_TOKEN",
  ]

  @Test func `a program gets the variables that it needs to run, and those that its hook lists`() {
    #expect(names() == Self.usual)
    #expect(names(["DISPLAY", "NONE"]) == Self.usual.union(["DISPLAY"]))
  }

  @Test func `a variable that is the source of a secret is never passed on, under any name`() {
    #expect(
      names(
        ["AWS_SECRET_ACCESS_KEY", "DISPLAY"],
        without: ["AWS_SECRET_ACCESS_KEY", "FETCHRUN_TOKEN", "HOME"])
        == Self.usual.union(["DISPLAY"]).subtracting(["FETCHRUN_TOKEN", "HOME"]))
  }

  @Test func `variables are also found in OAuth tokens`() {
    var client = OAuthClient(tokenURL: "https://a.example/", clientID: "me")
    client.clientSecret = .environment("SECRET")
    client.refreshToken = .environment("REFRESH")
    #expect(SecretSource.oauth2(client).variables == ["SECRET", "REFRESH"])
    #expect(SecretSource.environment("A").variables == ["A"])
    #expect(SecretSource.command(["a"]).variables == [])
  }
}
