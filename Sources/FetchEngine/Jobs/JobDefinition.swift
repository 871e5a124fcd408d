package import FetchModel
package import FetchValues

/// The user's definition of a job, before its plugin is known.
package struct JobDefinition: Sendable {
  /// The name. Nil: named by `JobIdentity.readable`; see `JobNaming` for names in a store and a
  /// config.
  package var name: String?
  package var pluginName: String
  package var options: [OptionText]
  /// The user's permissions for it.
  package var allow = Allowance()
  /// Whether a changed file that requests more must wait for approval. False if the user types the
  /// command, which is an approval.
  package var holdsToGrant = false
  /// The hostnames in addition to those that the plugin requests.
  package var hosts: [HostPattern] = []
  package var secrets: [GivenSecret] = []
  package var isolation: Isolation?
  package var files = FilesSettings()
  /// The rule for items of the first run; nil for the plugin's own.
  package var firstRun: FirstRunRule?
  /// Limits that differ from the defaults, by name; validated by the reader of the config or the
  /// command line.
  package var limits = ValueObject()

  /// An option's value as text from the command line, or as a value from a config file.
  package enum OptionText: Sendable {
    case text(name: String, text: String)
    case value(name: String, value: Value)

    /// Reads `name=value`, as on the command line.
    package init(_ text: String) {
      let cut = text.firstIndex(of: "=") ?? text.endIndex
      self = .text(name: String(text[..<cut]), text: String(text[cut...].dropFirst()))
    }

    package var name: String {
      switch self {
      case .text(let name, _), .value(let name, _): name
      }
    }
  }

  package init(plugin: String, name: String? = nil, options: [OptionText] = []) {
    pluginName = plugin
    self.name = name
    self.options = options
  }

  /// Returns the job with its options checked and its grant determined.
  package func job(with plugin: Plugin) throws(OptionProblems) -> Job {
    let (job, problems) = fitted(to: plugin)
    guard problems.isEmpty else { throw OptionProblems(problems) }
    return job
  }

  /// Returns the job with the parts of the definition that fit its plugin, and the problems of the
  /// others.
  package func fitted(to plugin: Plugin) -> (job: Job, problems: [OptionProblem]) {
    let (given, misread) = givenOptions(plugin.manifest.options)
    let (options, unfit) = OptionResolution.fit(given, to: plugin.manifest.options)
    let asked = plugin.manifest.permissions
    let (sent, unsent) = SecretResolution.fit(secrets, to: asked, options: options)
    let addresses = addresses(given, options, asked)
    var absolute = allow
    // A path that does not exist grants nothing; a run that reads it reports the error.
    absolute.readPaths = allow.readPaths?.map { FileBytes.absolute($0) ?? $0 }
    var grant = Grant(
      asked, absolute, hosts: hosts, options: options, addresses: addresses, secrets: sent)
    grant.keepsFiles = plugin.usesFiles
    let identity = identity(plugin.manifest, given)
    var job = Job(
      name: name ?? identity?.readable ?? plugin.manifest.name, plugin: plugin, options: options,
      grant: grant)
    if let identity, identity.gives(job.name) { job.identity = identity.key }
    for secret in secrets { job.secretSources[secret.name] = secret.source }
    job.holdsToGrant = holdsToGrant
    job.terms = terms(with: plugin, given: given, options, addresses)
    if let isolation { job.isolation = isolation }
    job.files = files
    job.firstRun = firstRun
    for limit in limits.members { try? job.limits.set(limit.key, to: limit.value) }
    // An unreadable option is not also reported as missing.
    return (job, misread.isEmpty ? unfit + unsent : misread)
  }

  /// Returns the identity that distinguishes the job from others of its plugin, whatever its name.
  package func identity(with plugin: Plugin) -> JobIdentity {
    JobIdentity(plugin.manifest, given: givenOptions(plugin.manifest.options).given)
  }

  /// Returns nil if no identity could give this name, as for most names in a config: computing it
  /// takes a hash.
  private func identity(_ manifest: Manifest, _ given: ValueObject) -> JobIdentity? {
    if let name, !name.utf8.starts(with: manifest.name.utf8) { return nil }
    return JobIdentity(manifest, given: given)
  }

  /// Returns the addresses in options that the user has set. Their ports are open if their
  /// hostnames are granted.
  ///
  /// An option that the manifest requests brings its own port. It is read again only if hostnames
  /// from elsewhere may be its own.
  private func addresses(
    _ given: ValueObject, _ options: ValueObject, _ asked: PermissionRequest
  ) -> [TargetURL] {
    let isAlone = hosts.isEmpty && allow.hosts == nil && secrets.isEmpty
    let named = isAlone ? asked.http.compactMap(PermissionResolution.optionName) : []
    return given.keys.filter { !named.contains($0) }.compactMap { options[$0] }
      .flatMap(PermissionResolution.addresses)
  }

  /// Returns nil if the user has set no limits for the plugin's requests.
  private func terms(
    with plugin: Plugin, given: ValueObject, _ options: ValueObject, _ addresses: [TargetURL]
  ) -> GrantTerms? {
    var allowance = allow
    allowance.hosts = allowance.hosts.map { HostPattern.opened($0 + hosts, at: addresses) }
    allowance.readPaths = allowance.readPaths.map { $0 + $0.compactMap(FileBytes.absolute) }
    allowance.boundSecrets = secrets.filter { $0.hosts != nil }.map(\.name)
    guard allowance.isBinding else { return nil }
    let inUse = AskedPermissions(
      plugin.manifest, keepsFiles: plugin.usesFiles, given: given.keys
    ).all.filter(isInUse)
    return GrantTerms(
      allowance: allowance,
      refused: inUse.filter { allowance.permits($0) == false || isOutside($0, options, allowance) })
  }

  /// Whether an option names a path that the config's list does not contain. A path missing from a
  /// command's list is only not read.
  private func isOutside(
    _ asked: AskedPermission, _ options: ValueObject, _ allowance: Allowance
  ) -> Bool {
    guard holdsToGrant, case .read(let entry) = asked, let listed = allowance.readPaths,
      PermissionResolution.optionName(in: entry) != nil
    else { return false }
    let given = AskedPermissions(listed.map(AskedPermission.read))
    return PermissionResolution.paths([entry], options)
      .contains { !given.covers(.read(FileBytes.absolute($0) ?? $0)) && !given.covers(.read($0)) }
  }

  /// Whether the secret is in use. A secret that the job was not given is sent nowhere.
  private func isInUse(_ asked: AskedPermission) -> Bool {
    guard case .send(let name, _) = asked else { return true }
    return secrets.contains { ExactText($0.name) == ExactText(name) }
  }

  private func givenOptions(
    _ specs: [OptionSpec]
  ) -> (given: ValueObject, problems: [OptionProblem]) {
    var given = ValueObject()
    var problems: [OptionProblem] = []
    for option in options {
      switch option {
      case .value(let name, let value): given[name] = value
      case .text(let name, let text):
        let spec = specs.first { ExactText($0.name) == ExactText(name) }
        switch OptionResolution.read(text, as: spec) {
        case .success(let value): given[name] = value
        case .failure(let failure): problems += failure.all
        }
      }
    }
    return (given, problems)
  }
}
