import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests that paths are compared byte by byte, as the system does. For Swift's `String`, a slash
/// with a combining mark is another character.
struct PathTextTests {
  /// Names whose first or last character joins with a slash in Swift's `String`.
  private static let odd = ["\u{301}x", "\u{FE0F}", "\u{200D}a"]

  @Test(arguments: odd) func `a slash before a combining mark is a slash`(name: String) {
    let path = "/a/" + name
    #expect(path.folderPrefix == "/a/")
    #expect(path.lastName.utf8.elementsEqual(name.utf8))
    #expect(path.pathNames.map { Array($0.utf8) } == [Array("a".utf8), Array(name.utf8)])
    #expect(("/" + name).isAbsolutePath && ("/" + name).hasSlash)
    #expect(("/" + name).folderPrefix == "/")
  }

  @Test func `a slash after a joining character is a slash`() {
    let path = "a\u{600}/b"
    #expect(path.folderPrefix.utf8.elementsEqual("a\u{600}/".utf8))
    #expect(path.lastName == "b")
    #expect(path.hasSlash && !path.isAbsolutePath)
  }

  @Test func `a path without a slash, and a path of slashes only, are split correctly`() {
    #expect("a".folderPrefix == "" && "a".lastName == "a" && !"a".hasSlash)
    #expect("/".folderPrefix == "/" && "/".lastName == "")
    #expect("//a//b/".pathNames == ["a", "b"] && "".pathNames == [] && "//".pathNames == [])
    #expect("a/b/".folderPrefix == "a/b/")
  }

  @Test(arguments: odd) func `'..' before such a slash leads to the parent folder`(name: String) {
    let folder = AskedPermissions([.read("/srv/in")])
    let climbing = "/srv/in/../" + name
    #expect(!folder.covers(.read(climbing)))
    #expect(folder.covers(.read("/srv/in/" + name)))
    #expect(PermissionResolution.paths([climbing, "/srv/" + name], ValueObject()).count == 1)
    #expect(FilesSettings.usualRoot(store: "/srv/" + name, job: "a") == "/srv/files/a")
  }
}
