import FetchTestSupport
import FetchValues

/// The output of the URL parser in the form that url/score.py reads.
enum URLRun {
  static func cases(_ folder: ConformanceFolder) throws {
    for testCase in try folder.cases(of: "url/cases.jsonl") {
      guard let id = testCase["id"], let link = testCase["input"]?.stringValue else { continue }
      let base = testCase["base"]?.stringValue
      let resolver = URLResolver(base: base)
      let hasBadBase = base != nil && !resolver.hasBase
      let target = hasBadBase ? nil : resolver.resolve(link)
      print(try JSONWriter.text(["id": id, "url": target.map { .string($0) } ?? .null]))
    }
  }
}
