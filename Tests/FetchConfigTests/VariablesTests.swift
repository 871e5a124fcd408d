import FetchConfig
import FetchTestSupport
import FetchValues
import Testing

struct VariablesTests {
  static let environment = ["KEY": "k", "PORT": "8080", "EMPTY": "", "YES": "true"]

  static func option(_ written: String) throws -> Value? {
    let config = try ConfigFolder.load(
      "jobs:\n  - name: a\n    plugin: rss\n    options:\n      o: \(written)\n",
      environment: environment)
    return config.jobs[0].options["o"]
  }

  static let cases: [(written: String, value: Value)] = [
    ("${KEY}", "k"), ("https://x/?a=${KEY}&b=$KEY", "https://x/?a=k&b=$KEY"),
    ("${NONE:-fallback}", "fallback"), ("${EMPTY:-fallback}", "fallback"), ("${EMPTY}", ""),
    ("'${NONE:-}'", ""), ("${KEY:?needed}", "k"), ("$${KEY}", "${KEY}"), ("a$$b$", "a$$b$"),
    ("$.items[0]", "$.items[0]"), ("${KEY}${KEY}", "kk"), ("'a }${KEY}{'", "a }k{"),
    // Unquoted text is interpreted after the expansion. Quoted text is always a string.
    ("${PORT}", 8080), ("'${PORT}'", "8080"), ("${YES}", true),
    ("['${KEY}', {b: '${KEY}'}]", ["k", ["b": "k"]]),
  ]

  @Test(arguments: cases) func `variables are expanded`(written: String, value: Value) throws {
    let option = try Self.option(written)
    #expect(option == value || option?.isNull == true && value == "")
  }

  @Test func `the value of a variable is never parsed as YAML`() throws {
    let config = try ConfigFolder.load(
      "jobs:\n  - name: ${N}\n    plugin: rss", environment: ["N": "a: [b] - c # ${X}"])
    #expect(config.jobs[0].name == "a: [b] - c # ${X}")
  }

  /// The first `}` ends a variable, so a nested variable would leave a `}` behind.
  @Test func `a nested variable is refused, even if its outer variable is set`() throws {
    #expect(
      try ConfigFolder.problems(
        """
        store: "${KEY:-${PORT}}"
        jobs: [ { name: a, plugin: rss, options: { key: "${NONE:?set ${KEY}}" } } ]
        """, environment: Self.environment) == [
          "fetchrun.yaml:1:8: invalid variable '${KEY:-${PORT}': variables cannot be nested; use"
            + " plain text after ':-'",
          "fetchrun.yaml:2:49: invalid variable '${NONE:?set ${KEY}': variables cannot be nested;"
            + " use plain text after ':?'",
        ])
  }

  @Test func `a missing variable is reported with its place`() throws {
    let problems = try ConfigFolder.problems(
      """
      store: ${STATE}
      jobs:
        - name: a
          plugin: rss
          timeout: ${EMPTY:?say how long}
          interval: ${EMPTY:?}
          options: { url: "${UR L}", key: ['${KEY'], port: "${1}" }
      """, environment: Self.environment)
    #expect(
      problems == [
        "fetchrun.yaml:1:8: the environment variable STATE is not set; set it, or write"
          + " ${STATE:-default}",
        "fetchrun.yaml:5:14: EMPTY: say how long",
        "fetchrun.yaml:6:15: the environment variable EMPTY is empty; set it, or write"
          + " ${EMPTY:-default}",
        "fetchrun.yaml:7:21: invalid variable '${UR L}': use ${NAME}, ${NAME:-default} or"
          + " ${NAME:?message}, and $${ for a literal ${",
        "fetchrun.yaml:7:38: '${KEY' has no closing '}'; write '$${' for a literal '${'",
        "fetchrun.yaml:7:54: invalid variable '${1}': use ${NAME}, ${NAME:-default} or"
          + " ${NAME:?message}, and $${ for a literal ${",
      ])
  }
}
