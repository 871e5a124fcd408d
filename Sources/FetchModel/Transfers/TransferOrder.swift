/// Which of the transfers that could begin begins first.
package enum TransferOrder: String, Sendable, CaseIterable {
  /// By what is known of their sizes; an unknown size is taken for a large one.
  case smallest
  case largest
  /// As they were asked for.
  case queued

  /// Sorts before those of all that are to begin later; among equals what was asked for first.
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
