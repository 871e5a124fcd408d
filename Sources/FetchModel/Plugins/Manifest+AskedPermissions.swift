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
    let own = PermissionKey.all.flatMap { $0.asked(asked) }
    self.init(own.flatMap { $0.withDefaults(defaults) } + (keepsFiles ? [.keepFiles] : []))
  }
}
