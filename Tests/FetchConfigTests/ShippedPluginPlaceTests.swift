import FetchConfig
import Testing

struct ShippedPluginPlaceTests {
  private static func folders(_ executable: String) -> [String] {
    Locations(environment: ["HOME": "/home/u"], executable: executable).pluginFolders
  }

  @Test(arguments: [
    ("/usr/bin/fetchrun", "/usr/share/fetchrun/plugins"),
    ("/opt/fetchrun/bin/fetchrun", "/opt/fetchrun/share/fetchrun/plugins"),
    ("/fetchrun", "/share/fetchrun/plugins"),
    ("/src/fetchrun/.build/x86_64-unknown-linux-gnu/release/fetchrun", "/src/fetchrun/plugins"),
    ("/src/fetchrun/.build/debug/fetchrun", "/src/fetchrun/plugins"),
    ("/.build/debug/fetchrun", "/plugins"),
    ("/src/.build/a/b/debug/fetchrun", "/src/.build/a/b/share/fetchrun/plugins"),
    ("/src/.build/release/bin/fetchrun", "/src/.build/release/share/fetchrun/plugins"),
    ("/src/.build/fetchrun", "/src/share/fetchrun/plugins"),
  ])
  func `shipped plugins are found by the path of the program`(
    executable: String, expected: String
  ) {
    #expect(
      Self.folders(executable) == ["plugins", "/home/u/.local/share/fetchrun/plugins", expected])
  }

  @Test(arguments: ["fetchrun", "bin/fetchrun", ""])
  func `an executable whose path is unknown has no shipped plugins`(executable: String) {
    #expect(Self.folders(executable) == ["plugins", "/home/u/.local/share/fetchrun/plugins"])
  }
}
