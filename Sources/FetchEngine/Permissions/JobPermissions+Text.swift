import FetchModel
package import FetchValues

extension JobPermissions {
  /// The permissions as lines of text for people, one line for each permission.
  package var lines: [String] {
    var lines = ["\(holder.name) runs \(job.plugin.described)"]
    let granted = granted
    lines.append(granted.isEmpty ? "It may reach and read nothing." : "It may")
    lines += granted.map { "  " + $0.sentence }
    if let held { lines.append("It does not run: \(held.message).") }
    return lines
  }

  /// The permissions as one JSON object; see the page JSON in the documentation.
  package var value: Value {
    var object = ValueObject([(holder.kind, .string(holder.name))])
    for member in job.plugin.permissions.members { object.append(member.key, member.value) }
    object.append("may", .array(granted.map(\.value)))
    object.append("missing", .array(PermissionDifference(job, pin).more.map(\.value)))
    object.append("grantedHash", .text(pin.map { Hexadecimal.text(of: $0.hash) }))
    object.append("grantedAt", .text(pin?.grantedAt.description))
    object.append("grantedBy", .text(pin?.source.rawValue))
    object.append("held", .text(held?.message))
    return .object(object)
  }
}

extension Plugin {
  /// The path, name and version of the file, and the first digits of its hash, such as
  /// `plugins/reuters.lua (reuters 1.0.0, 3fa29b01c4d5)`. A hook file may have no version.
  package var described: String {
    let hash = Hexadecimal.text(of: source.contentHash).prefix(12)
    let version = manifest.version.isEmpty ? "" : " \(manifest.version)"
    return "\(path) (\(manifest.name)\(version), \(hash))"
  }

  /// The requested permissions as lines of text for people, one line for each permission.
  package var permissionLines: [String] {
    asked.isEmpty
      ? ["\(described) asks for nothing"]
      : ["\(described) asks to"] + asked.all.map { "  " + $0.phrase }
  }

  /// The requested permissions as JSON members: `{"plugin":…,"file":…,"hash":…,"asks":[…]}`.
  package var permissions: ValueObject {
    ValueObject([
      ("plugin", .string(manifest.name)), ("file", .string(path)),
      ("hash", .string(Hexadecimal.text(of: source.contentHash))), ("asks", asked.value),
    ])
  }
}
