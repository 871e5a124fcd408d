import FetchModel
package import FetchStore
package import FetchValues

/// Facts about a store and its contents, as text or as JSON.
package struct StoreInfo: Sendable {
  package var address: StoreAddress
  package var facts: StoreFacts
  package var jobCount: Int
  package var itemCount: Int
  /// The sequence number of the last change.
  package var lastSequence: Int64
  /// The path of this machine's folder for data that belongs to the store but is not in it.
  package var folder: String

  /// The facts as lines for a terminal.
  package var lines: [String] {
    [
      ("store", address.description), ("database", facts.database),
      ("format", "\(facts.format)"), ("size", ByteSize(bytes: facts.byteCount).decimal),
      ("jobs", "\(jobCount)"), ("items", "\(itemCount)"), ("sequence", "\(lastSequence)"),
      ("local data", folder),
    ].map { name, text in
      name + String(repeating: " ", count: 12 - name.utf8.count) + PlainText.line(text)
    }
  }

  /// The facts as a JSON object.
  package var value: Value {
    [
      "store": .string(address.path), "database": .string(facts.database),
      "format": .integer(Int64(facts.format)), "bytes": .integer(facts.byteCount),
      "jobs": .integer(Int64(jobCount)), "items": .integer(Int64(itemCount)),
      "sequence": .integer(lastSequence), "folder": .string(folder),
      "weaknesses": .array(facts.weaknesses.map { .string($0) }),
    ]
  }
}

extension StoreQueries {
  /// Returns facts about the store and its contents.
  package func storeInfo() async throws(StoreError) -> StoreInfo {
    let jobs = try await reader.jobs()
    return StoreInfo(
      address: reader.address, facts: try await reader.facts(), jobCount: jobs.count,
      itemCount: jobs.reduce(0) { $0 + $1.itemCount },
      lastSequence: try await reader.lastSequence(),
      folder: StateFolder(of: reader.address).folder)
  }
}
