import FetchModel
import FetchValues
import Testing

/// The system knows bytes. For Swift's `String` a slash with a combining mark is another character.
struct PathTextTests {
  /// A combining mark after the slash, and a sign that joins with the next character.
  private static let odd = ["\u{301}x", "\u{FE0F}", "\u{200D}a"]

  @Test(arguments: odd) func `a slash is one before a combining mark`(name: String) {
    let path = "/a/" + name
    #expect(path.folderPrefix == "/a/")
    #expect(path.lastName.utf8.elementsEqual(name.utf8))
    #expect(path.pathNames.map { Array($0.utf8) } == [Array("a".utf8), Array(name.utf8)])
    #expect(("/" + name).isAbsolutePath && ("/" + name).hasSlash)
    #expect(("/" + name).folderPrefix == "/")
  }

  @Test func `a slash is one after a joining sign`() {
    let path = "a\u{600}/b"
    #expect(path.folderPrefix.utf8.elementsEqual("a\u{600}/".utf8))
    #expect(path.lastName == "b")
    #expect(path.hasSlash && !path.isAbsolutePath)
  }

  @Test func `paths without a slash, and of only slashes`() {
    #expect("a".folderPrefix == "" && "a".lastName == "a" && !"a".hasSlash)
    #expect("/".folderPrefix == "/" && "/".lastName == "")
    #expect("//a//b/".pathNames == ["a", "b"] && "".pathNames == [] && "//".pathNames == [])
    #expect("a/b/".folderPrefix == "a/b/")
  }

  @Test(arguments: odd) func `'..' before such a slash climbs`(name: String) {
    let folder = AskedPermissions([.read("/srv/in")])
    let climbing = "/srv/in/../" + name
    #expect(!folder.covers(.read(climbing)))
    #expect(folder.covers(.read("/srv/in/" + name)))
    #expect(PermissionResolution.paths([climbing, "/srv/" + name], ValueObject()).count == 1)
    #expect(FilesSettings.usualRoot(store: "/srv/" + name, job: "a") == "/srv/files/a")
  }
}
