/// The order in which waiting transfers start.
package enum TransferOrder: String, Sendable, CaseIterable {
  /// The smallest transfer starts first. An unknown size counts as large.
  case smallest
  case largest
  /// Transfers start in the order of their requests.
  case queued

  /// Returns the sort key of a record: the record that starts earlier has the lower key. Among
  /// otherwise equal records, the earlier request comes first.
  package func place(of record: TransferRecord) -> Place {
    let size = record.download.totalBytes ?? .max
    let rank: Int64 =
      switch self {
      case .smallest: size
      case .largest: -size
      case .queued: 0
      }
    return Place(rank: rank, id: record.id)
  }

  package struct Place: Comparable, Hashable, Sendable {
    package var rank: Int64
    package var id: Int64

    package static func < (left: Place, right: Place) -> Bool {
      (left.rank, left.id) < (right.rank, right.id)
    }
  }
}
