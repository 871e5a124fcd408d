import FetchModel
import FetchValues

/// The reading of a `case.yaml`. Mistakes are reported with their places.
extension ConfigReader {
  /// A function that returns the bytes of a file in the case's folder, or the reason why the file
  /// cannot be read.
  typealias Files = (String) -> Result<[UInt8], ConfigProblem>

  mutating func recording(_ root: Node, _ files: Files) -> Recording {
    var recording = Recording()
    guard let mapping = mapping(root, "a case") else { return recording }
    var validators: Node?
    var runs: Node?
    for (key, _, node) in entries(mapping, CaseKey.Whole.self) {
      switch key {
      case .runs: runs = node
      case .validators: validators = node
      default: set(key, to: node, in: &recording)
      }
    }
    guard let runs else {
      note(root, "the case has no runs; add `runs:` with a list")
      return recording
    }
    if let validators { recording.validators = self.validators(validators, recording.now) }
    recording.runs = list(runs, "runs").map { run($0, files) }
    if recording.trigger == .transfer, recording.runs.contains(where: { $0.transfer == nil }) {
      note(
        runs,
        "with `trigger: transfer`, each run needs the key `transfer` with the ended download")
    }
    if case .sequence = runs, recording.runs.isEmpty {
      note(runs, "there are no runs in `runs`; for a run without requests, add `- {}`")
    }
    return recording
  }

  private mutating func set(_ key: CaseKey.Whole, to node: Node, in recording: inout Recording) {
    let name = key.rawValue
    switch key {
    case .options: recording.options = object(node, name) ?? ValueObject()
    case .state: recording.state = object(node, name).map { .object($0) }
    case .now: recording.now = time(node, name) ?? recording.now
    case .trigger: recording.trigger = choice(node, name, RunTrigger.self) ?? recording.trigger
    case .job: recording.job = text(node, name).map { JobName($0) }
    case .run:
      guard let text = text(node, name) else { return }
      recording.run = RunID(text)
      if recording.run == nil { note(node, "run must be a UUID") }
    case .hosts: recording.hosts = hosts(node)
    case .limits: recording.limits = limits(node, name)
    case .allowPrivate: recording.allowsPrivate = flag(node, name)
    case .secrets: recording.secrets = recordedSecrets(node)
    case .allowRead: recording.readPaths = parsed(node, name, by: FilePath.init)
    case .runs, .validators: break
    }
  }

  private mutating func validators(_ node: Node, _ now: Timestamp) -> [ExactText: Validators] {
    var all: [ExactText: Validators] = [:]
    guard let mapping = mapping(node, "validators") else { return all }
    for (key, child) in mapping {
      guard let url = key.string else {
        note(key, "the address of validators must be a string")
        continue
      }
      guard let fields = self.mapping(child, "validators of an address") else { continue }
      var known = Validators(lastFullAnswerAt: now)
      for (key, _, node) in entries(fields, CaseKey.Validator.self) {
        let name = key.rawValue
        switch key {
        case .etag: known.etag = text(node, name)
        case .lastModified: known.lastModified = text(node, name)
        case .bodySHA256: known.bodyHash = sha256(node, name)
        case .fullAnswerAt: known.lastFullAnswerAt = time(node, name) ?? now
        }
      }
      all[ExactText(url)] = known
    }
    return all
  }

  // MARK: Runs and requests

  private mutating func run(_ node: Node, _ files: Files) -> RecordedRun {
    var run = RecordedRun()
    guard let mapping = mapping(node, "a run") else { return run }
    for (key, _, node) in entries(mapping, CaseKey.Run.self) {
      switch key {
      case .now: run.now = time(node, key.rawValue)
      case .requests:
        run.requests = list(node, key.rawValue).compactMap { request($0, files) }
      case .transfer: run.transfer = transfer(node)
      }
    }
    return run
  }

  private mutating func request(_ node: Node, _ files: Files) -> RecordedRequest? {
    guard let mapping = mapping(node, "a request") else { return nil }
    let problemCount = problems.count
    var request = RecordedRequest(url: "", end: .answer(RecordedAnswer(status: 200)))
    var endNodes: [Node] = []
    var detail: Node?
    var hasFault = false
    for (key, keyNode, node) in entries(mapping, CaseKey.Request.self) {
      let name = key.rawValue
      switch key {
      case .url: request.url = text(node, name) ?? ""
      case .method: request.method = text(node, name)?.uppercased() ?? "GET"
      case .headers: request.headers = headers(node)
      case .body: request.body = text(node, name).map { RecordedBody(Array($0.utf8)) }
      case .bodyFile: request.body = body(node, files)
      case .times: request.times = count(node, name, 1...10_000) ?? 1
      case .detail: detail = node
      case .answer:
        request.end = .answer(answer(node, files))
        endNodes.append(keyNode)
      case .fault:
        hasFault = true
        request.end = fault(node) ?? request.end
        endNodes.append(keyNode)
      }
    }
    // If the URL or the answer is missing, its key may be misspelled. Such a mistake has already
    // been reported.
    let isSound = problems.count == problemCount
    if request.url.isEmpty, isSound { note(node, "the request has no url; add url: ADDRESS") }
    if endNodes.isEmpty, isSound {
      note(node, "the request has no answer; add `answer` or `fault`")
    }
    if endNodes.count > 1 {
      note(
        endNodes[1],
        "a request cannot have both `answer` and `fault`; remove one")
    }
    if let detail {
      if hasFault {
        set(detail, in: &request)
      } else {
        note(detail, "`detail` is only allowed with `fault`; remove it or add `fault`")
      }
    }
    return request
  }

  private mutating func fault(_ node: Node) -> RecordedEnd? {
    choice(node, "fault", RecordedFault.self).map { .fault($0, detail: nil) }
  }

  private mutating func set(_ detail: Node, in request: inout RecordedRequest) {
    let words = text(detail, "detail")
    // An invalid fault has left the request's end unchanged, so the end may be an answer.
    if case .fault(let fault, _) = request.end { request.end = .fault(fault, detail: words) }
  }

  private mutating func answer(_ node: Node, _ files: Files) -> RecordedAnswer {
    var answer = RecordedAnswer(status: 200)
    if case .scalar = node {
      answer.status = status(node)
      return answer
    }
    guard let mapping = mapping(node, "an answer") else { return answer }
    for (key, _, node) in entries(mapping, CaseKey.Answer.self) {
      switch key {
      case .status: answer.status = status(node)
      case .headers: answer.headers = headers(node)
      case .body: answer.body = RecordedBody(Array((text(node, key.rawValue) ?? "").utf8))
      case .bodyFile: answer.body = body(node, files) ?? answer.body
      }
    }
    return answer
  }

  private mutating func status(_ node: Node) -> Int { count(node, "status", 200...999) ?? 200 }

  private mutating func headers(_ node: Node) -> [HTTPField] {
    var fields: [HTTPField] = []
    guard let mapping = mapping(node, "headers") else { return fields }
    for (key, child) in mapping {
      guard let name = key.string else {
        note(key, "a header's name must be a string")
        continue
      }
      fields += texts(child, name).map { HTTPField(name, $0.text) }
    }
    return fields
  }

  private mutating func body(_ node: Node, _ files: Files) -> RecordedBody? {
    guard let name = text(node, "body_file") else { return nil }
    switch files(name) {
    case .success(let bytes): return RecordedBody(bytes, file: name)
    case .failure(let problem):
      note(node, "body_file: \(name) \(problem.message)")
      return nil
    }
  }

  // MARK: Kinds

  private mutating func list(_ node: Node, _ what: String) -> [Node] {
    if case .sequence(let list, _) = node { return list }
    note(node, "\(what) must be a list")
    return []
  }

  mutating func object(_ node: Node, _ what: String) -> ValueObject? {
    guard case .mapping = node, let object = value(node).objectValue else {
      note(node, "\(what) must be a mapping of names and values")
      return nil
    }
    return object
  }

  /// Returns the bytes of a SHA-256 that is written as 64 hexadecimal digits. Reports any other
  /// value and returns nil.
  mutating func sha256(_ node: Node, _ key: String) -> [UInt8]? {
    guard let text = text(node, key) else { return nil }
    if let hash = Hexadecimal.bytes(of: Array(text.utf8)), hash.count == 32 { return hash }
    note(node, "\(key) must be 64 hexadecimal digits")
    return nil
  }

  mutating func time(_ node: Node, _ key: String) -> Timestamp? {
    guard let text = text(node, key) else { return nil }
    let time = Timestamp(rfc3339: text)
    if time == nil { note(node, "\(key) must be a time such as 2026-11-20T10:00:00Z") }
    return time
  }
}
