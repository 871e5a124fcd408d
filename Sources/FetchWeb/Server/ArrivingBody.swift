import NIOCore

/// The body of a request while it arrives. The body is either kept, or checked and not kept.
struct ArrivingBody {
  private enum Use {
    case kept
    /// The check is being prepared. The first bytes of the body are kept, and the connection is not
    /// read until the check is ready.
    case held
    /// The check; nil if the request is invalid and its body does not matter.
    case checked(BodyCheck?)
  }

  private var use: Use
  private(set) var count = 0
  private(set) var bytes: [UInt8] = []
  /// Whether the last byte arrived while the check was being prepared.
  var isComplete = false

  init(isChecked: Bool) { use = isChecked ? .held : .kept }

  var isHeld: Bool { if case .held = use { true } else { false } }

  var check: BodyCheck? { if case .checked(let check) = use { check } else { nil } }

  mutating func append(_ part: ByteBufferView) {
    count += part.count
    switch use {
    case .kept, .held: bytes.append(contentsOf: part)
    case .checked(var check):
      check?.update(Array(part))
      use = .checked(check)
    }
  }

  /// Checks the bytes that have arrived so far, and all later bytes as they arrive.
  mutating func begin(_ check: BodyCheck?) {
    var check = check
    check?.update(bytes)
    bytes = []
    use = .checked(check)
  }
}
