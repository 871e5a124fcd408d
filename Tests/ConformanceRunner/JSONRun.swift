import FetchTestSupport
import FetchValues

/// The output of the JSON reader in the form that json/score.py reads.
enum JSONRun {
  static func cases(_ folder: ConformanceFolder) throws {
    for testCase in try folder.cases(of: "json/cases.jsonl") {
      guard let id = testCase["id"], let input = ConformanceFolder.jsonInput(of: testCase) else {
        continue
      }
      var line: ValueObject = ValueObject([("id", id)])
      do {
        let value = try JSONReader.decode(input)
        line.append("ok", true)
        line.append("out", (try? JSONWriter.text(value)).map { .string($0) } ?? .null)
      } catch {
        line.append("ok", false)
        line.append("error", .string("\(error)"))
      }
      print(try JSONWriter.text(.object(line)))
    }
  }

  /// Prints each number on its own line, with the fewest digits that identify it.
  static func numbers(_ folder: ConformanceFolder) throws {
    let numbers = try JSONReader.decode(try folder.bytes(of: "json/numbers.json"))
    for number in numbers.arrayValue ?? [] { print(try JSONWriter.text(number)) }
  }
}
