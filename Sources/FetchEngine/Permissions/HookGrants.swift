import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// Which hook files may run as they are now: a changed file that asks for more waits for its user's
/// word. The store is asked once for each file.
final class HookGrants: Sendable {
  /// What is said of a hook file before a call of it.
  struct Word: Sendable {
    /// Why it does not run; nil where it does.
    var refusal: Failure?
    /// At its first call: what it was granted with that.
    var note: LogLine?
  }

  private struct Known {
    var claim: GrantRule.Claim
    var refusal: Failure?
  }

  private let store: any Store
  private let suggested: SuggestedCommand
  private let known = Mutex<[String: Known]>([:])

  init(store: any Store, suggested: SuggestedCommand) {
    self.store = store
    self.suggested = suggested
  }

  /// What is granted by the first call of a file is on the disk when this returns.
  func word(on hook: LuaHook, now: Timestamp) async -> Word {
    if let failure = hook.file.loadFailure {
      return Word(refusal: Failure(failure.code, failure.hookLoadSentence))
    }
    if hook.claim.isAgreed { return Word() }
    let known = known.withLock { $0[hook.name] }
    if let known, known.claim == hook.claim { return Word(refusal: known.refusal) }
    do throws(StoreError) {
      let pin = try await store.grant(ofHook: hook.name, plugin: hook.claim.plugin)
      let decision = GrantRule.decide(hook.claim, pin, now: now)
      if let kept = decision.kept { try await store.keep(kept, ofHook: hook.name) }
      let refusal = decision.failure(
        of: .hook(hook.name), file: hook.file.path, suggested: suggested)
      self.known.withLock { $0[hook.name] = Known(claim: hook.claim, refusal: refusal) }
      return Word(refusal: refusal, note: decision.note(after: pin))
    } catch {
      return Word(refusal: error.failure)
    }
  }

  /// The user has spoken: it is looked at anew.
  func forget(_ hook: String) { known.withLock { $0[hook] = nil } }
}
