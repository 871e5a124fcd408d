import FetchValues
import Testing

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("ulr", "url"), ("optons", "options"), ("verison", "version"), ("URL", "url"),
    ("permission", "permissions"), ("zzz", nil), ("", nil),
  ])
  func `a mistyped word finds the nearest name`(word: String, expected: String?) {
    let known = ["url", "options", "version", "permissions"]
    #expect(NearestName.of(word, among: known) == expected)
  }
}
