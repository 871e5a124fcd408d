package import FetchModel
package import FetchValues

/// What a user said of a job, before its plugin is known.
package struct JobDefinition: Sendable {
  /// nil: named by `JobIdentity.readable`; see `JobNaming` for what a store and a config have.
  package var name: String?
  package var pluginName: String
  package var options: [OptionText]
  /// What the user lets it touch.
  package var allow = Allowance()
  /// Whether a changed file that asks for more is to wait for the user's word; not where the user
  /// has just given it, by typing.
  package var holdsToGrant = false
  /// Hostnames besides those that the plugin asks for.
  package var hosts: [HostPattern] = []
  package var secrets: [GivenSecret] = []
  package var isolation: Isolation?
  package var files = FilesSettings()
  /// Which items of the first run are news; nil for what the plugin says.
  package var firstRun: FirstRunRule?
  /// Limits that differ from the defaults, by their names; checked where they were read.
  package var limits = ValueObject()

  /// An option's value as text from the command line, or as a value from a config file.
  package enum OptionText: Sendable {
    case text(name: String, text: String)
    case value(name: String, value: Value)

    /// `name=value`, as on the command line.
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

  /// The job with its plugin's options checked and its grant worked out.
  package func job(with plugin: Plugin) throws(OptionProblems) -> Job {
    let (job, problems) = fitted(to: plugin)
    guard problems.isEmpty else { throw OptionProblems(problems) }
    return job
  }

  /// The job as far as what the user said fits its plugin, and what of that does not.
  package func fitted(to plugin: Plugin) -> (job: Job, problems: [OptionProblem]) {
    let (given, misread) = givenOptions(plugin.manifest.options)
    let (options, unfit) = OptionResolution.fit(given, to: plugin.manifest.options)
    let asked = plugin.manifest.permissions
    let (sent, unsent) = SecretResolution.fit(secrets, to: asked, options: options)
    let addresses = addresses(given, options, asked)
    var absolute = allow
    // A path that is not there yet grants nothing; the error of a run that reads it says so.
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
    // What cannot be read is not also missing.
    return (job, misread.isEmpty ? unfit + unsent : misread)
  }

  /// What tells the job from others of its plugin, whatever its name is.
  package func identity(with plugin: Plugin) -> JobIdentity {
    JobIdentity(plugin.manifest, given: givenOptions(plugin.manifest.options).given)
  }

  /// Nil for a name that no identity gives, as most in a config: to work it out takes a hash.
  private func identity(_ manifest: Manifest, _ given: ValueObject) -> JobIdentity? {
    if let name, !name.utf8.starts(with: manifest.name.utf8) { return nil }
    return JobIdentity(manifest, given: given)
  }

  /// The addresses in options that the user has set. Their ports are open if their hostnames are.
  ///
  /// An option that the manifest asks for brings its own port with it. It is only read again where
  /// hostnames from elsewhere may be its own.
  private func addresses(
    _ given: ValueObject, _ options: ValueObject, _ asked: PermissionRequest
  ) -> [TargetURL] {
    let isAlone = hosts.isEmpty && allow.hosts == nil && secrets.isEmpty
    let named = isAlone ? asked.http.compactMap(PermissionResolution.optionName) : []
    return given.keys.filter { !named.contains($0) }.compactMap { options[$0] }
      .flatMap(PermissionResolution.addresses)
  }

  /// nil where the user has written nothing that what the plugin asks for is held against.
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

  /// Whether an option names a path to read that is none of those in the config's list. Of a command,
  /// what its list does not name is only not read.
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

  /// A secret that the job was not given is sent nowhere.
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
