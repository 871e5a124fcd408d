import FetchConfig
import Testing

/// The places of files.
@Suite struct LocationsTests {
  private let environment = ["HOME": "/home/me", "XDG_CONFIG_HOME": "/home/me/conf"]
  private let own = ["fetchrun.yaml", "/home/me/conf/fetchrun/fetchrun.yaml"]

  @Test func `root's commands find the service's config after root's own`() {
    let root = Locations(environment: environment, executable: "", isRoot: true)
    #expect(root.configFiles == own + ["/etc/fetchrun/fetchrun.yaml"])
  }

  @Test func `other users' commands do not look at the service's config`() {
    #expect(Locations(environment: environment, executable: "").configFiles == own)
  }

  @Test func `a missing config is reported with the places and the command that creates one`() {
    let locations = Locations(environment: environment, executable: "")
    let problem = ConfigFile.missing(locations)
    #expect(
      problem.description == "fetchrun.yaml: there is no config file; looked for fetchrun.yaml, "
        + "/home/me/conf/fetchrun/fetchrun.yaml; `fetchrun add ADDRESS` creates one")
  }
}
