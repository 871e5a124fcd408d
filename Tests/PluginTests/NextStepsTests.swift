import FetchAuthoring
import Testing

/// Tests of the commands that `fetchrun new` suggests.
@Suite struct NextStepsTests {
  @Test func `paths are quoted for the shell, where this is needed`() {
    #expect(
      NewPlugin(named: "ships", .rss, in: "my plugins").nextSteps == [
        "fetchrun test 'my plugins/ships.lua'",
        "fetchrun record 'my plugins/ships.lua' --case real --option url=ADDRESS",
        "fetchrun --plugin 'my plugins/ships.lua' --option url=ADDRESS",
      ])
    #expect(
      NewHook(named: "chat", in: "my hooks").nextSteps.prefix(2) == [
        "fetchrun check 'my hooks/chat.lua'",
        "fetchrun --plugin rss --option url=FEED_ADDRESS --hook 'my hooks/chat.lua'"
          + " --hook-option url=ADDRESS",
      ])
    #expect(NewHook(named: "chat", in: "").nextSteps.first == "fetchrun check chat.lua")
  }
}
