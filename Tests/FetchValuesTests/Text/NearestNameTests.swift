import FetchValues
import Testing

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("ulr", "url"), ("optons", "options"), ("verison", "version"), ("URL", "url"),
    ("permission", "permissions"), ("zzz", nil), ("", nil),
  ])
  func `the nearest name is found for a mistyped word`(word: String, expected: String?) {
    let known = ["url", "options", "version", "permissions"]
    #expect(NearestName.of(word, among: known) == expected)
  }
}
