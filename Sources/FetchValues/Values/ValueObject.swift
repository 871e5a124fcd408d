/// The members of an object, in order. Keys are compared by their UTF-8 bytes.
///
/// Look-up is linear, because most objects are small. If a key occurs more than once, look-up finds
/// the first member.
package struct ValueObject: Sendable {
  package typealias Member = (key: String, value: Value)
  package private(set) var members: [Member] = []

  package init() {}
  package init(_ members: [(String, Value)]) {
    self.members = members.map { (key: $0.0, value: $0.1) }
  }

  package var isEmpty: Bool { members.isEmpty }
  package var count: Int { members.count }
  package var keys: [String] { members.map(\.key) }

  package subscript(key: String) -> Value? {
    get { members.first { $0.key.hasSameBytes(as: key) }?.value }
    set {
      let index = members.firstIndex { $0.key.hasSameBytes(as: key) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Appends a member without checking whether its key already exists.
  package mutating func append(_ key: String, _ value: Value) { members.append((key, value)) }

  /// The members sorted by the bytes of their keys, which is the canonical order for fingerprints.
  package var sortedByKey: ValueObject {
    var copy = self
    copy.sortByKey()
    return copy
  }

  /// Sorts the members by the bytes of their keys.
  package mutating func sortByKey() {
    guard !isSortedByKey else { return }
    members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private var isSortedByKey: Bool {
    zip(members, members.dropFirst()).allSatisfy {
      !$1.key.utf8.lexicographicallyPrecedes($0.key.utf8)
    }
  }
}

extension ValueObject: Equatable {
  /// Returns whether two objects have equal keys and values, regardless of their order.
  package static func == (left: ValueObject, right: ValueObject) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left.sortedByKey.members, right.sortedByKey.members).allSatisfy {
      $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value
    }
  }
}
