import FetchValues

extension AskedPermissions {
  /// What a manifest asks for. A default of an option is the file's own word: where an entry names
  /// that option, the default's hostname is asked for as well, but not that of an option in `given`,
  /// which the user has set.
  package init(_ manifest: Manifest, keepsFiles: Bool, given: [String] = []) {
    let asked = manifest.permissions
    let set = Set(given.map(ExactText.init))
    var defaults = ValueObject()
    for option in manifest.options where !set.contains(ExactText(option.name)) {
      if let value = option.defaultValue { defaults.append(option.name, value) }
    }
    func hosts(_ entries: [String]) -> [String] {
      entries.flatMap { entry in
        let named = PermissionResolution.hosts([entry], defaults).map(\.text)
        return PermissionResolution.optionName(in: entry) == nil ? named : [entry] + named
      }
    }
    func paths(_ entry: String) -> [String] {
      guard PermissionResolution.optionName(in: entry) != nil else { return [entry] }
      return [entry] + PermissionResolution.paths([entry], defaults)
    }
    self.init(
      hosts(asked.http).map(AskedPermission.reach)
        + asked.read.flatMap(paths).map(AskedPermission.read)
        + asked.secrets.flatMap { secret in
          hosts(secret.hosts).map { .send(secret: secret.name, to: $0) }
        } + (keepsFiles ? [.keepFiles] : []))
  }
}
