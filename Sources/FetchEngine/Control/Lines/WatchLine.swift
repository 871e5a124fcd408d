package import FetchValues

/// A notification of a change, without the changed data: the client reads the data from the store
/// and from `status`.
package struct WatchLine: Hashable, Sendable {
  /// The sequence number of the last change of an item.
  package var items: Int64
  /// The number that the last ended run received when it ended.
  package var ended: Int64
  /// A number that increases when the state of a job may have changed.
  package var states: Int64

  package init(items: Int64, ended: Int64, states: Int64) {
    self.items = items
    self.ended = ended
    self.states = states
  }

  package var value: Value {
    ["items": .integer(items), "ended": .integer(ended), "states": .integer(states)]
  }

  /// Reads a notification from JSON; returns nil if `value` is not a valid notification.
  package init?(_ value: Value) {
    guard let items = value["items"]?.integerValue, let ended = value["ended"]?.integerValue,
      let states = value["states"]?.integerValue
    else { return nil }
    self.init(items: items, ended: ended, states: states)
  }
}
