import FetchModel
import FetchStore
import FetchValues

/// Parameters that several routes have.
enum APIParameters {
  static let job = RouteParameter(
    "job", .name, in: .path, example: "reuters", "name of a job, percent-encoded")
  static let ofJob = RouteParameter("job", .name, "only those of this job")
  static let limit = RouteParameter(
    "limit", .integer(1...Int64(PageMark.countMax)), usual: 100, "the most lines of the answer")
  static let id = RouteParameter("id", .positive, in: .path, example: 7, "its number")
}

extension WebRequest {
  /// The limit of the answer's lines.
  var limit: Int { Int(integer("limit") ?? 100) }

  /// Returns the job that a parameter names; throws if the caller may not see it.
  func seenJob() throws(WebProblem) -> JobName? {
    guard let job = text("job").map({ JobName($0) }) else { return nil }
    guard caller.sees(job) else { throw Self.unknownJob(job) }
    return job
  }

  /// Returns the job of the path.
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
        "this address is about all jobs, and the token is for some of them; create another one"
          + " without --jobs")
    }
  }

  /// Removes the hint if the caller may not see all jobs, since it could name one of them.
  func hidingNames(_ problem: WebProblem) -> WebProblem {
    guard !caller.seesAllJobs, problem.word == .unknownJob else { return problem }
    return Self.unknownJob(JobName(text("job") ?? ""))
  }
}
