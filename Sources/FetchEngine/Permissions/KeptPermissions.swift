package import FetchModel
package import FetchValues

/// The stored grant of a job outside the config, which `fetchrun --plugin` has run.
package struct KeptPermissions: Sendable {
  private let job: String
  package let pin: PinnedGrant
  /// The plugin with its present file; nil if the file cannot be read.
  private let plugin: Plugin?

  package init(of job: String, _ pin: PinnedGrant, now plugin: Plugin?) {
    self.job = job
    self.pin = pin
    self.plugin = plugin
  }

  private var granted: [GrantedPermission] {
    pin.granted.all.map {
      GrantedPermission(.asked($0), by: .pinned(pin.source, at: pin.grantedAt))
    }
  }

  private var isSame: Bool { plugin?.source.contentHash == pin.hash }

  /// The permissions for people, a line each.
  package var lines: [String] {
    let hash = Hexadecimal.text(of: pin.hash).prefix(12)
    let file = isSame ? plugin?.described : nil
    var lines = ["\(job) ran \(file ?? "\(pin.plugin) (\(hash))"); the job is not in the config"]
    lines.append(granted.isEmpty ? "It may reach and read nothing." : "It may")
    lines += granted.map { "  " + $0.sentence }
    guard let plugin else { return lines + ["Its file cannot be read now."] }
    if isSame { return lines }
    let more = plugin.asked.beyond(pin.granted)
    lines.append(
      "Its file has changed. Running it on the command line grants what it asks for"
        + (more.isEmpty ? ", which is nothing new." : ", which includes new permissions:"))
    return lines + more.map { "  + " + $0.phrase }
  }

  /// One object, with the keys of a job's; `plugin`, `hash` and `asks` are null if its file cannot
  /// be read.
  package var value: Value {
    let now = plugin?.permissions
    return [
      "job": .string(job), "plugin": now?["plugin"] ?? .null, "file": .string(pin.plugin),
      "hash": now?["hash"] ?? .null, "asks": now?["asks"] ?? .null,
      "may": .array(granted.map(\.value)),
      "grantedHash": .string(Hexadecimal.text(of: pin.hash)),
      "grantedAt": .string(pin.grantedAt.description), "grantedBy": .string(pin.source.rawValue),
      "held": .null,
    ]
  }
}
