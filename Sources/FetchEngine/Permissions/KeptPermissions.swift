package import FetchModel
package import FetchValues

/// The stored grant of a job that is not in the config.
package struct KeptPermissions: Sendable {
  private let job: JobName
  package let pin: PinnedGrant
  /// The plugin with its present file; nil if the file does not load.
  private let plugin: Plugin?

  package init(of job: JobName, _ pin: PinnedGrant, now plugin: Plugin?) {
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

  /// The permissions as lines of text for people. The first line names the job and the file of the
  /// grant. Each permission has a line of its own. Further lines follow if the file has changed or
  /// cannot be loaded.
  package var lines: [String] {
    let hash = Hexadecimal.text(of: pin.hash).prefix(12)
    let file = isSame ? plugin?.described : nil
    let name = file ?? "\(pin.plugin) (\(hash))"
    var lines = ["\(job) has a stored grant for \(name); the job is not in the config"]
    lines.append(granted.isEmpty ? "It has no permissions." : "It may")
    lines += granted.map { "  " + $0.sentence }
    guard let plugin else { return lines + ["Its file cannot be loaded now."] }
    if isSame { return lines }
    let more = plugin.asked.beyond(pin.granted)
    lines.append(
      "Its file, or a file that it requires, has changed. A run on the command line grants what"
        + " the file asks for, except files to read. The file "
        + (more.isEmpty ? "asks for nothing new." : "now also asks for these permissions:"))
    return lines + more.map { "  + " + $0.phrase }
  }

  /// The permissions as one JSON object. It has the same keys as `JobPermissions.value`, the object
  /// for a job in the config. `plugin`, `hash`, `asks` and `missing` are null if the plugin's file
  /// does not load.
  package var value: Value {
    let now = plugin?.permissions
    return [
      "job": .string(job.text), "plugin": now?["plugin"] ?? .null, "file": .string(pin.plugin),
      "hash": now?["hash"] ?? .null, "asks": now?["asks"] ?? .null,
      "may": .array(granted.map(\.value)),
      "missing": plugin.map { .array($0.asked.beyond(pin.granted).map(\.value)) } ?? .null,
      "grantedHash": .string(Hexadecimal.text(of: pin.hash)),
      "grantedAt": .string(pin.grantedAt.description), "grantedBy": .string(pin.source.rawValue),
      "held": .null,
    ]
  }
}
