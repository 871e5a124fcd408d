import FetchConfig
import Testing

/// Tests of the places where the program looks for its config.
@Suite struct LocationsTests {
  private let environment = ["HOME": "/home/me", "XDG_CONFIG_HOME": "/home/me/conf"]
  private let own = ["fetchrun.yaml", "/home/me/conf/fetchrun/fetchrun.yaml"]

  @Test func `commands of root find root's own config before the service's config`() {
    let root = Locations(environment: environment, executable: "", isRoot: true)
    #expect(root.configFiles == own + ["/etc/fetchrun/fetchrun.yaml"])
  }

  @Test func `commands of other users do not use the service's config`() {
    #expect(Locations(environment: environment, executable: "").configFiles == own)
  }

  @Test func `a missing config is reported with the places and the command that creates one`() {
    let locations = Locations(environment: environment, executable: "")
    let problem = ConfigFile.missing(locations)
    #expect(
      problem.description == "fetchrun.yaml: there is no readable config file in this folder or at "
        + "/home/me/conf/fetchrun/fetchrun.yaml; run `fetchrun add ADDRESS` to create one")
  }
}
