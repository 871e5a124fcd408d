import FetchValues

/// The encodings that texts of this run's addresses were taken for, where nothing names them.
///
/// They are kept in the job's state, beside what the plugin has there, so that a source is read
/// alike from run to run, and a recorded run as it was. The plugin does not see them.
struct RememberedEncodings {
  /// Where they are in the state. Lua's side takes them out by this name.
  static let key = "fetchrun:encodings"
  /// Further addresses are guessed anew each time.
  private static let addressCountMax = 64
  private static let addressBytesMax = 2048

  private var names: [String: String] = [:]

  /// Those in an encoded state.
  init(state: [UInt8]) {
    let isThere = state.withUnsafeBytes { ASCII.find("fetchrun:encodings", in: $0, from: 0) != nil }
    guard isThere, let value = try? Value(encoded: state),
      let known = value[Self.key]?.objectValue
    else { return }
    for (address, name) in known.members where names.count < Self.addressCountMax {
      names[address] = name.stringValue
    }
  }

  /// The encoding of the address's last text.
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

  /// The encoded state with them in it; nil where there are none or it is no table of names.
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
