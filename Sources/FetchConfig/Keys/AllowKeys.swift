import FetchModel
import FetchValues

/// The keys of `allow`, of a job and of a hook file.
///
/// Values are added to those that already hold, but an empty list, like `false`, allows nothing.
enum AllowKeys {
  private typealias Key = ConfigKey<Allowance>

  static let all = ConfigKeys<Allowance>([
    Key(
      "hosts", as: .hosts,
      "the only hostnames it may reach, apart from those in its options; `[]` for none",
      default: "those the plugin asked for at its first run"
    ) { reader, value, allow in reader.setHosts(to: value.node, in: &allow) },
    privateAddresses,
    Key(
      "read", as: .paths,
      "the only files and folders that its `file:` URLs and `files.folder` may read; `[]` for none",
      default: "those approved with `fetchrun grant`"
    ) { reader, value, allow in reader.setRead(to: value.node, in: &allow) },
    Key(
      "write", as: .places,
      "whether it may keep files in its own folder, or the only paths there; `[]` for none",
      default: "as the plugin asked at its first run"
    ) { reader, value, allow in reader.setWrite(to: value.node, in: &allow) },
    secrets("the only ones of its `secrets` that may be sent; `[]` for none"),
    commands(
      "the only programs that its own `hooks` and `secrets` may start, spelled as there;"
        + " `sh` for those with `shell`, `[]` for none"),
  ])

  /// The keys for a hook file, which keeps no files.
  static let ofHook = ConfigKeys<Allowance>([
    Key(
      "hosts", as: .hosts,
      "the only hostnames it may reach, apart from those in its options; `[]` for none",
      default: "those the file asked for at its first run"
    ) { reader, value, allow in reader.setHosts(to: value.node, in: &allow) },
    privateAddresses,
    secrets("the only ones of its `secrets` that may be sent; `[]` for none"),
    commands(
      "the only programs that its `secrets` may start, spelled as there; `[]` for none"),
  ])

  private static let privateAddresses = Key(
    "private", .blocks, "private, loopback, link-local and metadata addresses it may reach",
    default: "none"
  ) { $0.add($1) }

  private static func secrets(_ summary: String) -> Key {
    Key("secrets", as: .names, summary, default: "all of its `secrets`") { reader, value, allow in
      reader.set(\.secrets, to: value.node, "allow.secrets", in: &allow)
    }
  }

  private static func commands(_ summary: String) -> Key {
    Key("commands", as: .names, summary, default: "those that are named there") {
      reader, value, allow in
      reader.set(\.commands, to: value.node, "allow.commands", in: &allow)
    }
  }
}

extension Allowance {
  /// Adds addresses to the present ones; `.none` removes all.
  mutating func add(_ addresses: PrivateAddresses) {
    privateAddresses = addresses == .none ? .none : privateAddresses.union(addresses)
  }
}
