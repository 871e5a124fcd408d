package import FetchModel
package import FetchValues

/// The forms of a subscription for programs, hubs and people. The JSON `line` contains neither the
/// secret nor the secret part of the callback's address.
extension Subscription {
  package var line: Value {
    [
      "id": .integer(id), "job": .string(job.text), "topic": .string(topic), "hub": .string(hub),
      "state": .string(state.rawValue), "askedAt": .time(askedAt), "verifiedAt": .time(verifiedAt),
      "leaseEndsAt": .time(leaseEndsAt), "nextAt": .time(nextAt), "pushes": .integer(pushCount),
      "lastPushAt": .time(lastPushAt), "missed": .integer(missedCount),
      "failures": .integer(Int64(failureCount)), "failure": .text(failure),
    ]
  }

  /// The key with which the hub signs its pushes: the secret in hexadecimal, as it was sent to the
  /// hub in `hub.secret`.
  package var signatureKey: [UInt8] { Array(Hexadecimal.text(of: secret).utf8) }

  /// Returns the address of the callback at a server.
  package func callback(at server: String) -> String {
    server + Self.callbackPath + Base64.text(capability, .url)
  }

  package static let callbackPath = "/websub/"

  /// Returns the text about the subscription for `explain`: one or more sentences with full stops.
  package func sentence(now: Timestamp) -> String {
    let name = (try? TargetURL(hub))?.authority ?? hub
    switch state {
    case .active:
      let counts = trust.counts(at: now)
      if trust.missedInARow >= PushTrust.missedInARowMax {
        return
          "\(name) has confirmed the subscription, but did not push the last"
          + " \(trust.missedInARow) updates."
          + " Until the next push, the job runs as often as it would without pushes."
      }
      if counts.all == 0 {
        return "\(name) has confirmed the subscription, but has pushed no updates recently."
      }
      return "\(name) pushed \(counts.pushed) of the last \(counts.all) feed updates in time."
        + " The feed is still checked, with `interval: adaptive` at least once a day."
    case .pending: return "\(name) has not confirmed the subscription yet."
    case .failing:
      return "The subscription at \(name) fails: \(failure ?? "unknown reason"). The job runs as"
        + " often as it would without pushes."
    case .denied:
      return "\(name) denied the subscription: \(failure ?? "no reason given"). The daemon asks"
        + " again once a week."
    case .ended: return "The subscription at \(name) has ended."
    }
  }
}

extension Value {
  fileprivate static func time(_ time: Timestamp?) -> Value {
    time.map { .string($0.description) } ?? .null
  }
}
