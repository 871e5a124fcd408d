package import FetchConfig
package import FetchModel
import FetchValues

/// The combination of a config's jobs with their plugins.
package struct JobPreparation: Sendable {
  private let shelf: PluginShelf
  /// The private addresses that all jobs may reach, regardless of the config.
  private let privateAddresses: PrivateAddresses
  private let memory: GrantMemory

  /// - Parameter memory: distinguishes a mistake from a changed file that needs something that the
  ///   config lacks: such a job is prepared, and fails alone when it is due.
  package init(
    shelf: PluginShelf, privateAddresses: PrivateAddresses = .none,
    memory: GrantMemory = GrantMemory(store: nil)
  ) {
    self.shelf = shelf
    self.privateAddresses = privateAddresses
    self.memory = memory
  }

  /// Returns the named jobs, or all enabled ones without names, in the config's order. Throws the
  /// problems of all options together, with their places. A job whose plugin file does not load is
  /// prepared to fail: see `prepareToFail`.
  package func prepare(
    _ config: Config, named names: [String] = []
  ) async throws(ConfigProblems) -> [PreparedJob] {
    let found = await prepareEach(config, named: names)
    guard found.problems.isEmpty else { throw ConfigProblems(found.problems) }
    return found.prepared
  }

  /// Returns the jobs without problems, and the problems of the others.
  package func prepareEach(
    _ config: Config, named names: [String] = []
  ) async -> (prepared: [PreparedJob], problems: [ConfigProblem]) {
    let wanted = Set(names.map(ExactText.init))
    var problems = Self.unknown(names, in: config, isPlugin: shelf.has)
    var prepared: [PreparedJob] = []
    prepared.reserveCapacity(wanted.isEmpty ? config.jobs.count : wanted.count)
    var hooks = LuaHooks()
    do throws(ConfigProblems) { hooks = try await self.hooks(of: config) } catch {
      problems += error.all
    }
    let jobs = config.jobs.filter {
      wanted.isEmpty ? $0.isEnabled : wanted.contains(ExactText($0.name))
    }
    await shelf.prepare(jobs.map(\.plugin))
    for job in jobs {
      do throws(ConfigProblems) { prepared.append(try await prepareToFail(job)) } catch {
        problems += error.all
      }
    }
    return (hooks.isEmpty ? prepared : prepared.map { hooks.joined(to: $0) }, problems)
  }

  /// Returns all jobs, for commands that show each. Enabled jobs must be free of problems; disabled
  /// jobs with problems are listed by name.
  package func prepareAll(
    _ config: Config
  ) async throws(ConfigProblems) -> (prepared: [PreparedJob], unready: [String]) {
    let off = config.jobs.filter { !$0.isEnabled }
    var prepared = try await prepare(config)
    if off.isEmpty { return (prepared, []) }
    let hooks = try await hooks(of: config)
    var unready: [String] = []
    for job in off {
      do throws(ConfigProblems) { prepared.append(hooks.joined(to: try await prepare(job))) } catch
      {
        unready.append(job.name)
      }
    }
    return (prepared, unready)
  }

  /// Returns the Lua hooks of a config; each file is read once, however often this is called. A
  /// hook whose file does not load is included, is not called, and its deliveries wait.
  package func hooks(of config: Config) async throws(ConfigProblems) -> LuaHooks {
    try await hookPreparation.prepare(config.allHooks, standingIn: true)
  }

  /// Returns the hooks after loading the unloaded files again.
  package func prepareAgain(_ hooks: LuaHooks) async -> LuaHooks {
    await hookPreparation.prepareAgain(hooks)
  }

  private var hookPreparation: HookPreparation {
    HookPreparation(shelf: shelf, privateAddresses: privateAddresses, memory: memory)
  }

  /// Returns the problems of a config's plugins, hook files and options, including those of
  /// disabled jobs, and the warnings about its hooks and about the ports of its jobs.
  ///
  /// - Parameters:
  ///   - earlier: remembers the addresses that the jobs have requested, and their items.
  ///   - earlier: remembers which addresses the jobs have asked, and their items.
  ///   - machine: the facts of this machine.
  package func problems(
    in config: Config, earlier: GrantMemory = GrantMemory(store: nil),
    on machine: MachineFacts = MachineFacts()
  ) async -> (problems: [ConfigProblem], warnings: [ConfigProblem]) {
    var problems: [ConfigProblem] = []
    var warnings: [ConfigProblem] = []
    var hooks = LuaHooks()
    do throws(ConfigProblems) {
      hooks = try await hookPreparation.prepare(config.allHooks)
      warnings = hooks.warnings
    } catch {
      problems = error.all
    }
    warnings += config.allHooks.flatMap { HookPlaces.warnings(of: $0, on: machine) }
    warnings += machine.warnings(about: config)
    var prepared: [PreparedJob] = []
    for job in config.jobs {
      do throws(ConfigProblems) {
        let ready = try await prepare(job)
        warnings += await closedPorts(of: ready, earlier) + closedAddresses(of: ready)
        warnings += await ReadPlaces.warnings(of: ready, earlier)
        prepared.append(ready)
      } catch { problems += error.all }
    }
    let joined = hooks.isEmpty ? prepared : prepared.map { hooks.joined(to: $0) }
    warnings += await FilterFields.warnings(of: config.allHooks, joined, by: earlier)
    return (problems, warnings)
  }

  /// Returns warnings about servers that a job's runs have contacted at ports, or by a scheme, that
  /// its grants do not include.
  private func closedPorts(
    of prepared: PreparedJob, _ earlier: GrantMemory
  ) async -> [ConfigProblem] {
    let job = prepared.config
    let place = ConfigPlace(line: job.line, column: job.column)
    let asked = await earlier.addresses(of: job.name)
    return HostGate.closed(asked, in: prepared.job.grant.hosts).map { address in
      problem(
        of: job, at: place,
        "its runs have asked \(address.origin), which is no longer granted: a hostname alone opens "
          + "the default ports; add '\(address.authority)' to the hosts of the job if you trust it")
    }
  }

  /// Returns warnings about literal private addresses in a job's options that are not allowed.
  /// Where a name leads is known only during a run.
  private func closedAddresses(of prepared: PreparedJob) -> [ConfigProblem] {
    let job = prepared.job
    let place = ConfigPlace(line: prepared.config.line, column: prepared.config.column)
    return job.options.members.flatMap { option in
      PermissionResolution.addresses(in: option.value).compactMap { target -> ConfigProblem? in
        guard let address = target.literalAddress, AddressClass(address) != .global,
          !job.grant.privateAddresses.admits(address)
        else { return nil }
        var warning = problem(
          of: prepared.config, at: place,
          "its option '\(option.key)' names \(target.hostname), \(AddressClass(address).phrase),"
            + " which nothing allows: add allow_private: true to the job")
        warning.isWarning = true
        return warning
      }
    }
  }

  /// Returns the plugin that a job names.
  package func plugin(of job: JobConfig) async throws(ConfigProblems) -> Plugin {
    do throws(PluginProblems) { return try await shelf.plugin(named: job.plugin) } catch {
      throw ConfigProblems(error.all.map { problem(of: job, at: job.pluginPlace, "\($0)") })
    }
  }

  /// Prepares a job. If its plugin file does not load, the job gets a stand-in
  /// (`Plugin.loadFailure`): each of its runs fails, and no other job is affected.
  package func prepareToFail(_ job: JobConfig) async throws(ConfigProblems) -> PreparedJob {
    do throws(PluginProblems) { _ = try await shelf.plugin(named: job.plugin) } catch {
      if !error.isOfHost { return PreparedJob(failing: error.failure, job) }
    }
    return try await prepare(job)
  }

  /// Prepares a failing job again with its present files. A job that is being served also fails for
  /// mistakes in its options.
  package func prepareAgain(_ job: PreparedJob) async -> PreparedJob {
    do throws(ConfigProblems) { return try await prepareToFail(job.config) } catch {
      let text = error.all.map(\.description).joined(separator: "; ")
      return PreparedJob(failing: Failure(.invalidOption, text), job.config)
    }
  }

  package func prepare(_ job: JobConfig) async throws(ConfigProblems) -> PreparedJob {
    let plugin = try await plugin(of: job)
    var definition = JobDefinition(job)
    definition.holdsToGrant = true
    definition.allow.privateAddresses = definition.allow.privateAddresses.union(privateAddresses)
    let (found, allProblems) = definition.claim(of: plugin)
    let problems = allProblems.filter { $0.isSecret || !job.unreadOptions.contains($0.option) }
    if !problems.isEmpty, await !memory.hasChanged(found, of: .job(job.name)) {
      throw ConfigProblems(
        problems.map { problem(of: job, at: place(of: $0, in: job), $0.configMessage) })
    }
    return PreparedJob(config: job, job: found)
  }

  /// Returns a problem for each name that no job of a config has.
  package static func unknown(
    _ names: [String], in config: Config, isPlugin: (String) -> Bool = { _ in false }
  ) -> [ConfigProblem] {
    let known = config.jobs.map(\.name)
    let exact = Set(known.map(ExactText.init))
    return names.filter { !exact.contains(ExactText($0)) }.map { name in
      var hint = NearestName.hint(name, amongJobs: known)
      if name.hasSuffix(".lua") || hint.isEmpty && isPlugin(name) {
        hint += "; to run a plugin, type `fetchrun --plugin \(ShellWord.quoted(name))`"
      }
      return ConfigProblem(file: config.file, "no job '\(name)'\(hint)")
    }
  }

  private func place(of problem: OptionProblem, in job: JobConfig) -> ConfigPlace {
    let names = problem.isSecret ? job.secrets.map(\.name) : job.options.keys
    let places = problem.isSecret ? job.secretPlaces : job.optionPlaces
    let index = names.firstIndex { ExactText($0) == ExactText(problem.option) }
    guard let index, index < places.count else {
      return ConfigPlace(line: job.line, column: job.column)
    }
    return places[index]
  }

  private func problem(
    of job: JobConfig, at place: ConfigPlace, _ message: String
  ) -> ConfigProblem {
    ConfigProblem(
      file: job.file, line: place.line, column: place.column, "job '\(job.name)': \(message)")
  }
}

extension JobDefinition {
  package init(_ job: JobConfig) {
    self.init(
      plugin: job.plugin, name: job.name,
      options: job.options.members.map { .value(name: $0.key, value: $0.value) })
    allow = job.allow
    hosts = job.hosts
    secrets = job.secrets
    isolation = job.isolation
    files = job.files
    limits = job.limits
    firstRun = job.firstRun
  }
}
