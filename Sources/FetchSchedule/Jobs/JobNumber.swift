/// The index of a job in a scheduler's tables. The number is valid from `add` until `remove`. After
/// that, another job may have the same number.
package struct JobNumber: Hashable, Sendable {
  let index: Int32

  init(_ index: Int32) { self.index = index }
  var slot: Int { Int(index) }
}
