import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// The answer to `explain`: why a job runs, or does not run.
extension JobControl {
  /// Returns the sentences that explain a job's state; nil if neither the config nor the store has
  /// the job.
  func explanation(of job: JobName) async -> [ExplainLine]? {
    var held: String?
    var heldHooks: [String] = []
    if let grants, let known = jobs.job(named: job) {
      held = await grants.sentence(of: known, now: now())
      heldHooks = await grants.hookSentences(of: known, now: now())
    }
    let waiting = await waiting(job)
    let lastRun = try? await reader?.runs(job: job, limit: 1).first
    guard var lines = scheduling(of: job, lastRunAt: lastRun?.startedAt) else {
      return await isStored(job) ? await explanation(ofStored: job, lastRun) : nil
    }
    if let waiting {
      var line = ExplainLine(job: job.text, sentence: waiting.sentence(now: now()))
      line.waiting = waiting
      lines.insert(line, at: min(1, lines.count))
    }
    if let sentence = await firstRunSentence(of: job) {
      lines.append(ExplainLine(job: job.text, sentence: sentence))
    }
    if !lines.isEmpty {
      // The grant gate is the last one: a job whose file may not run still starts a run, which
      // fails immediately.
      lines[0].gates?.append(GateLine(GateLine.grant, why: held))
    }
    for sentence in subscriptions?.sentences(of: job, now: now()) ?? [] {
      lines.append(ExplainLine(job: job.text, sentence: sentence))
    }
    var sentences = await reader?.history(of: job, isHeld: held != nil) ?? []
    sentences += ([held].compactMap(\.self) + heldHooks).map { reason -> String in
      reason.prefix(1).uppercased() + reason.dropFirst() + "."
    }
    sentences += brokenHooks(of: job)
    return lines + sentences.map { ExplainLine(job: job.text, sentence: $0) }
  }

  /// Whether the store has a job, also one that the config does not have, for example because only
  /// `fetchrun --plugin` has run it.
  func isStored(_ job: JobName) async -> Bool { (try? await reader?.hasJob(job)) == true }

  private func explanation(ofStored job: JobName, _ last: RunRecord?) async -> [ExplainLine] {
    var sentences = ["\(job) is not in the config, so it has no schedule."]
    if let last { sentences.append("It last ran at \(last.startedAt.descriptionInSeconds).") }
    sentences += await reader?.history(of: job, isHeld: false) ?? []
    return sentences.map { ExplainLine(job: job.text, sentence: $0) }
  }

  /// Returns one sentence for each hook of the job whose file does not load.
  private func brokenHooks(of name: JobName) -> [String] {
    guard let hooks, let job = jobs.job(named: name) else { return [] }
    return hooks.hooks(of: name, plugin: job.plugin.manifest.name).compactMap { hook in
      hooks.luaHook(named: hook.name)?.file.loadFailure.map { failure in
        "Its hook \(hook.name) is not called: \(failure.hookLoadSentence). The hook's deliveries"
          + " wait until this is corrected; a daemon retries when the file changes."
      }
    }
  }

  /// Returns a sentence about the items of the job's first run; nil if no sentence is needed.
  private func firstRunSentence(of job: JobName) async -> String? {
    let rule = jobs.job(named: job)?.rules.firstRun
    guard let rule, rule != .all else { return nil }
    // Without a store, no job has had a result.
    if let reader, (try? await reader.hasResult(of: job)) != false { return nil }
    return "It has had no result yet: \(rule.sentence()) (first_run: \(rule.text))."
  }

  private func scheduling(of job: JobName, lastRunAt: Timestamp?) -> [ExplainLine]? {
    jobs.withState { state in
      let now = now()
      return state.scheduler.number(of: job).map { number in
        ExplainLine.all(number, in: state.scheduler, now: now, lastRunAt: lastRunAt)
          + ExplainLine.loading(state.jobs[number])
          + state.learned.sentences(state.scheduler, number, now: now).map {
            ExplainLine(job: job.text, sentence: $0)
          }
      }
    }
  }
}
