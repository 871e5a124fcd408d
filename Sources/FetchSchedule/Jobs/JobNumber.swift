/// A job's place in a scheduler's tables. It is valid from `add` until `remove`; later another job
/// may get it.
package struct JobNumber: Hashable, Sendable {
  let index: Int32

  init(_ index: Int32) { self.index = index }
  var slot: Int { Int(index) }
}
