import FetchModel
import FetchStore
import FetchValues

/// The parameters that several routes share.
enum APIParameters {
  static let job = RouteParameter(
    "job", .name, in: .path, example: "reuters", "name of a job, percent-encoded")
  static let ofJob = RouteParameter("job", .name, "only entries of this job")
  static let limit = RouteParameter(
    "limit", .integer(1...Int64(PageMark.countMax)), usual: 100,
    "the maximum number of entries in the answer")
  static let id = RouteParameter(
    "id", .positive, in: .path, example: 7, "id of the transfer or delivery")
}

extension WebRequest {
  /// The maximum number of lines in the answer.
  var limit: Int { Int(integer("limit") ?? 100) }

  /// Returns the job that the parameter `job` names; nil if the parameter is missing. Throws if the
  /// caller may not see the job.
  func seenJob() throws(WebProblem) -> JobName? {
    guard let job = text("job").map({ JobName($0) }) else { return nil }
    guard caller.sees(job) else { throw Self.unknownJob(job) }
    return job
  }

  /// Whether a list for the caller must leave out rows of hidden jobs. False if the request names a
  /// job, because `seenJob` checks this job.
  var hidesRows: Bool { !caller.seesAllJobs && text("job") == nil }

  /// Returns the job that the path names. Throws if the caller may not see the job.
  func pathJob() throws(WebProblem) -> JobName {
    guard let job = try seenJob() else { throw Self.unknownJob(.unnamed) }
    return job
  }

  static func unknownJob(_ name: JobName) -> WebProblem {
    WebProblem(.unknownJob, 404, "there is no job '\(name)'")
  }

  /// Throws unless the caller may see all jobs.
  func requireAllJobs() throws(WebProblem) {
    guard caller.seesAllJobs else {
      throw WebProblem(
        .missingScope, 403,
        "this address needs a token for all jobs, but this token is only for some jobs; create a"
          + " token without `--jobs`")
    }
  }

  /// Returns a problem about an unknown job without its hint, if the caller may not see all jobs.
  /// The hint could name a hidden job. In all other cases, returns the problem unchanged.
  func hidingNames(_ problem: WebProblem) -> WebProblem {
    guard !caller.seesAllJobs, problem.word == .unknownJob else { return problem }
    return Self.unknownJob(JobName(text("job") ?? ""))
  }
}
