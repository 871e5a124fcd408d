/// The keys of a `case.yaml`, mapping by mapping. The reader and the reference page go by them.
package enum CaseKey {
  package enum Whole: String, CaseIterable {
    case options, state, now, runs, trigger, job, run, validators, hosts, limits, secrets
    case allowPrivate = "allow_private"
    case allowRead = "allow_read"

    package var summary: String {
      switch self {
      case .options: "the plugin's options"
      case .state: "`ctx.state` before the first run"
      case .now: "when the first run begins; `2026-11-20T10:00:00Z` unless said"
      case .runs: "list of runs, one after the other on one store; required"
      case .trigger: "`ctx.trigger`; `manual` unless said"
      case .job: "`ctx.job`; the plugin's name unless said"
      case .run: "id of the first run, which `math.random` is seeded by"
      case .validators: "what the host knows of addresses before the first run"
      case .hosts: "hostnames granted besides those that the plugin asks for"
      case .limits: "limits of a run, as in a job: `{window: 10s}`"
      case .secrets:
        "made-up values of the secrets that the job is given: `{token: made-up}`; see below"
      case .allowPrivate: "`true`: private, loopback and link-local addresses are granted"
      case .allowRead:
        "files and folders of the case's folder that are granted; `{case}` in options is where they are"
      }
    }
  }

  package enum Run: String, CaseIterable {
    case requests, now, transfer

    package var summary: String {
      switch self {
      case .requests: "list of the requests that the run makes; none unless said"
      case .now: "when it begins; when the one before it did unless said"
      case .transfer:
        "the ended download that the run is about: `on_transfer` is called in place of `fetch`"
      }
    }
  }

  package enum Secret: String, CaseIterable {
    case value, hosts

    package var summary: String {
      switch self {
      case .value: "made up; required"
      case .hosts: "where it may be sent; where the plugin asks to send it unless said"
      }
    }
  }

  package enum Transfer: String, CaseIterable {
    case url, to, size, sha256, etag, modified, failure

    package var summary: String {
      switch self {
      case .url: "what was asked for; required"
      case .to: "path in the job's folder; required. The file itself lies in `files/` of the case"
      case .size: "bytes of the file; 0 unless said"
      case .sha256: "of the file, in hexadecimal, where it was asked for"
      case .etag: "what the server said of it"
      case .modified: "the same, or what was asked for"
      case .failure: "why there is no file: `{code: httpStatus, message: it is gone}`"
      }
    }
  }

  package enum Request: String, CaseIterable {
    case url, method, headers, body
    case bodyFile = "body_file"
    case answer, fault, detail, times

    package var summary: String {
      switch self {
      case .url: "address, query included; required"
      case .method: "`GET` unless said"
      case .headers: "headers that must be sent with these values; others may be sent too"
      case .body: "text that must be sent; whatever is sent unless said"
      case .bodyFile: "the same, in a file of the case's folder"
      case .answer: "the answer, or just its status: `answer: 304`"
      case .fault: "why there is no answer, in place of one; see below"
      case .detail: "what the fault's message says more"
      case .times: "how often the same is asked and answered; 1 unless said"
      }
    }
  }

  package enum Answer: String, CaseIterable {
    case status, headers, body
    case bodyFile = "body_file"

    package var summary: String {
      switch self {
      case .status: "200 unless said"
      case .headers: "names and values; a list where one name comes several times"
      case .body: "the body, decoded; empty unless said"
      case .bodyFile: "the same, in a file of the case's folder"
      }
    }
  }

  package enum Validator: String, CaseIterable {
    case etag
    case lastModified = "last_modified"
    case bodySHA256 = "body_sha256"
    case fullAnswerAt = "full_answer_at"

    package var summary: String {
      switch self {
      case .etag: "the `ETag` of its last answer"
      case .lastModified: "its `Last-Modified`"
      case .bodySHA256: "SHA-256 of its last body, in hexadecimal"
      case .fullAnswerAt: "when that came; `now` unless said"
      }
    }
  }
}
