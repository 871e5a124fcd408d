/// The keys of a `case.yaml`. Each enum has the keys of one kind of mapping. The reader and the
/// reference page use these enums.
package enum CaseKey {
  package enum Whole: String, CaseIterable {
    case options, state, now, runs, trigger, job, run, validators, hosts, limits, secrets
    case allowPrivate = "allow_private"
    case allowRead = "allow_read"

    package var summary: String {
      switch self {
      case .options: "the plugin's options"
      case .state: "`ctx.state` before the first run"
      case .now:
        "when the first run begins, unless the run has its own `now`; default "
          + "`2026-11-20T10:00:00Z`"
      case .runs: "list of runs, executed one after another with the same store; required"
      case .trigger: "`ctx.trigger`, except in a run with `transfer`; default `manual`"
      case .job: "`ctx.job`; default the plugin's name"
      case .run: "id of the first run, the seed of `math.random`"
      case .validators: "validators that the host has stored before the first run"
      case .hosts: "granted hostnames, in addition to those that the plugin requests"
      case .limits: "limits of each run, as in a job: `{window: 10s}`"
      case .secrets:
        "made-up values of the job's [secrets](#a-secret): `{token: made-up-token}`"
      case .allowPrivate: "`true` grants private, loopback and link-local addresses"
      case .allowRead:
        "granted files and folders inside the case's folder; `{case}` in options stands for the "
          + "path of that folder"
      }
    }
  }

  package enum Run: String, CaseIterable {
    case requests, now, transfer

    package var summary: String {
      switch self {
      case .requests: "list of the requests that the run makes; default none"
      case .now:
        "when the run begins; default the time of the previous run, for the first run the case's "
          + "`now`"
      case .transfer:
        "the ended download for which `on_transfer` is called instead of `fetch`"
      }
    }
  }

  package enum Secret: String, CaseIterable {
    case value, hosts

    package var summary: String {
      switch self {
      case .value: "made up; required"
      case .hosts: "hostnames that may receive the secret; default those that the plugin requests"
      }
    }
  }

  package enum Transfer: String, CaseIterable {
    case url, to, size, sha256, etag, modified, failure

    package var summary: String {
      switch self {
      case .url: "the requested address; required"
      case .to: "path in the job's folder, required; the file itself is in `files/` of the case"
      case .size: "size of the file in bytes; default 0"
      case .sha256: "SHA-256 of the file in hexadecimal, if the request has `sha256`"
      case .etag: "the server's `ETag`"
      case .modified:
        "the request's `modified`, otherwise the time in the server's `Last-Modified`; RFC 3339"
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
      case .method: "default `GET`"
      case .headers:
        "headers that must be sent with these values; other headers may be sent as well"
      case .body: "body that must be sent; default any body"
      case .bodyFile: "like `body`, but in a file of the case's folder"
      case .answer: "the answer, or just its status: `answer: 304`"
      case .fault: "the fault that the request gets instead of an answer; see [faults](#faults)"
      case .detail: "details for the fault's message"
      case .times: "how many times the same request is made; default 1"
      }
    }
  }

  package enum Answer: String, CaseIterable {
    case status, headers, body
    case bodyFile = "body_file"

    package var summary: String {
      switch self {
      case .status: "default 200"
      case .headers: "names and values; a list for a repeated name"
      case .body: "the decoded body; default empty"
      case .bodyFile: "like `body`, but in a file of the case's folder"
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
      case .etag: "the `ETag` of the address's last answer"
      case .lastModified: "the `Last-Modified` of the address's last answer"
      case .bodySHA256: "SHA-256 of the body of the address's last answer, in hexadecimal"
      case .fullAnswerAt: "when the last full answer was received; default `now`"
      }
    }
  }
}
