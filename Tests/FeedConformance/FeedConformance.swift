import FetchSandbox
import FetchValues
package import Foundation

/// The feed parser's results for conformance cases, in the form that the scorer reads.
/// `cases.jsonl` lists the inputs of `inputs.zip` with their HTTP headers. The output has one JSON
/// object for each listed input.
package enum FeedConformance {
  package static func output(folder: URL) throws -> Data {
    let inputs = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: inputs) }
    try python(["-m", "zipfile", "-e", folder.appending(path: "inputs.zip").path, inputs.path])
    let cases = try Data(contentsOf: folder.appending(path: "cases.jsonl"))
    return try output(cases: cases, inputs: inputs)
  }

  /// Runs Python and waits for its end. Throws if the exit status is not 0.
  package static func python(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  private static func output(cases: Data, inputs: URL) throws -> Data {
    var output = Data()
    for line in cases.split(separator: UInt8(ascii: "\n")) {
      guard let test = try JSONSerialization.jsonObject(with: line) as? [String: Any],
        let file = test["file"] as? String
      else { continue }
      let body = try Data(contentsOf: inputs.appending(path: file))
      var record = result(of: body, test)
      record["file"] = file
      output += try JSONSerialization.data(withJSONObject: record, options: .sortedKeys)
      output.append(UInt8(ascii: "\n"))
    }
    return output
  }

  private static func result(of body: Data, _ test: [String: Any]) -> [String: Any] {
    var origin = FeedDocument.Origin(
      url: test["url"] as? String, contentType: test["content_type"] as? String)
    for (name, value) in test["headers"] as? [String: String] ?? [:] {
      switch name.lowercased() {
      case "content-type": origin.contentType = value
      case "content-location": origin.contentLocation = value
      case "content-language": origin.contentLanguage = value
      default: break
      }
    }
    do {
      let start = ContinuousClock.now
      let feed = try body.withUnsafeBytes { try FeedDocument.parse($0, origin: origin) }
      let elapsed = ContinuousClock.now - start
      var record = record(of: feed)
      record["ms"] = Double(elapsed.components.attoseconds) / 1e15
      return record
    } catch {
      return ["error": "\(error)"]
    }
  }

  private static func record(of feed: Feed) -> [String: Any] {
    let about: [String: Any?] = [
      "title": feed.title, "link": feed.url, "subtitle": feed.subtitle, "id": feed.id,
      "language": feed.language, "image": feed.image, "authors": feed.authors.map(person),
      "updated": (feed.updated ?? feed.published)?.description,
    ]
    return ["feed": about.compactMapValues { $0 }, "entries": feed.items.map(entry)]
  }

  private static func entry(_ item: FeedItem) -> [String: Any] {
    let entry: [String: Any?] = [
      "id": item.id, "title": item.title, "link": item.url, "summary": item.summary,
      "content": item.content, "published": item.published?.description,
      "updated": item.updated?.description, "authors": item.authors.map(person),
      "categories": item.tags, "enclosures": item.enclosures.map { ["url": $0.url] },
      "comments": item.comments,
    ]
    return entry.compactMapValues { $0 }
  }

  private static func person(_ person: FeedPerson) -> [String: Any] {
    let person: [String: Any?] = ["name": person.name, "email": person.email, "uri": person.url]
    return person.compactMapValues { $0 }
  }
}
