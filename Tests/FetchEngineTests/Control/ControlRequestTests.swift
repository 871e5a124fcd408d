import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct ControlRequestTests {
  private static let grant = PinnedGrant(
    plugin: "./é.lua", hash: [0, 255],
    granted: AskedPermissions([.reach("a.example"), .send(secret: "s", to: "*"), .keepFiles]),
    at: Timestamp(milliseconds: 1_500), source: .agreement)
  private static let granted =
    #"{"verb":"grant","jobs":["a"],"plugin":"./é.lua","name":"news","hash":"00ff","asks":["#
    + #"{"reach":"a.example"},{"secret":"s","to":"*"},{"keep":"files"}],"at":1500}"#

  private static let guest: GuestRequest = {
    var guest = GuestRequest(job: "rss-1", plugin: "rss", file: "/p/rss.lua", hash: [1, 255])
    guest.options = ["url=https://a.example/"]
    guest.secrets = ["token=stored:t"]
    guest.readPaths = ["/in"]
    guest.privateBlocks = ["10.0.0.0/8"]
    guest.firstRun = .latest(2)
    return guest
  }()
  private static let guested =
    #"{"verb":"guest","jobs":["rss-1"],"plugin":"rss","file":"/p/rss.lua","hash":"01ff","#
    + #""options":["url=https://a.example/"],"read":["/in"],"root":null,"#
    + #""secrets":["token=stored:t"],"private":false,"blocks":["10.0.0.0/8"],"isolated":false,"#
    + #""first":"latest:2","named":true}"#

  private static let filter: StatusFilter = {
    var filter = StatusFilter()
    filter.states = [.waiting, .backOff]
    filter.match = "n*"
    filter.isFailing = true
    filter.after = "m"
    filter.limit = 1000
    return filter
  }()

  static let pairs: [(ControlRequest, String)] = [
    (.status(job: nil), #"{"verb":"status"}"#),
    (.status(job: "a"), #"{"verb":"status","jobs":["a"]}"#),
    (.explain(job: "a\nb"), #"{"verb":"explain","jobs":["a\nb"]}"#),
    (.push(jobs: ["a", "b"]), #"{"verb":"push","jobs":["a","b"]}"#),
    (.subscriptions, #"{"verb":"subscriptions"}"#),
    (.renew(ids: [7, 9]), #"{"verb":"renew","ids":[7,9]}"#),
    (
      .subscription(id: 7, .verified(leaseSeconds: 60)),
      #"{"verb":"subscription","ids":[7],"event":"verified","lease":60}"#
    ),
    (
      .subscription(id: 7, .verified(leaseSeconds: nil)),
      #"{"verb":"subscription","ids":[7],"event":"verified","lease":null}"#
    ),
    (
      .subscription(id: 7, .denied(reason: "é")),
      #"{"verb":"subscription","ids":[7],"event":"denied","reason":"é"}"#
    ),
    (.subscription(id: 7, .pushed), #"{"verb":"subscription","ids":[7],"event":"pushed"}"#),
    (.pushRule(job: "a"), #"{"verb":"pushRule","jobs":["a"]}"#),
    (.run(.all, skipsInterval: true), #"{"verb":"run","now":true}"#),
    (.run(.named(["é"]), skipsInterval: false), #"{"verb":"run","jobs":["é"],"now":false}"#),
    (
      .run(.all, skipsInterval: true, waits: true), #"{"verb":"run","now":true,"wait":true}"#
    ),
    (.pause(.all), #"{"verb":"pause"}"#),
    (.pause(.named(["a"])), #"{"verb":"pause","jobs":["a"]}"#),
    (.resume(.named(["a"])), #"{"verb":"resume","jobs":["a"]}"#),
    (
      .status(job: nil, filter),
      #"{"verb":"status","state":["waiting","backOff"],"match":"n*","failing":true,"#
        + #""after":"m","limit":1000}"#
    ),
    (.overview, #"{"verb":"overview"}"#),
    (.plan(jobs: ["a", "b"], hours: 168), #"{"verb":"plan","jobs":["a","b"],"hours":168}"#),
    (.lanes, #"{"verb":"lanes"}"#),
    (.doctor, #"{"verb":"doctor"}"#),
    (.metrics(.first(0)), #"{"verb":"metrics"}"#),
    (.metrics(.first(200)), #"{"verb":"metrics","limit":200}"#),
    (.metrics(.named(["a"])), #"{"verb":"metrics","jobs":["a"]}"#),
    (.watch, #"{"verb":"watch"}"#),
    (.budget, #"{"verb":"budget"}"#),
    (.reload, #"{"verb":"reload"}"#),
    (.transfers(.cancel, ids: [7, 9]), #"{"verb":"transfers","cancel":[7,9]}"#),
    (.transfers(.retry, ids: [1]), #"{"verb":"transfers","retry":[1]}"#),
    (.guest(guest), guested),
    (.grant(of: .job("a"), grant, manifestName: "news"), granted),
    (
      .grant(of: .hook("a"), grant, manifestName: "news"),
      granted.replacing(#""jobs":["a"]"#, with: #""hook":"a""#)
    ),
  ]

  @Test(arguments: pairs) func `a request becomes one line of JSON and is read back`(
    request: ControlRequest, text: String
  ) throws {
    let line = try request.line()
    #expect(String(decoding: line, as: UTF8.self) == text + "\n")
    #expect(try ControlRequest(line: line.dropLast()) == request)
  }

  @Test(arguments: [
    (
      "",
      "the request is not JSON: invalid JSON at line 1 column 1: the text ends before a value is "
        + "complete"
    ),
    ("[]", "the request has no verb"),
    (#"{"verb":7}"#, "the request has no verb"),
    (#"{"verb":"psuh"}"#, "the request has the unknown verb 'psuh' (did you mean 'push'?)"),
    (#"{"verb":"push"}"#, "the request names no job"),
    (#"{"verb":"explain"}"#, "the request names no job"),
    (
      #"{"verb":"pause","jobs":[]}"#,
      "the request has an invalid `jobs`: use a list of at least one name"
    ),
    (
      #"{"verb":"pause","jobs":"a"}"#,
      "the request has an invalid `jobs`: use a list of at least one name"
    ),
    (
      #"{"verb":"pause","jobs":["a",1]}"#,
      "the request has an entry in `jobs` that is not a string"
    ),
    (#"{"verb":"status","jobs":["a","b"]}"#, "the request names more than one job"),
    (
      #"{"verb":"status","state":"waitng"}"#,
      "the request has the unknown state 'waitng' (did you mean 'waiting'?)"
    ),
    (#"{"verb":"status","state":["paused",7]}"#, "the request has the unknown state ''"),
    (
      #"{"verb":"status","state":7}"#,
      "the request has an invalid `state`: use a string or a list of strings"
    ),
    (#"{"verb":"status","limit":0}"#, "the request has an invalid limit: use 1 to 1000"),
    (#"{"verb":"status","limit":"9"}"#, "the request has an invalid limit: use 1 to 1000"),
    (#"{"verb":"status","match":7}"#, "the request has an invalid `match`: use a string"),
    (
      #"{"verb":"status","failing":"true"}"#,
      "the request has an invalid `failing`: use true or false"
    ),
    (#"{"verb":"status","after":["a"]}"#, "the request has an invalid `after`: use a string"),
    (#"{"verb":"plan"}"#, "the request names no job"),
    (
      #"{"verb":"plan","jobs":["a"],"hours":169}"#,
      "the request has an invalid number of hours: use 1 to 168"
    ),
    (#"{"verb":"transfers"}"#, "the request has neither `cancel` nor `retry`"),
    (#"{"verb":"transfers","cancel":[]}"#, "the request needs a list of ids of transfers"),
    (#"{"verb":"transfers","retry":["x",1]}"#, "the request needs a list of ids of transfers"),
    (#"{"verb":"guest","jobs":["a"]}"#, "the request does not describe a valid run of a plugin"),
    (
      guested.replacing("/p/rss.lua", with: "rss.lua"),
      "the request does not describe a valid run of a plugin"
    ),
    (
      guested.replacing("latest:2", with: "latest:0"),
      "the request does not describe a valid run of a plugin"
    ),
    (#"{"verb":"grant"}"#, "the request names no job and no hook"),
    (#"{"verb":"grant","jobs":["a"]}"#, "the request has no valid grant"),
    (granted.replacing("\"00ff\"", with: "\"0ff\""), "the request has no valid grant"),
    (granted.replacing("\"reach\"", with: "\"fly\""), "the request has no valid grant"),
  ]) func `an invalid request gets an answer with the reason`(text: String, message: String) {
    #expect(throws: ControlError(.badRequest, message)) {
      try ControlRequest(line: Array(text.utf8))
    }
  }

  @Test func `hostile bytes of any kind are an error`() {
    var bytes: [UInt8] = Array(#"{"verb":"push","jobs":["a"]}"#.utf8)
    for index in bytes.indices {
      for byte: UInt8 in [0, 0x22, 0x5B, 0x7B, 0xC3, 0xFF] {
        let old = bytes[index]
        bytes[index] = byte
        _ = try? ControlRequest(line: bytes)
        bytes[index] = old
      }
    }
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 60_000)
    #expect(throws: ControlError.self) { try ControlRequest(line: deep) }
  }

  @Test func `a request with too many jobs is not sent`() {
    let jobs = (0..<10_000).map { JobName("a job named \($0)") }
    #expect(
      throws: ControlError(.badRequest, "the request is too long: name fewer jobs or ids")
    ) { try ControlRequest.push(jobs: jobs).line() }
  }

  @Test func `a reply is read back`() throws {
    let lines: [ControlReply] = [
      .line(["job": "a", "n": 1]), .end(.done), .end(.failed("there is no job 'x'", status: 78)),
      .end(.unknownJob("x", among: ["xy"])), .end(.failed("full", code: .tooManyClients)),
    ]
    for line in lines { #expect(try ControlReply(line: line.bytes.dropLast()) == line) }
    #expect(throws: ControlError.self) { try ControlReply(line: Array("{}".utf8)) }
    #expect(throws: ControlError.self) {
      try ControlReply(line: Array(#"{"end":{"status":1e40}}"#.utf8))
    }
  }

  @Test func `a value that JSON cannot express is null in a reply`() throws {
    let bytes = ControlReply.line(["load": .number(.infinity)]).bytes
    #expect(try ControlReply(line: bytes.dropLast()) == .line(.null))
  }
}

extension ControlRequest {
  init(line: ArraySlice<UInt8>) throws { try self.init(line: Array(line)) }
}

extension ControlReply {
  init(line: ArraySlice<UInt8>) throws { try self.init(line: Array(line)) }
}
