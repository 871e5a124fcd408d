import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct GrantRuleTests {
  private static let then = Timestamp(seconds: 1_000)
  private static let now = Timestamp(seconds: 2_000)
  private static let a = AskedPermission.reach("a.example")
  private static let b = AskedPermission.reach("b.example")

  private static func claim(
    _ asked: [AskedPermission], hash: UInt8 = 1, plugin: String = "news",
    allowance: Allowance = Allowance(), refused: [AskedPermission] = [], isAgreed: Bool = false,
    lacking: [String] = []
  ) -> GrantRule.Claim {
    GrantRule.Claim(
      plugin: plugin, hash: [hash], asked: AskedPermissions(asked), allowance: allowance,
      refused: refused, isAgreed: isAgreed, lacking: lacking)
  }

  private static func pin(
    _ granted: [AskedPermission], hash: UInt8 = 1, plugin: String = "news",
    at: Timestamp = then, source: PinnedGrant.Source = .firstRun
  ) -> PinnedGrant {
    PinnedGrant(
      plugin: plugin, hash: [hash], granted: AskedPermissions(granted), at: at, source: source)
  }

  private static func allowing(_ hosts: String...) -> Allowance {
    var allowance = Allowance()
    allowance.hosts = hosts.compactMap { HostPattern($0) }
    return allowance
  }

  static let cases: [(claim: GrantRule.Claim, pin: PinnedGrant?, decision: GrantDecision)] = [
    // A new plugin gets what it requests, because the user has named the plugin in the config or on
    // the command line.
    (claim([a]), nil, .runs(keeping: pin([a], at: now))),
    (claim([]), nil, .runs(keeping: pin([], at: now))),
    (claim([a], isAgreed: true), nil, .runs(keeping: pin([a], at: now, source: .commandLine))),
    // An unchanged file keeps its grant.
    (claim([a]), pin([a]), .runs(keeping: nil)),
    (claim([a], isAgreed: true), pin([a]), .runs(keeping: nil)),
    // An unchanged file runs with a smaller stored grant, because its requests were approved
    // before.
    (claim([a, b]), pin([a]), .runs(keeping: nil)),
    // An unchanged file runs if its grant was stored by hostname when that included every port.
    (
      claim([a, .reach("a.example:8080")]), pin([a]),
      .runs(keeping: pin([a, .reach("a.example:8080")]))
    ),
    (claim([.reach("https://a.example")]), pin([a]), .runs(keeping: nil)),
    (claim([.reach("a.example:8080")]), pin([.reach("a.example:*")]), .runs(keeping: nil)),
    // A changed file requests another port.
    (
      claim([a, .reach("a.example:8080")], hash: 2), pin([a]),
      .beyondGrant([.reach("a.example:8080")])
    ),
    (
      claim([.reach("https://a.example")], hash: 2), pin([a]),
      .runs(keeping: pin([a, .reach("https://a.example")], hash: 2))
    ),
    // A changed file has the same, fewer or narrower requests.
    (claim([a], hash: 2), pin([a]), .runs(keeping: pin([a], hash: 2))),
    (claim([], hash: 2), pin([a]), .runs(keeping: pin([a], hash: 2))),
    (claim([b], hash: 2), pin([a, b]), .runs(keeping: pin([a, b], hash: 2))),
    (
      claim([a], hash: 2), pin([.reach("*.example")], source: .agreement),
      .runs(keeping: pin([.reach("*.example"), a], hash: 2, source: .agreement))
    ),
    // A changed file has more requests.
    (claim([a, b], hash: 2), pin([a]), .beyondGrant([b])),
    (claim([b], hash: 2), pin([a]), .beyondGrant([b])),
    (claim([.keepFiles], hash: 2), pin([]), .beyondGrant([.keepFiles])),
    (
      claim([a, b], hash: 2, isAgreed: true), pin([a]),
      .runs(keeping: pin([a, b], hash: 2, at: now, source: .commandLine))
    ),
    // Another plugin is a new choice of the user.
    (claim([b], plugin: "other"), pin([a]), .runs(keeping: pin([b], plugin: "other", at: now))),
    // `allow` alone decides the kinds that it names.
    (
      claim([a, b], hash: 2, allowance: allowing("a.example", "b.example")), pin([a]),
      .runs(keeping: pin([a, b], hash: 2))
    ),
    (
      claim([a, b], hash: 2, allowance: allowing("a.example"), refused: [b]), pin([a]),
      .beyondAllowance([b])
    ),
    (claim([a, b], allowance: allowing("a.example"), refused: [b]), nil, .beyondAllowance([b])),
    (
      claim([a, b], allowance: allowing("a.example"), refused: [b], isAgreed: true), pin([a, b]),
      .beyondAllowance([b])
    ),
    (
      claim([b, .keepFiles], hash: 2, allowance: allowing("b.example")), pin([a]),
      .beyondGrant([.keepFiles])
    ),
    // Missing values are reported when no approval is missing, and nothing is stored.
    (claim([a], lacking: ["x is missing"]), nil, .lacking(["x is missing"])),
    (claim([a], hash: 2, lacking: ["x is missing"]), pin([a]), .lacking(["x is missing"])),
    (claim([a, b], hash: 2, lacking: ["x is missing"]), pin([a]), .beyondGrant([b])),
    (claim([a], refused: [a], lacking: ["x is missing"]), pin([a]), .beyondAllowance([a])),
  ]

  @Test(arguments: cases.indices) func `each case has the expected decision`(index: Int) {
    let (claim, pin, decision) = Self.cases[index]
    #expect(GrantRule.decide(claim, pin, now: Self.now) == decision)
  }

  /// The test uses all sequences of three versions with any of three permissions. No run has a
  /// permission that was not granted, and no run is held needlessly.
  @Test func `over all histories a run has only granted permissions`() {
    let permissions: [AskedPermission] = [
      .reach("a.example"), .send(secret: "s", to: "a.example"), .keepFiles,
    ]
    let files: [[AskedPermission]] = (0..<8).map { bits in
      permissions.indices.filter { bits >> $0 & 1 == 1 }.map { permissions[$0] }
    }
    for first in files {
      for second in files {
        for third in files {
          var pin: PinnedGrant?
          var granted: Set<AskedPermission> = []
          for (number, asked) in [first, second, third, second].enumerated() {
            let hash = UInt8(files.firstIndex(of: asked) ?? 0)
            let isAgreed = number == 3
            let decision = GrantRule.decide(
              Self.claim(asked, hash: hash, isAgreed: isAgreed), pin, now: Self.now)
            let isMore = !Set(asked).isSubset(of: granted)
            switch decision {
            case .runs(let kept):
              #expect(number == 0 || isAgreed || !isMore)
              if let kept { pin = kept }
              if number == 0 || isAgreed && kept != nil { granted = Set(asked) }
            case .beyondGrant(let more):
              #expect(number > 0 && !isAgreed)
              #expect(Set(more) == Set(asked).subtracting(granted) && !more.isEmpty)
            case .beyondAllowance, .lacking:
              Issue.record("the decision was about allow or a missing value")
            }
          }
        }
      }
    }
  }

  @Test func `an unreadable grant grants nothing`() {
    let torn = PinnedGrant(
      plugin: "news", hash: [1], text: #"[{"reach":"#, at: Self.then, source: .firstRun)
    #expect(
      GrantRule.decide(Self.claim([Self.a], hash: 2), torn, now: Self.now) == .beyondGrant([Self.a])
    )
    #expect(GrantRule.decide(Self.claim([Self.a]), torn, now: Self.now) == .runs(keeping: nil))
  }

  @Test func `a grant is read back from its text`() {
    let granted: [AskedPermission] = [
      Self.a, .read("/srv/\"é\n"), .send(secret: "s", to: "*"), .keepFiles,
    ]
    #expect(Self.pin(granted).granted.all == granted)
  }

  @Test func `a refusal lists the requests and what to do`() {
    let more = GrantDecision.beyondGrant([Self.b, .keepFiles])
    #expect(
      more.failure(of: .job("job"), file: "plugins/news.lua", suggested: SuggestedCommand())
        == Failure(
          .permission,
          "plugins/news.lua has changed and asks for more than was granted: to reach b.example, to "
            + "keep files in the job's folder; the file has not run: see `fetchrun "
            + "diff-permissions job`, and allow it with `fetchrun grant job`"))
    let many = GrantDecision.beyondAllowance((1...7).map { .reach("h\($0).example") })
    #expect(
      many.failure(of: .job("job"), file: "news.lua", suggested: SuggestedCommand())
        == Failure(
          .permission,
          "news.lua asks to reach h1.example, to reach h2.example, to reach h3.example, to reach "
            + "h4.example, to reach h5.example and 2 more, which `allow` does not permit for the"
            + " job 'job'; "
            + "the file has not run: add this to `allow` of the job in the config if you trust "
            + "the file"))
    let free = GrantDecision.runs(keeping: nil)
    #expect(free.failure(of: .job("job"), file: "news.lua", suggested: SuggestedCommand()) == nil)
    let lacking = GrantDecision.lacking(["the secret 'a' is missing", "option 'b' is required"])
    #expect(
      lacking.failure(of: .hook("room"), file: "room.lua", suggested: SuggestedCommand())
        == Failure(
          .invalidOption,
          "room.lua has not run, because options or secrets of the hook 'room' are missing or "
            + "invalid: the secret 'a' is missing; option 'b' is required"))
  }

  @Test func `only secrets in allow may be used, and only for their granted hostnames`() {
    var allowance = Allowance()
    allowance.secrets = ["token"]
    let token = AskedPermission.send(secret: "token", to: "a.example")
    let elsewhere = AskedPermission.send(secret: "token", to: "b.example")
    let other = AskedPermission.send(secret: "other", to: "a.example")
    #expect(allowance.isBinding)
    #expect(allowance.permits(token) == nil)
    #expect(allowance.permits(other) == false)
    let changed = Self.claim([token, other], hash: 2, allowance: allowance)
    // A refused request needs no approval.
    #expect(GrantRule.decide(changed, Self.pin([token]), now: Self.now).isRun)
    let sent = Self.claim([token, elsewhere], hash: 2, allowance: allowance)
    #expect(
      GrantRule.decide(sent, Self.pin([token]), now: Self.now) == .beyondGrant([elsewhere]))
    allowance.boundSecrets = ["token", "other"]
    #expect(allowance.permits(elsewhere) == true)
    #expect(allowance.permits(other) == false)
  }
}
