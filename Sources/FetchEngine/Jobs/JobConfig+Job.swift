package import FetchConfig
package import FetchModel
import FetchValues

extension JobConfig {
  /// Returns this config's job with the plugin, its options and its grant. Reads no secret.
  ///
  /// The options are the plugin's declared options with given or default values. The grant has the
  /// hostnames that the plugin requests, with options inserted, and those that the config allows.
  /// It has the secrets that the config gives and the plugin requests. It has the readable paths of
  /// the config, but not those of the plugin.
  ///
  /// Throws all problems of options and secrets: invalid, missing or undeclared. If the text of an
  /// option is unreadable, throws only the problems of unreadable options.
  ///
  /// Does not apply the stored grant, which each run compares with the plugin (`Job.decision`,
  /// in GrantBook.swift). A request that `allow` refuses is kept in `Job.terms`, and the job's runs
  /// are refused.
  package func job(with plugin: Plugin) throws(OptionProblems) -> Job {
    let (job, problems) = fitted(to: plugin)
    guard problems.isEmpty else { throw OptionProblems(problems) }
    return job
  }

  /// Returns the job with the settings that fit its plugin, and the problems of the settings that
  /// do not fit.
  ///
  /// - Parameter privateAddresses: the private addresses that the job may reach in addition to those
  ///   that the config allows.
  package func fitted(
    to plugin: Plugin, privateAddresses: PrivateAddresses = .none
  ) -> (job: Job, problems: [OptionProblem]) {
    let (given, misread) = givenOptions(plugin.manifest.options)
    let (options, unfit) = OptionResolution.fit(given, to: plugin.manifest.options)
    let asked = plugin.manifest.permissions
    let (sent, unsent) = SecretResolution.fit(secrets, to: asked, options: options)
    let addresses = addresses(given, options, asked)
    var allow = allow
    allow.privateAddresses = allow.privateAddresses.union(privateAddresses)
    var absolute = allow
    // A path that does not exist stays as written.
    absolute.readPaths = allow.readPaths?.map { FileBytes.absolute($0) ?? $0 }
    var grant = Grant(
      asked, absolute, hosts: hosts, options: options, addresses: addresses, secrets: sent)
    grant.keepsFiles = plugin.usesFiles
    let identity = identity(plugin.manifest, given)
    var job = Job(
      name: name.isEmpty ? identity?.readable ?? JobName(plugin.manifest.name.text) : name,
      plugin: plugin, options: options, grant: grant)
    if let identity, identity.gives(job.name) { job.identity = identity.key }
    for secret in secrets { job.secretSources[secret.name] = secret.source }
    job.holdsToGrant = holdsToGrant
    job.terms = terms(with: plugin, allow, given: given, options, addresses)
    if let isolation { job.isolation = isolation }
    job.files = files
    job.firstRun = firstRun
    for limit in limits.members { try? job.limits.set(limit.key, to: limit.value) }
    job.config = self
    // If an option is unreadable, only this is reported. Otherwise the option would also be
    // reported as missing.
    return (job, misread.isEmpty ? unfit + unsent : misread)
  }

  /// Returns the identity of the job. It depends on the plugin and on the options that select the
  /// source, but not on the job's name.
  package func identity(with plugin: Plugin) -> JobIdentity {
    JobIdentity(plugin.manifest, given: givenOptions(plugin.manifest.options).given)
  }

  /// Returns the identity; nil if the job has a name that does not begin with the plugin's name.
  /// fetchrun cannot have made such a name, so the hash of the identity is not needed.
  private func identity(_ manifest: Manifest, _ given: ValueObject) -> JobIdentity? {
    if !name.isEmpty, !name.text.utf8.starts(with: manifest.name.text.utf8) { return nil }
    return JobIdentity(manifest, given: given)
  }

  /// Returns the addresses in options that the user has set. The ports of these addresses are open
  /// if their hostnames are granted.
  ///
  /// Skips an option whose address the manifest requests, because the request includes the port. If
  /// the config has hosts or secrets for the job, no option is skipped. The config may name the
  /// option's hostname without the port.
  private func addresses(
    _ given: ValueObject, _ options: ValueObject, _ asked: PermissionRequest
  ) -> [TargetURL] {
    let isAlone = hosts.isEmpty && allow.hosts == nil && secrets.isEmpty
    let named = isAlone ? asked.http.compactMap(PermissionResolution.optionName) : []
    return given.members.lazy.filter { !named.contains($0.key) }.compactMap { options[$0.key] }
      .flatMap(PermissionResolution.addresses)
  }

  /// Returns the limits that the config sets for the permissions of the plugin; nil if it sets
  /// none.
  private func terms(
    with plugin: Plugin, _ allow: Allowance, given: ValueObject, _ options: ValueObject,
    _ addresses: [TargetURL]
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

  /// Whether an option names a path to read that the config's list of readable paths does not
  /// cover. False if the config has no such list. Also false if the job never waits for approval
  /// (`holdsToGrant` is false). The plugin of such a job just cannot read the path.
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

  /// Whether the job uses the permission. A permission to send a secret is used only if the job was
  /// given the secret.
  private func isInUse(_ asked: AskedPermission) -> Bool {
    guard case .send(let name, _) = asked else { return true }
    return secrets.contains { ExactText($0.name) == ExactText(name) }
  }

  /// The names of the options that the user has set.
  package var givenOptionNames: [String] { options.keys + typedOptions.map(\.name) }

  private func givenOptions(
    _ specs: [OptionSpec]
  ) -> (given: ValueObject, problems: [OptionProblem]) {
    var given = options
    var problems: [OptionProblem] = []
    for option in typedOptions {
      let spec = specs.first { ExactText($0.name) == ExactText(option.name) }
      switch OptionResolution.read(option.text, as: spec) {
      case .success(let value): given[option.name] = value
      case .failure(let failure): problems += failure.all
      }
    }
    return (given, problems)
  }
}

/// The limits that a config sets for a job's plugin, and the messages about missing or invalid
/// options and secrets. This type is a class, so that a job without terms stores only a nil
/// reference.
package final class GrantTerms: Sendable {
  package let allowance: Allowance
  /// The requested permissions that the job uses and that the config refuses.
  package let refused: [AskedPermission]
  /// The messages about missing or invalid options and secrets: see `GrantRule.Claim.lacking`.
  package let lacking: [String]

  package init(
    allowance: Allowance = Allowance(), refused: [AskedPermission] = [], lacking: [String] = []
  ) {
    self.allowance = allowance
    self.refused = refused
    self.lacking = lacking
  }

  func lacking(_ problems: [String]) -> GrantTerms {
    GrantTerms(allowance: allowance, refused: refused, lacking: problems)
  }
}
