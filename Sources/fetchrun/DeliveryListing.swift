import FetchConfig

/// The command that lists the deliveries of the store that another one uses.
struct DeliveryListing: Sendable {
  /// `fetchrun deliveries --store 'my store.sqlite'`, to be typed in the same folder.
  let command: String

  /// - Parameter config: the config that names the store where nobody else does; nil: the usual one.
  init(_ storage: StoreOptions, config: String?) {
    let option = storage.store.map { ("--store", $0) } ?? config.map { ("--config", $0) }
    command = "fetchrun deliveries" + (option.map { " \($0) \(Self.word($1))" } ?? "")
  }

  /// For a command that knows no config: one that is in a usual place may have another store.
  init(_ storage: StoreOptions) {
    var named = storage
    if ConfigFile.path(nil, locations: Surroundings.locations) != nil {
      named.store = storage.path()
    }
    self.init(named, config: nil)
  }

  /// One word to a shell.
  private static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+@%:,".utf8.contains(byte)
      }
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
