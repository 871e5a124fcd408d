/// The order in which waiting transfers start.
package enum TransferOrder: String, Sendable, CaseIterable {
  /// The smallest first; an unknown size counts as large.
  case smallest
  case largest
  /// In the order of their requests.
  case queued

  /// Returns the sort key of a record: earlier starts first; among equals the earlier request.
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
