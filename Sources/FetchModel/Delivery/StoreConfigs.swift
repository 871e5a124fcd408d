import FetchValues

/// The configs that a store was used with, and which of them queued a delivery.
///
/// The ids of deliveries only grow, so the last id before each config tells its deliveries from the
/// earlier ones. A hook's name alone does not: two configs may have different hooks of one name.
package struct StoreConfigs: Equatable, Sendable {
  /// Configs that are remembered. A delivery of a forgotten one goes out as one of any config.
  static let countMax = 32

  private struct Use: Equatable {
    var config: String
    /// The last delivery that an earlier config queued.
    var lastIDBefore: Int64
  }

  /// Oldest first.
  private var uses: [Use] = []

  package init() {}

  /// The path of the config that used the store last; nil if none is known.
  package var current: String? { uses.last?.config }

  /// The path of the config that queued a delivery; nil if it is not known.
  package func config(ofDelivery id: Int64) -> String? {
    uses.last { $0.lastIDBefore < id }?.config
  }

  /// Notes that a config uses the store from now on, and forgets configs without deliveries.
  ///
  /// - Parameters:
  ///   - config: its real path.
  ///   - ids: the ids of all stored deliveries, in their order.
  package mutating func use(_ config: String, ids: [Int64]) {
    if current == config { return }
    let owners = ids.map { id in uses.lastIndex { $0.lastIDBefore < id } }
    let kept = Set(owners.compactMap(\.self))
    uses = uses.indices.filter(kept.contains).map { uses[$0] }
    if current == config { return }
    uses.append(Use(config: config, lastIDBefore: uses.isEmpty ? 0 : ids.last ?? 0))
    uses.removeFirst(max(0, uses.count - Self.countMax))
  }
}

extension StoreConfigs {
  /// Reads nothing of what cannot be read.
  package init(decoding content: [UInt8]) {
    content.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      let count = (try? reader.readArrayHead()) ?? 0
      while uses.count < min(count / 2, Self.countMax), let config = try? reader.readString(),
        let id = try? reader.readInteger()
      {
        uses.append(Use(config: config, lastIDBefore: id))
      }
    }
  }

  package var encoded: [UInt8] {
    var writer = ValueWriter()
    writer.beginArray(count: uses.count * 2)
    for use in uses {
      writer.write(use.config)
      writer.write(use.lastIDBefore)
    }
    return writer.bytes
  }
}
