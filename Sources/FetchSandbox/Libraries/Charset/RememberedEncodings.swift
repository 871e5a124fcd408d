import FetchValues

/// The encodings that were guessed for documents, by the documents' addresses.
///
/// When a run finishes, the worker adds the encodings to the job's state, so that later runs and
/// replays prefer the same encodings. The plugin does not see the encodings.
struct RememberedEncodings {
  /// The key of the encodings in the state. The trusted Lua code removes the member with this key
  /// before the plugin starts.
  static let key = "fetchrun:encodings"
  /// The maximum number of addresses. The encodings of further addresses are not remembered.
  private static let addressCountMax = 64
  private static let addressBytesMax = 2048

  private var names: [String: String] = [:]

  init(state: [UInt8]) {
    let isThere = state.withUnsafeBytes { ASCII.find("fetchrun:encodings", in: $0, from: 0) != nil }
    guard isThere, let value = try? Value(encoded: state),
      let known = value[Self.key]?.objectValue
    else { return }
    for (address, name) in known.members where names.count < Self.addressCountMax {
      names[address] = name.stringValue
    }
  }

  /// Returns the remembered encoding, which was guessed for an earlier text from the address; nil
  /// if there is none.
  func encoding(of address: String?) -> CharacterEncoding? {
    address.flatMap { names[$0] }.map { .other($0) }
  }

  mutating func note(_ verdict: EncodingSniffer.Verdict, of address: String?) {
    guard let address, address.utf8.count <= Self.addressBytesMax else { return }
    switch verdict {
    case .unproved: break
    case .named: names[address] = nil
    case .guessed(.other(let name)):
      if names[address] != nil || names.count < Self.addressCountMax { names[address] = name }
    case .guessed: names[address] = nil
    }
  }

  /// Returns the encoded state with the encodings added. Returns nil if there are no encodings, or
  /// if named fields cannot be added to the state.
  func added(to state: UnsafeRawBufferPointer) -> [UInt8]? {
    guard !names.isEmpty, let value = try? Value(encoded: Array(state)),
      var object = value.objectValue ?? (value.arrayValue?.isEmpty == true ? ValueObject() : nil)
    else { return nil }
    object[Self.key] = .object(
      ValueObject(names.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    var writer = ValueWriter(reserving: state.count + 256)
    writer.write(Value.object(object))
    return writer.bytes
  }
}
