import FetchValues

extension Delivery {
  /// The line of `fetchrun deliveries --json`: one object, compact, keys in this order. Other
  /// programs read it: keys may be added, never renamed, moved or left out.
  package var json: String {
    var line = JSONLine()
    line.member("id", id)
    line.member("hook", hook)
    line.member("job", job)
    line.member("run", run?.description)
    line.member("event", event.rawValue)
    line.member("key", key)
    line.member("state", state.rawValue)
    line.member("attempts", attemptCount)
    line.member("nextAttemptAt", nextAttemptAt?.description)
    line.member("failure", failure)
    line.member("createdAt", createdAt.description)
    return line.closed()
  }
}
