import FetchModel
import FetchValues

/// The keys of `allow` for a job and for a hook file.
///
/// A list is added to the values that `defaults`, or an earlier short form such as `allow_read`,
/// has set. The following values replace these earlier values: an empty list, `false` in `private`,
/// and `true` or `false` in `write`.
enum AllowKeys {
  private typealias Key = ConfigKey<Allowance>

  static let all = ConfigKeys<Allowance>([
    Key(
      "hosts", as: .hosts,
      "the only hostnames that may be reached, besides those in `hosts` and the options; `[]`"
        + " for no others",
      default: "the hostnames that the plugin requested in its first run, or that you approved"
        + " later"
    ) { reader, value, allow in reader.setHosts(to: value.node, in: &allow) },
    privateAddresses,
    Key(
      "read", as: .paths,
      "the only files and folders that `file:` URLs and `files.folder` may read; `[]` for none",
      default: "the files and folders that you approved, for example with `fetchrun grant`"
    ) { reader, value, allow in reader.setRead(to: value.node, in: &allow) },
    Key(
      "write", as: .places,
      "whether the job may keep files in its own folder, or the only paths that it may write there;"
        + " `[]` for none",
      default: "as the plugin requested in its first run, or as you approved later"
    ) { reader, value, allow in reader.setWrite(to: value.node, in: &allow) },
    secrets("the only secrets in `secrets` that may be sent; `[]` for none"),
    commands(
      "the only programs that the job's own `hooks`, `secrets` and `push` may start, spelled as in "
        + "the config; `sh` for commands with `shell`, `[]` for none"),
  ])

  /// The keys of `allow` for a hook file: those of a job without `read` and `write`.
  static let ofHook = ConfigKeys<Allowance>([
    Key(
      "hosts", as: .hosts,
      "the only hostnames that may be reached, besides those in `hosts` and the options; `[]`"
        + " for no others",
      default: "the hostnames that the file requested in its first run, or that you approved later"
    ) { reader, value, allow in reader.setHosts(to: value.node, in: &allow) },
    privateAddresses,
    secrets("the only secrets in `secrets` that may be sent; `[]` for none"),
    commands(
      "the only programs that `secrets` may start, spelled as in the config; `[]` for none"),
  ])

  private static let privateAddresses = Key(
    "private", .blocks, "private, loopback, link-local and metadata addresses that may be reached",
    default: "none"
  ) { $0.add($1) }

  private static func secrets(_ summary: String) -> Key {
    Key(
      "secrets", as: .names, summary,
      default: "all secrets in `secrets`"
    ) { reader, value, allow in
      reader.set(\.secrets, to: value.node, "allow.secrets", in: &allow)
    }
  }

  private static func commands(_ summary: String) -> Key {
    Key("commands", as: .names, summary, default: "all programs that the config names") {
      reader, value, allow in
      reader.set(\.commands, to: value.node, "allow.commands", in: &allow)
    }
  }
}

extension Allowance {
  /// Adds addresses to the allowed addresses. The value `.none` removes all allowed addresses.
  mutating func add(_ addresses: PrivateAddresses) {
    privateAddresses = addresses == .none ? .none : privateAddresses.union(addresses)
  }
}
