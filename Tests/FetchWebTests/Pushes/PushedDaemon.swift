import FetchEngine
import FetchModel
import FetchValues
import Synchronization

@testable import FetchWeb

/// A daemon that knows some jobs and their rules for pushes. The daemon records its requests.
final class PushedDaemon: Sendable {
  private let rules: [String: PushRuleLine]
  private let log = Mutex<[String]>([])
  private let failure = Mutex<ControlEnd?>(nil)

  init(_ rules: [PushRuleLine]) {
    self.rules = Dictionary(uniqueKeysWithValues: rules.map { ($0.job, $0) })
  }

  /// The requests so far, such as `push releases`.
  var requests: [String] { log.withLock { $0 } }

  /// Makes every push end with the given end from now on. With nil, pushes succeed again.
  func failPushes(_ end: ControlEnd?) { failure.withLock { $0 = end } }

  var send: WebControl.Send {
    { (request, line) async throws(ControlError) in
      switch request {
      case .pushRule(let job):
        self.log.withLock { $0.append("rule \(job)") }
        guard let rule = self.rules[job.text] else { return .unknownJob(job, among: []) }
        line(rule.value)
      case .push(let jobs):
        self.log.withLock { $0.append("push \(jobs.map(\.text).joined(separator: " "))") }
        if let end = self.failure.withLock({ $0 }) { return end }
        for job in jobs { line(["job": .string(job.text), "answer": "due", "why": .null]) }
      default: return .failed("unexpected request")
      }
      return .done
    }
  }
}

extension TestSite {
  /// Gives a job an address for pushes, and returns the path of the address.
  func pushPath(_ job: JobName) throws -> String {
    let capability = try access.file.change { records throws(AccessFileError) in
      records.addPushAddress(of: job, now: now) { UInt64.random(in: .min ... .max) }
    }
    return "/push/\(capability ?? "")"
  }
}
