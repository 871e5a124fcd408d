package import FetchConfig
package import FetchModel
package import FetchValues

/// The preparation of a config's jobs, which combines each job with its plugin.
package struct JobPreparation: Sendable {
  private let shelf: PluginShelf
  /// The private addresses that all jobs may reach, regardless of the config.
  private let privateAddresses: PrivateAddresses
  private let memory: GrantMemory
  /// The facts about this machine, for the advice about missing secrets.
  private var machine = MachineFacts()

  /// - Parameter memory: the stored grants, which show whether a file has changed. If a job's
  ///   changed file needs something that the config lacks, the job is still prepared, but its runs
  ///   are refused.
  package init(
    shelf: PluginShelf, privateAddresses: PrivateAddresses = .none,
    memory: GrantMemory = GrantMemory(store: nil)
  ) {
    self.shelf = shelf
    self.privateAddresses = privateAddresses
    self.memory = memory
  }

  /// Returns the named jobs, or all enabled jobs if no names are given, in the config's order.
  /// Throws one error with all problems that `prepareEach` returns. If a job's plugin file does not
  /// load, the runs of the returned job fail: see `prepareToFail`.
  package func prepare(
    _ config: Config, named names: [JobName] = []
  ) async throws(ConfigProblems) -> [Job] {
    let found = await prepareEach(config, named: names)
    guard found.problems.isEmpty else { throw ConfigProblems(found.problems) }
    return found.prepared
  }

  /// Returns the prepared jobs, including jobs whose plugin files do not load (`prepareToFail`).
  /// Also returns the problems of the jobs that are left out, of unknown names, and of the config's
  /// hooks.
  package func prepareEach(
    _ config: Config, named names: [JobName] = []
  ) async -> (prepared: [Job], problems: [ConfigProblem]) {
    let wanted = Set(names)
    var problems = Self.unknown(names, in: config, isPlugin: shelf.has)
    var prepared: [Job] = []
    prepared.reserveCapacity(wanted.isEmpty ? config.jobs.count : wanted.count)
    var hooks = LuaHooks()
    do throws(ConfigProblems) { hooks = try await self.hooks(of: config) } catch {
      problems += error.all
    }
    // A list of the jobs instead of the indices would copy each job.
    let indices = config.jobs.indices.filter {
      wanted.isEmpty ? config.jobs[$0].isEnabled : wanted.contains(config.jobs[$0].name)
    }
    let plugins = await shelf.plugins(named: indices.map { config.jobs[$0].plugin })
    for index in indices {
      do throws(ConfigProblems) {
        prepared.append(try await prepareToFail(config.jobs[index], plugins))
      } catch {
        problems += error.all
      }
    }
    return (hooks.isEmpty ? prepared : prepared.map { hooks.joined(to: $0) }, problems)
  }

  /// Returns all jobs, for commands that show each job. Disabled jobs with problems are left out,
  /// and their names are listed separately. Throws the problems that `prepareEach` returns for
  /// enabled jobs and hooks.
  package func prepareAll(
    _ config: Config
  ) async throws(ConfigProblems) -> (prepared: [Job], unready: [JobName]) {
    let off = config.jobs.filter { !$0.isEnabled }
    var prepared = try await prepare(config)
    if off.isEmpty { return (prepared, []) }
    let hooks = try await hooks(of: config)
    var unready: [JobName] = []
    for job in off {
      do throws(ConfigProblems) { prepared.append(hooks.joined(to: try await prepare(job))) } catch
      {
        unready.append(job.name)
      }
    }
    return (prepared, unready)
  }

  /// Returns the Lua hooks of a config. The result includes hooks whose files do not load. Those
  /// hooks are not called, and their deliveries wait.
  package func hooks(of config: Config) async throws(ConfigProblems) -> LuaHooks {
    try await hookPreparation.prepare(config.allHooks, standingIn: true)
  }

  /// Tries again to load the hook files that did not load, and returns the hooks.
  package func prepareAgain(_ hooks: LuaHooks) async -> LuaHooks {
    await hookPreparation.prepareAgain(hooks)
  }

  private var hookPreparation: HookPreparation {
    HookPreparation(
      shelf: shelf, privateAddresses: privateAddresses, memory: memory, machine: machine)
  }

  /// Returns the problems of a config's plugins, hook files and options, including those of
  /// disabled jobs. Also returns the warnings about the config's hooks, jobs and secrets.
  ///
  /// - Parameters:
  ///   - earlier: the memory with the jobs' grants, items and stored addresses.
  ///   - machine: the facts of this machine.
  package func problems(
    in config: Config, earlier: GrantMemory = GrantMemory(store: nil),
    on machine: MachineFacts = MachineFacts()
  ) async -> (problems: [ConfigProblem], warnings: [ConfigProblem]) {
    var problems: [ConfigProblem] = []
    var warnings: [ConfigProblem] = []
    var hooks = LuaHooks()
    var preparation = self
    preparation.machine = machine
    do throws(ConfigProblems) {
      hooks = try await preparation.hookPreparation.prepare(config.allHooks)
      warnings = hooks.warnings
    } catch {
      problems = error.all
    }
    warnings += config.allHooks.flatMap { HookPlaces.warnings(of: $0, on: machine) }
    warnings += machine.warnings(about: config)
    var prepared: [Job] = []
    for job in config.jobs {
      do throws(ConfigProblems) {
        let ready = try await preparation.prepare(job)
        warnings += await closedPorts(of: ready, job, earlier) + closedAddresses(of: ready, job)
        warnings += await ReadPlaces.warnings(of: ready, job, earlier)
        prepared.append(ready)
      } catch { problems += error.all }
    }
    let joined = hooks.isEmpty ? prepared : prepared.map { hooks.joined(to: $0) }
    warnings += await FilterFields.warnings(of: config.allHooks, joined, by: earlier)
    return (problems, warnings)
  }

  /// Returns a warning for each server in a job's stored addresses whose hostname is granted, but
  /// whose port or scheme is not granted: see `GrantMemory.addresses`.
  private func closedPorts(
    of job: Job, _ config: JobConfig, _ earlier: GrantMemory
  ) async -> [ConfigProblem] {
    let place = ConfigPlace(line: config.line, column: config.column)
    let asked = await earlier.addresses(of: job.name)
    return HostGate.closed(asked, in: job.grant.hosts).map { address in
      problem(
        of: config, at: place,
        "its runs have sent requests to \(address.origin), which is no longer granted; add"
          + " '\(address.authority)' to `hosts` of the job if you trust the server"
      ).asWarning
    }
  }

  /// Returns a warning for each IP address in a job's options that is not public and not permitted.
  /// Hostnames are not checked, since their addresses are known only during a run.
  private func closedAddresses(of job: Job, _ config: JobConfig) -> [ConfigProblem] {
    let place = ConfigPlace(line: config.line, column: config.column)
    return job.options.members.flatMap { option in
      PermissionResolution.addresses(in: option.value).compactMap { target -> ConfigProblem? in
        guard let address = target.literalAddress, AddressClass(address) != .global,
          !job.grant.privateAddresses.admits(address)
        else { return nil }
        var warning = problem(
          of: config, at: place,
          "its option '\(option.key)' names \(target.hostname), \(AddressClass(address).phrase),"
            + " which is not allowed: add `allow_private: true` to the job")
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

  /// Prepares a job. If its plugin file does not load, returns a job whose runs fail
  /// (`Plugin.loadFailure`). Throws if no worker could inspect the file. Throws the problems of
  /// options and secrets, unless a change of the file may be the cause: see
  /// `GrantMemory.hasChanged`.
  package func prepareToFail(_ job: JobConfig) async throws(ConfigProblems) -> Job {
    try await prepareToFail(job, await shelf.plugins(named: [job.plugin]))
  }

  private func prepareToFail(
    _ job: JobConfig, _ plugins: PluginShelf.Results
  ) async throws(ConfigProblems) -> Job {
    switch plugins[ExactText(job.plugin)] {
    case .success(let plugin)?: return try await prepare(job, with: plugin)
    case .failure(let problems)? where !problems.isOfHost:
      return Job(failing: problems.failure, job)
    default: return try await prepare(job)
    }
  }

  /// Prepares a failing job again with its present files. If the job still has problems, returns a
  /// job whose runs fail. Returns nil if no worker could inspect the plugin.
  package func prepareAgain(_ job: JobConfig) async -> Job? {
    do throws(PluginProblems) { _ = try await shelf.plugin(named: job.plugin) } catch {
      return error.isOfHost ? nil : Job(failing: error.failure, job)
    }
    do throws(ConfigProblems) { return try await prepare(job) } catch {
      return Job(failing: Failure(.invalidOption, error.description), job)
    }
  }

  package func prepare(_ job: JobConfig) async throws(ConfigProblems) -> Job {
    try await prepare(job, with: try await plugin(of: job))
  }

  private func prepare(
    _ job: JobConfig, with plugin: Plugin
  ) async throws(ConfigProblems) -> Job {
    let (found, allProblems) = job.claim(of: plugin, privateAddresses: privateAddresses)
    if allProblems.isEmpty { return found }
    let problems = allProblems.filter { $0.isSecret || !job.unreadOptions.contains($0.option) }
    if !problems.isEmpty, await !memory.hasChanged(found, of: .job(job.name)) {
      throw ConfigProblems(
        problems.map {
          let message = $0.configMessage(setting: machine.setting("NAME"))
          return problem(of: job, at: place(of: $0, in: job), message)
        })
    }
    return found
  }

  /// Returns a problem for each name that is not the name of a job in the config.
  package static func unknown(
    _ names: [JobName], in config: Config, isPlugin: (String) -> Bool = { _ in false }
  ) -> [ConfigProblem] {
    if names.isEmpty { return [] }
    let known = config.jobs.map(\.name)
    let exact = Set(known)
    return names.filter { !exact.contains($0) }.map { name in
      var hint = NearestName.hint(name, among: known)
      if name.text.hasSuffix(".lua") || hint.isEmpty && isPlugin(name.text) {
        hint += "; to run a plugin, type `fetchrun --plugin \(ShellWord.quoted(name.text))`"
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
