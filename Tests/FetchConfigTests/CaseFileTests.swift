import FetchConfig
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `case.yaml`, in the forms that people and recorders write.
struct CaseFileTests {
  private func read(_ files: [String: String]) throws -> Recording {
    let folder = try ConfigFolder(files)
    defer { folder.remove() }
    return try CaseFile.read(folder.path)
  }

  /// Returns all problems of a case, without the folder's path.
  private func problems(_ text: String, _ files: [String: String] = [:]) throws -> [String] {
    let folder = try ConfigFolder(files.merging(["case.yaml": text]) { $1 })
    defer { folder.remove() }
    do {
      _ = try CaseFile.read(folder.path)
      return []
    } catch {
      return error.all.map { $0.description.replacing(folder.path + "/", with: "") }
    }
  }

  @Test func `a case sets every input of a run`() throws {
    let recording = try read([
      "case.yaml": """
      now: 2026-11-20T10:00:00.250Z
      trigger: schedule
      job: news
      run: 019a9c2e-7b1b-7c3d-9f00-0123456789ab
      allow_private: true
      hosts: ["*.example.org"]
      limits: { window: 5s, items: 10 }
      options: { url: "https://a.example/", count: 3, text: "${HOME}" }
      state: { seen: ["1", "2"] }
      validators:
        https://a.example/: { etag: '"1"', full_answer_at: 2026-11-19T10:00:00Z }
      runs:
        - requests:
            - url: https://a.example/
              method: post
              headers: { If-None-Match: '"1"', X-Two: [a, b] }
              body: asked
              times: 2
              answer:
                status: 201
                headers: { ETag: '"2"', Set-Cookie: [a=1, b=2] }
                body_file: answers/1.json
            - url: https://a.example/2
              answer: 304
        - now: 2026-11-20T11:00:00Z
          requests:
            - { url: "https://a.example/3", fault: tls, detail: its certificate has expired }
        - {}
      """,
      "answers/1.json": "[1]",
    ])
    #expect(recording.now == Timestamp(rfc3339: "2026-11-20T10:00:00.250Z"))
    #expect(recording.trigger == .schedule)
    #expect(recording.job == "news")
    #expect(recording.run?.description == "019a9c2e-7b1b-7c3d-9f00-0123456789ab")
    #expect(recording.allowsPrivate)
    #expect(recording.hosts.map(\.text) == ["*.example.org"])
    #expect(recording.limits == object(["window": "5s", "items": 10]))
    #expect(
      recording.options
        == object(["url": "https://a.example/", "count": 3, "text": "${HOME}"]))
    #expect(recording.state == ["seen": ["1", "2"]])
    var known = Validators(
      etag: "\"1\"", lastFullAnswerAt: try #require(Timestamp(rfc3339: "2026-11-19T10:00:00Z")))
    #expect(recording.validators == [ExactText("https://a.example/"): known])
    known.etag = nil

    #expect(recording.runs.map(\.requests.count) == [2, 1, 0])
    #expect(recording.runs.map(\.now?.descriptionInSeconds) == [nil, "2026-11-20T11:00:00Z", nil])
    let first = recording.runs[0].requests[0]
    #expect(first.method == "POST")
    #expect(
      first.headers == [
        HTTPField("If-None-Match", "\"1\""), HTTPField("X-Two", "a"), HTTPField("X-Two", "b"),
      ])
    #expect(first.body == RecordedBody(Array("asked".utf8)))
    #expect(first.times == 2)
    var answer = RecordedAnswer(status: 201)
    answer.headers = [
      HTTPField("ETag", "\"2\""), HTTPField("Set-Cookie", "a=1"), HTTPField("Set-Cookie", "b=2"),
    ]
    answer.body = RecordedBody(Array("[1]".utf8), file: "answers/1.json")
    #expect(first.end == .answer(answer))
    #expect(recording.runs[0].requests[1].end == .answer(RecordedAnswer(status: 304)))
    #expect(
      recording.runs[1].requests[0].end == .fault(.tls, detail: "its certificate has expired"))
  }

  @Test func `a case without a time begins at the default one`() throws {
    let recording = try read(["case.yaml": "runs: [{}]"])
    #expect(recording.now.descriptionInSeconds == "2026-11-20T10:00:00Z")
    #expect(
      recording
        == {
          var usual = Recording(); usual.runs = [RecordedRun()]; return usual
        }())
  }

  static let mistakes: [(String, [String])] = [
    (
      "allow_read: [../other, none]\nruns: [{}]",
      [
        "case.yaml:1:14: allow_read: '../other' is not a path in the folder: the path has . or .. "
          + "as a name; write only the names of folders and files"
      ]
    ),
    ("allow_read: [none]\nruns: [{}]", ["none: cannot be read: No such file or directory"]),
    (
      "secrets: {a/b: made-up-value, c: short, d: {hosts: x}, e: [1]}\nruns: [{}]",
      [
        "case.yaml:1:11: invalid secret name: use up to 64 ASCII letters, digits, '-', '_' "
          + "and '.', and do not begin with '.'",
        "case.yaml:1:34: the secret needs a made-up value of 8 bytes or more",
        "case.yaml:1:44: the secret needs a made-up value of 8 bytes or more",
        "case.yaml:1:59: e must be a string",
      ]
    ),
    (
      "runs: [{transfer: {url: u}}, {transfer: {url: u, to: ../x}}]",
      [
        "case.yaml:1:19: the transfer needs `url` and `to`",
        "case.yaml:1:54: to: '../x' is not a path in the folder: the path has . or .. as a name; "
          + "write only the names of folders and files",
      ]
    ),
    (
      "trigger: transfer\nruns: [{transfer: {url: u, to: x, sha256: 1, failure: {code: gone}}}, {}]",
      [
        "case.yaml:2:7: with `trigger: transfer`, each run needs the key `transfer` with the "
          + "ended download",
        "case.yaml:2:43: sha256 must be 64 hexadecimal digits",
        "case.yaml:2:55: `failure` must be { code: CODE, message: TEXT }, with a code such as "
          + "httpStatus",
      ]
    ),
    ("", ["case.yaml:1:1: the file has no keys; add `runs:` with a list of runs"]),
    ("options: {}", ["case.yaml:1:1: the case has no runs; add `runs:` with a list"]),
    (
      "runs: []",
      ["case.yaml:1:7: there are no runs in `runs`; for a run without requests, add `- {}`"]
    ),
    ("runs: 3", ["case.yaml:1:7: runs must be a list"]),
    (
      "run: [{}]\nruns: [{}]\nnow: today",
      [
        "case.yaml:1:6: run must be a string",
        "case.yaml:3:6: now must be a time such as 2026-11-20T10:00:00Z",
      ]
    ),
    ("run: one\nruns: [{}]", ["case.yaml:1:6: run must be a UUID"]),
    (
      "validators: {u: {body_sha256: [1]}}\nruns: [{transfer: {url: u, to: x, sha256: {}}}]",
      [
        "case.yaml:1:31: body_sha256 must be a string", "case.yaml:2:43: sha256 must be a string",
      ]
    ),
    ("runs: [{request: []}]", ["case.yaml:1:9: unknown key 'request' (did you mean 'requests'?)"]),
    (
      "runs: [{requests: [{url: 'https://a.example/'}]}]",
      ["case.yaml:1:20: the request has no answer; add `answer` or `fault`"]
    ),
    (
      "runs: [{requests: [{url: u, anser: 200}]}]",
      ["case.yaml:1:29: unknown key 'anser' (did you mean 'answer'?)"]
    ),
    (
      "runs: [{requests: [{answer: 200, fault: cut}]}]",
      [
        "case.yaml:1:20: the request has no url; add url: ADDRESS",
        "case.yaml:1:34: a request cannot have both `answer` and `fault`; remove one",
      ]
    ),
    (
      "runs: [{requests: [{url: u, fault: tiemout}]}]",
      [
        "case.yaml:1:36: fault must be timeout, connect-timeout, too-slow, refused, closed, cut,"
          + " offline, unknown-host, unknown-proxy, proxy, tls, private-address, not-http,"
          + " headers-too-long, unclear-length, body-too-big, compressed-too-much, damaged-body,"
          + " unknown-coding or file (did you mean 'timeout'?)"
      ]
    ),
    (
      "runs: [{requests: [{url: u, fault: [cut], detail: [x]}]}]",
      [
        "case.yaml:1:36: fault must be a string",
        "case.yaml:1:51: detail must be a string",
      ]
    ),
    (
      "runs: [{requests: [{url: u, fault: cut, answer: 200, detail: x}]}]",
      [
        "case.yaml:1:41: a request cannot have both `answer` and `fault`; remove one"
      ]
    ),
    (
      "runs: [{requests: [{url: u, answer: 99}]}]",
      ["case.yaml:1:37: status must be a whole number from 200 to 999"]
    ),
    (
      "runs: [{requests: [{url: u, answer: 200, detail: x}]}]",
      ["case.yaml:1:50: `detail` is only allowed with `fault`; remove it or add `fault`"]
    ),
    (
      "runs: [{requests: [{url: u, answer: {body_file: ../../etc/passwd}}]}]",
      [
        "case.yaml:1:49: body_file: ../../etc/passwd must be the path of a file, relative to the "
          + "case's folder and without '..' and '//'"
      ]
    ),
    (
      "runs: [{requests: [{url: u, answer: {body_file: /etc/passwd}}]}]",
      [
        "case.yaml:1:49: body_file: /etc/passwd must be the path of a file, relative to the "
          + "case's folder and without '..' and '//'"
      ]
    ),
    (
      "runs: [{requests: [{url: u, answer: {body_file: none.xml}}]}]",
      ["case.yaml:1:49: body_file: none.xml cannot be read: No such file or directory"]
    ),
    (
      "limits: {windows: 5s}\nvalidators: {u: {etag: a, body_sha256: 12}}\nruns: [{}]",
      [
        "case.yaml:1:10: unknown limit 'windows' (did you mean 'window'?); use one of window,"
          + " waiting, cpu, memoryBytes, bodyBytes, decompressionRatio, hostCalls, items,"
          + " resultBytes, logBytes, nesting",
        "case.yaml:2:40: body_sha256 must be 64 hexadecimal digits",
      ]
    ),
    (
      "limits: {[window]: 5s}\nvalidators: {[u]: {etag: a}}\nruns: [{}]",
      [
        "case.yaml:1:10: a limit's name must be a string",
        "case.yaml:2:14: the address of validators must be a string",
      ]
    ),
  ]

  @Test(arguments: mistakes) func `a mistake is reported with its place`(
    text: String, messages: [String]
  ) throws {
    #expect(try problems(text) == messages)
  }

  @Test func `a granted link is followed, and links below it are skipped`() throws {
    let folder = try ConfigFolder([
      "case.yaml": "allow_read: [one.txt, in]\nruns: [{}]", "other/a.txt": "a",
    ])
    defer { folder.remove() }
    for (link, target) in [("one.txt", "other/a.txt"), ("in", "other"), ("other/b.txt", "a.txt")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + link, withDestinationPath: target)
    }
    let read = try CaseFile.read(folder.path).readableFiles
    #expect(read.map(\.path.text) == ["one.txt", "in/a.txt"])
    #expect(read.allSatisfy { $0.bytes == Array("a".utf8) })
  }

  @Test func `a written case is read back unchanged`() throws {
    var recording = Recording(now: Timestamp(milliseconds: 1_795_168_800_123))
    recording.options = object([
      "url": "https://a.example/", "empty": "", "number": 1.5, "variable": "${HOME}",
      "odd \"key\": #": ["yes", nil, true, 3], "text": "line\n- \"two\"\t\u{1}", "word": "no",
    ])
    recording.state = ["list": [], "deep": ["a": ["b": "c"]]]
    recording.job = "9: a job"
    recording.run = RunID("019a9c2e-7b1b-7c3d-9f00-0123456789ab")
    recording.trigger = .push
    recording.allowsPrivate = true
    recording.hosts = ["a.example", "*.b.example", "*"].compactMap(HostPattern.init)
    recording.limits = object(["window": "5s"])
    recording.validators = [
      ExactText("https://a.example/#accept=text/html"): Validators(
        etag: "W/\"1\"", lastModified: "Fri, 20 Nov 2026 06:00:05 GMT",
        bodyHash: [UInt8](repeating: 7, count: 32), lastFullAnswerAt: recording.now)
    ]
    recording.readPaths = [try FilePath("in"), try FilePath("one.txt")]
    recording.readableFiles = [
      RecordedFile(try FilePath("in/a/b.txt"), Array("b".utf8)),
      RecordedFile(try FilePath("one.txt"), Array("1".utf8)),
    ]
    recording.files = [RecordedFile(try FilePath("own/ä.txt"), [])]
    recording.runs = [RecordedRun(requests: Self.requests), RecordedRun()]
    recording.runs[1].now = Timestamp(seconds: 1_795_168_900)
    recording.secrets = [
      RecordedSecret("token"),
      RecordedSecret("key", value: "9: made up", hosts: recording.hosts),
    ]
    var transfer = RecordedTransfer(url: "https://a.example/1", to: try FilePath("in/ä b.iso"))
    transfer.size = 5_000_000_000
    transfer.sha256 = [UInt8](repeating: 7, count: 32)
    transfer.etag = "\"1\""
    transfer.modified = recording.now
    recording.runs.append(RecordedRun())
    recording.runs[2].transfer = transfer
    transfer = RecordedTransfer(url: "https://a.example/2", to: try FilePath("2"))
    transfer.failure = Failure(.httpStatus, "it is \"gone\"")
    recording.runs.append(RecordedRun())
    recording.runs[3].transfer = transfer

    let written = CaseText(recording, comment: ["A case."])
    #expect(written.text.hasPrefix("# A case.\nnow: 2026-11-20T10:00:00.123Z\n"))
    #expect(
      written.files.map(\.path) == [
        "in/a/b.txt", "one.txt", "files/own/ä.txt", "answers/2-list.json", "answers/3-answer",
      ])
    let folder = try ConfigFolder(["case.yaml": written.text])
    defer { folder.remove() }
    for file in written.files {
      try folder.write(file.path, String(decoding: file.bytes, as: UTF8.self))
    }
    var read = try CaseFile.read(folder.path)
    for run in read.runs.indices {
      for request in read.runs[run].requests.indices {
        read.runs[run].requests[request].forgetFiles()
      }
    }
    #expect(read == recording)
  }

  @Test func `the bodies of a request and of its answer never share a file`() throws {
    func body(_ letter: String) -> RecordedBody {
      RecordedBody(Array(String(repeating: letter, count: 300).utf8))
    }
    var answer = RecordedAnswer(status: 200)
    answer.body = body("a")
    var request = RecordedRequest(url: "https://a.example/request", end: .answer(answer))
    request.method = "POST"
    request.body = body("b")
    var recording = Recording()
    recording.runs = [RecordedRun(requests: [request])]
    let written = CaseText(recording)
    #expect(written.files.map(\.path) == ["answers/1-request", "answers/1-request-2"])
    var read = try CaseFile.read(written.text, files: written.files)
    read.runs[0].requests[0].forgetFiles()
    #expect(read.runs == recording.runs)
  }

  private static let requests: [RecordedRequest] = {
    var one = RecordedRequest(
      url: "https://a.example/?q=a b&c='", end: .answer(RecordedAnswer(status: 204)))
    one.method = "POST"
    one.headers = [HTTPField("X-Plugin", "a: b"), HTTPField("If-None-Match", "\"1\"")]
    one.body = RecordedBody(Array("{\"a\":1}".utf8))
    var answer = RecordedAnswer(status: 200)
    answer.headers = [
      HTTPField("Content-Type", "application/json"), HTTPField("set-cookie", "a=1"),
      HTTPField("set-cookie", "b=2"),
    ]
    answer.body = RecordedBody(Array("[\n1\n]".utf8))
    let two = RecordedRequest(url: "https://a.example/v1/list", end: .answer(answer))
    answer.status = 500
    answer.headers = []
    answer.body = RecordedBody(Array(String(repeating: "long ", count: 50).utf8))
    let three = RecordedRequest(url: "https://a.example/", end: .answer(answer))
    var four = RecordedRequest(
      url: "file:///a/b", end: .fault(.file, detail: "permission: no"))
    four.times = 3
    return [one, two, three, four, two]
  }()
}

extension RecordedRequest {
  fileprivate mutating func forgetFiles() {
    body?.file = nil
    guard case .answer(var answer) = end else { return }
    answer.body.file = nil
    end = .answer(answer)
  }
}

private func object(_ value: Value) -> ValueObject { value.objectValue ?? ValueObject() }
