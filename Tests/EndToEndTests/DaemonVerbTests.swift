import Foundation
import Testing

/// Tests of the verbs that send requests to a daemon, while no daemon runs.
@Suite struct DaemonVerbTests {
  @Test(arguments: [["push", "a", "b"], ["push", "a", "--json"]])
  func `without a daemon, a message gives the command that starts one`(words: [String]) throws {
    let program = try Program()
    defer { program.remove() }
    let store = program.folder.path + "/none.sqlite"
    let ending = try program.start(words + ["--store", store]).wait()
    #expect(ending.status == 1)
    #expect(ending.output == "")
    #expect(
      ending.messages
        == "fetchrun: no daemon is running on \(store); start one: fetchrun serve"
        + " --store \(store)\n")
  }

  @Test func `a request goes to the daemon of the config's store`() throws {
    let program = try Program()
    defer { program.remove() }
    let config = try program.write("c/fetchrun.yaml", "store: here.sqlite\njobs: []\n")
    let ending = try program.run("push", "a", "--config", config)
    #expect(ending.status == 1)
    #expect(ending.messages.contains("\(program.folder.path)/c/here.sqlite"))
  }

  @Test func `an unreadable config is reported with its place`() throws {
    let program = try Program()
    defer { program.remove() }
    let config = try program.write("fetchrun.yaml", "stoer: x\n")
    let ending = try program.run("push", "a", "--config", config)
    #expect(ending.status == 78)
    #expect(ending.messages.contains("\(config):1:1: unknown key 'stoer'"))
  }

  @Test(arguments: [
    (["pause"], "missing job name: add one or more job names, or --all"),
    (["resume", "a", "--all"], "name jobs or add --all, not both"),
    (["push"], "Missing expected argument '<jobs> ...'"),
    (["explain"], "Missing expected argument '<job>'"),
  ]) func `usage errors have their exit status`(words: [String], message: String) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.start(words).wait()
    #expect(ending.status == 64)
    #expect(ending.messages.contains(message))
  }
}
