import FetchModel
import FetchStore
import FetchStoreSQLite
import Testing

extension CrashHelper {
  /// Checks that a store is sound, and has every acknowledged run exactly once with all its items.
  static func check(_ path: String, _ acknowledged: Set<String>) throws {
    let reader: StoreReader
    do {
      reader = try StoreReader(at: path)
    } catch {
      // The process was killed before it created the tables, so nothing was acknowledged.
      #expect(error.code == .missing, "\(error.message)")
      #expect(acknowledged.isEmpty)
      return
    }
    #expect(try reader.check().isEmpty)
    let runs = try reader.runs()
    let names = runs.map(\.run.description)
    #expect(Set(names).count == names.count)
    #expect(acknowledged.subtracting(names).isEmpty)

    let firsts = Set(Dictionary(grouping: runs, by: \.job).values.compactMap { $0.last?.run })
    for run in runs {
      let isFirst = firsts.contains(run.run)
      let counts = ChangeCounts(added: isFirst ? 4 : 3, updated: isFirst ? 0 : 1)
      #expect(run.outcome == .newData(counts))
    }
    let log = try reader.items(ItemQuery(since: 0))
    #expect(log.count == runs.count * 4)
    #expect(log.map(\.sequence) == (0..<log.count).map { Int64($0 + 1) })
    let items = Set(try reader.items(ItemQuery()).map(\.key.text))
    #expect(items.isSuperset(of: names.flatMap { run in (0..<3).map { "\(run)/\($0)" } }))
    #expect(items.count == runs.count * 3 + min(1, runs.count))
  }
}
