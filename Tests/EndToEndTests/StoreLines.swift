import FetchValues
import Foundation

/// The output of the verbs about a store, line by line.
struct StoreLines {
  let program: Program
  var config: String { program.folder.path + "/fetchrun.yaml" }

  private func lines(_ arguments: [String]) throws -> [Value] {
    try program.start(arguments).wait().lines.map { try JSONReader.decode($0) }
  }

  /// Returns all run records, oldest first.
  func runs(_ job: String...) throws -> [Value] {
    try lines(["runs", "--limit", "0", "--json"] + job).reversed()
  }

  func items() throws -> [Value] { try lines(["items", "--limit", "0", "--json"]) }
  func changes() throws -> [Value] {
    try lines(["items", "--since", "0", "--limit", "0", "--json"])
  }

  /// Returns the lines of the status by job.
  func status() throws -> [String: Value] {
    let lines = try lines(["status", "--json", "--config", config])
    return Dictionary(
      lines.compactMap { line in line["job"]?.stringValue.map { ($0, line) } },
      uniquingKeysWith: { $1 })
  }

  func explain(_ job: String) throws -> String {
    try program.run("explain", job, "--config", config).output
  }
}

extension Value {
  func time(_ key: String) -> Timestamp? {
    self[key]?.stringValue.flatMap(Timestamp.init(rfc3339:))
  }
}
