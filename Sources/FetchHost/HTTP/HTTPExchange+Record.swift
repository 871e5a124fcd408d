import FetchModel
import FetchValues

/// The entries of a request in the record of its run: cookies, cooldowns, the facts of its answer,
/// and validators for the next run.
extension HTTPExchange {
  /// Adds the cookies of an answer, and closes the hostname if the answer has a `Retry-After`.
  func noteHop(_ answer: HTTPHopAnswer) {
    let now = session.now()
    let target = plan.target
    let until = answer.header("retry-after").flatMap {
      RetryAfter.instant($0, date: answer.header("date"), now: now)
    }
    session.noting { record in
      for field in answer.headers where field.name == "set-cookie" {
        record.jar.keep(field.value, from: target, now: now)
      }
    }
    guard let until, answer.status == 429 || answer.status == 503 || answer.status == 403
    else { return }
    let note = RetryAfterNote(
      origin: target.origin, hostname: target.hostname, status: answer.status, until: until)
    session.noting { $0.retryAfters.append(note) }
    session.policy.cooldowns?.close(note, now: now)
  }

  /// The answer for the plugin, without secrets in its address. Adds its facts and validators to the
  /// record.
  func finished(_ hopAnswer: HTTPHopAnswer, _ sent: Validators?) -> HTTPAnswer {
    var answer = HTTPAnswer(
      status: hopAnswer.status, url: session.redactor.redacted(plan.target.text))
    answer.headers = hopAnswer.headers
    answer.body = hopAnswer.body
    answer.movedTo = movedTo
    answer.receivedBytes = receivedBytes
    answer.requestCount = requestCount
    compare(&answer, sent)
    var fact = HTTPFact(
      method: plan.method, url: answer.url, hostname: plan.target.hostname,
      askedHostname: askedHostname, status: answer.status,
      notModified: answer.notModified, sameBody: answer.sameBody,
      cacheLifetime: CacheLifetime.left(answer.headers, now: session.now()),
      modifiedAt: ModifiedTime.read(answer.headers, now: session.now()),
      receivedBytes: receivedBytes,
      requestCount: requestCount)
    if plan.method == "GET", fact.answerFact == .full {
      fact.links = HubLinks(
        fields: answer.headers.filter { $0.name == "link" }.map(\.value), base: answer.url)
      fact.lastingURL = session.redactor.redacted(movedTo ?? request.url)
    }
    session.noting { [fact] in $0.facts.append(fact) }
    return answer
  }

  /// Marks an unchanged answer, and keeps the validators for the next run.
  private func compare(_ answer: inout HTTPAnswer, _ sent: Validators?) {
    let now = session.now()
    let plan = plan
    let key = key(plan)
    if answer.status == 304 {
      answer.notModified = true
      // The plugin may have set the condition itself; fetchrun has no validators to update in this
      // case.
      if let sent, ConditionalRule.isCondition(sent, now: now) {
        remember(ConditionalRule.afterNotModified(answer.headers, old: sent), key, known: sent)
      }
    } else if ConditionalRule.isFullAnswer(answer.status, to: plan) {
      let hash = BodyHash.of(answer.body)
      answer.sameBody = request.conditional && session.known[ExactText(key)]?.bodyHash == hash
      remember(
        ConditionalRule.afterFullAnswer(answer.headers, to: plan, bodyHash: hash, now: now), key)
    }
  }

  /// Records the validators for the next run, unless they are `known` already. Drops each validator
  /// in which the server has sent back a secret, so that the next request does not send the secret.
  private func remember(_ validators: Validators, _ key: String, known: Validators? = nil) {
    let redactor = session.redactor
    var validators = validators
    if !redactor.isEmpty {
      for field in [\Validators.etag, \.lastModified] {
        if let text = validators[keyPath: field], redactor.finds(inValidator: text) {
          validators[keyPath: field] = nil
        }
      }
    }
    session.noting { [validators] record in
      if validators != known {
        record.validators[key] = validators
      } else if !record.validators.isEmpty {
        record.validators[key] = nil
      }
    }
  }
}
