import Foundation
import Testing

/// Tests of the rules of plain English that a machine can check. The style guide of the project
/// contains all rules.
@Suite struct PlainEnglishTests {
  // MARK: Comments

  /// The first words of clauses without a subject. In such clauses the reader must guess the
  /// subject.
  static let headless = [
    "Of", "Those", "What", "Who", "Whoever", "By", "Nil", "As", "Asked", "Such", "Where", "False",
  ]

  /// Returns the places of documentation comments whose first line begins with a word in
  /// `headless`.
  static func headlessOpenings(in lines: [Substring], path: String) -> [String] {
    var places: [String] = []
    var isInside = false
    for (index, line) in lines.enumerated() {
      let text = line.drop(while: \.isWhitespace)
      let isDocumentation = text.hasPrefix("///")
      defer { isInside = isDocumentation }
      guard isDocumentation, !isInside else { continue }
      let first = text.dropFirst(3).drop(while: \.isWhitespace).prefix { $0.isLetter }
      if headless.contains(String(first)) { places.append("\(path):\(index + 1)") }
    }
    return places
  }

  @Test func `a documentation comment begins with a noun or a verb`() throws {
    let files = TidyTests.sources + TidyTests.tests
    let places = files.flatMap { Self.headlessOpenings(in: $0.lines, path: $0.path) }
    #expect(places == [])
  }

  @Test func `a headless comment is found`() {
    let lines = "/// Of the jobs.\n/// Those are two.\nlet a = 1\n/// The jobs.\n/// What is it"
      .split(
        separator: "\n")
    #expect(Self.headlessOpenings(in: lines, path: "a") == ["a:1"])
  }

  // MARK: Idioms

  /// Phrases that readers stumble over, each with a replacement and the reason. The phrases are
  /// split in two so that this file does not match itself.
  static let idioms: [(phrase: String, instead: String)] = [
    (" is " + "told", "notify, deliver, log or report: four events, four words"),
    (" are " + "told", "notify, deliver, log or report: four events, four words"),
    ("was " + "told", "notify, deliver, log or report: four events, four words"),
    ("left " + "away", "omitted: the phrase is German"),
    ("leave " + "away", "omit: the phrase is German"),
    ("belongs " + "into", "belongs in: the phrase is German"),
    ("stands in " + "line", "is on line: the phrase is German"),
    ("user's " + "word", "approval: the phrase is an idiom of this project"),
    ("cost a " + "square", "is quadratic: the field's word"),
    ("is not taken " + "over", "is not used: the phrase is German"),
    ("of its " + "own accord", "by itself"),
    ("looked at " + "anew", "checked again"),
  ]

  @Test(arguments: idioms.indices) func `no idiom of another language`(index: Int) {
    let idiom = Self.idioms[index]
    let hits = SourceTree.places(in: TidyTests.sources) { $0.contains(idiom.phrase) }
    #expect(hits.isEmpty, "\(idiom.instead)")
  }

  // MARK: Pages

  /// The maximum number of words of a guide. Readers did not finish longer pages. Text beyond the
  /// limit must be moved to Reference or Design.
  static let wordsMax = 1200

  @Test(arguments: DocumentedFilesTests.pages.filter { $0.contains("/Using/") })
  func `a guide is short`(page: String) throws {
    let text = try DocumentedFilesTests.text(page)
    #expect(text.split(whereSeparator: \.isWhitespace).count <= Self.wordsMax)
  }

  @Test func `the folder of guides is not empty`() {
    #expect(DocumentedFilesTests.pages.count { $0.contains("/Using/") } > 8)
  }
}
