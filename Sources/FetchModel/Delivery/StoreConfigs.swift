import FetchValues

/// The configs that have used a store one after the other, and the deliveries that each config
/// queued.
///
/// Delivery ids only increase. When a config begins to use the store, the last id is recorded. A
/// delivery's id thus shows which config queued the delivery. A hook's name cannot identify the
/// config, because hooks of two configs may have the same name.
package struct StoreConfigs: Equatable, Sendable {
  /// The maximum number of stored configs. The oldest config is dropped first, and its deliveries
  /// then have an unknown config.
  static let countMax = 32

  private struct Use: Equatable {
    var config: String
    /// The id of the last stored delivery when the config began to use the store. The id is 0 if no
    /// stored delivery had a known config.
    var lastIDBefore: Int64
  }

  /// The configs in the order in which they used the store, oldest first.
  private var uses: [Use] = []

  package init() {}

  /// The path of the config that used the store last; nil if unknown.
  package var current: String? { uses.last?.config }

  /// Returns the path of the config that queued the delivery; nil if unknown.
  package func config(ofDelivery id: Int64) -> String? {
    uses.last { $0.lastIDBefore < id }?.config
  }

  /// Records that a config uses the store from now on. Does nothing if the config is already the
  /// current one. Otherwise, also drops the configs without stored deliveries.
  ///
  /// - Parameters:
  ///   - config: the path of the config file, with links resolved.
  ///   - ids: the ids of all stored deliveries, in ascending order.
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
  /// Decodes the configs from the store's content. Stops at the first invalid entry.
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
