import FetchConfig
import FetchValues
import Testing

/// Tests that the schema, which editors use, accepts the same configs as fetchrun's reader. The
/// cases are JSON, which is also YAML.
struct SchemaAgreementTests {
  private static let check = SchemaCheck(root: ConfigSchema.value)

  private func agree(_ text: String, isRight: Bool) throws {
    #expect(try ConfigFolder.problems(text).isEmpty == isRight, "the reader on \(text)")
    #expect(try Self.check.accepts(JSONReader.decode(text)) == isRight, "the schema on \(text)")
  }

  static let right: [(key: String, values: [String])] = [
    ("name", [#""b""#, "12", "true"]), ("plugin", [#""./rss.lua""#]),
    (
      "interval",
      [
        #""never""#, #""adaptive""#, #""15m""#, #""1h30m""#, #""1.5h""#, #"" 2d ""#, #""1s""#,
        #""0 7 * * mon-fri""#, #""*/15 7-22 * * *""#, #""@daily""#, #""1w 2d 3h 4m 5s 6ms""#,
        #""005 00,12-18/2 1,15 jan-MAR,12 0-7""#, #""  0\t7 *\t* fri-sun ""#,
        #""59 23 31 */12 */7""#,
      ]
    ),
    ("jitter", [#""0s""#, #""5m""#, #""1 m""#, #""1d""#, #""24h""#, #""0023.5h""#]),
    (
      "between",
      [#""07:00-22:00""#, #""7:00 - 9:30""#, #""22:00-6:00""#, #"["0:00-24:00","1:00-0:00"]"#]
    ),
    ("days", [#""mon-fri""#, #""Sat, sunday""#, #""weekdays""#, #"["fri-mon","daily"]"#]),
    ("zone", [#""Europe/Berlin""#, #""UTC""#]),
    ("timeout", [#""30s""#, #""1d""#, #""1m30s""#, #""500ms""#]),
    (
      "limits",
      [
        "{}", #"{"window":"30s"}"#, #"{"cpu":"5s"}"#, #"{"memoryBytes":"64MB"}"#,
        #"{"memoryBytes":1048576}"#, #"{"bodyBytes":"1.5 MiB"}"#, #"{"hostCalls":0}"#,
        #"{"nesting":120,"items":1000000}"#, #"{"logBytes":0}"#, #"{"decompressionRatio":10}"#,
      ]
    ),
    ("priority", [#""low""#, "1", "99", #""50""#]),
    (
      "budget",
      [
        #"{"requests":"600/h"}"#, #"{"requests":["600 / h","5000/d"]}"#, #"{"bytes":"20MB/h"}"#,
        #"{"cpu":"1m30s/h","run_time":"2h/d"}"#, #"{"requests":"10/d","bytes":"0.5MB/h"}"#,
      ]
    ),
    ("conditions", [#""network""#, #"["ac-power","load below 4"]"#, #""load < 0.5""#]),
    ("first_run", [#""all""#, #""baseline""#, #""latest:1""#, #""latest:010""#]),
    ("catch_up", [#""one""#, #""staggered""#]), ("watch", [#""a""#, #"["a",12]"#]),
    ("enabled", ["true", "false"]),
    (
      "hosts",
      [
        #""a.example""#, #"["*.a.example","*"]"#, #"["xn--bcher-kva.example.","127.0.0.1"]"#,
        #""::1""#, #"["a.example:8080","https://a.example","HTTP://*.a.example:1"]"#,
        #"["[::1]","[::1]:65535","https://[::1]","https://::1","*:*","https://*","a:65499"]"#,
      ]
    ),
    (
      "allow_private",
      [
        "true", "false", #""10.0.0.0/8""#, #"["fd00::/8","192.168.1.5","::1","::/0"]"#,
        #""fe80::/128""#, #""0.0.0.0/0""#,
      ]
    ),
    ("isolation", [#""run""#]), ("files", [#"{"bytes":"10GB","count":5,"root":"x"}"#]),
    ("options", ["{}", #"{"url":"x","n":[1,null]}"#]),
  ]

  static let wrong: [(key: String, values: [String])] = [
    ("name", ["null", "[]", "{}"]), ("plugin", ["null", "[]"]),
    (
      "interval",
      [
        "15", "null", "[]", #""15""#, #""soon""#, #""@never""#, #""5 * * *""#, #""500ms""#,
        #""0s""#, #""m""#, #""30m1h""#, #""1x""#, #""""#,
        #""*/0 * * * *""#, #""* * 0 * *""#, #""60 * * * *""#, #""0 24 * * *""#, #""0 7 * * 8""#,
        #""0 7 ? * *""#, #""5/10 * * * *""#, #""0 7 * jän *""#, #""0 7 mon * *""#, #""0 7 * * 1,""#,
        #""*/60 * * * *""#, #""0 7 32 * *""#,
      ]
    ),
    ("jitter", ["5", #""5""#, #""1m1h""#, #""-5m""#, "true", #""25h""#, #""2d""#]),
    (
      "between",
      [
        "7", #""07:00""#, #""07:00-25:00""#, #""24:00-6:00""#, #""7-9""#, #""07:60-08:00""#,
        #""07:00-07:00""#, "{}", #"["07:00-22:00",5]"#,
      ]
    ),
    ("days", ["1", #""mo-fr""#, #""mon -fri""#, #""""#, #"["mon","x"]"#, "[]"]),
    ("zone", ["1", "true", "[]", #""Europe/ Berlin""#]),
    ("timeout", ["30", #""30""#, #""0s""#, #""2d""#, #""1w""#, "null", #""25h""#, #""100 h""#]),
    (
      "limits",
      [
        "[]", #"{"window":30}"#, #"{"window":"0s"}"#, #"{"cpu":5}"#, #"{"memoryBytes":true}"#,
        #"{"memoryBytes":1}"#, #"{"memoryBytes":"64"}"#, #"{"memoryBytes":"1.2.3MB"}"#,
        #"{"hostCalls":"5"}"#, #"{"hostCalls":-1}"#, #"{"nesting":121}"#, #"{"items":1.5}"#,
        #"{"windows":"30s"}"#,
      ]
    ),
    ("priority", ["0", "100", #""highest""#, "1.5", "[]"]),
    (
      "budget",
      [
        #"{"requests":600}"#, #"{"requests":"600"}"#, #"{"requests":"600/w"}"#,
        #"{"bytes":"20/h"}"#, #"{"cpu":"20MB/h"}"#, #"{"runs":5}"#, "5",
        #"{"requests":"0/h"}"#, #"{"requests":["600/h","00 / d"]}"#, #"{"bytes":"0B/h"}"#,
        #"{"bytes":"0.0MB/d"}"#, #"{"cpu":"0s/h"}"#, #"{"run_time":"0h0m/d"}"#,
      ]
    ),
    (
      "conditions",
      [
        "5", #""power""#, #""load below 0""#, #""load below x""#, #""load below 1e3""#,
        #""load below 4.""#,
      ]
    ),
    (
      "first_run",
      [#""none""#, #""latest""#, #""latest:0""#, #""latest:-1""#, #""latest:+5""#, #""latest:٣""#]
    ),
    ("catch_up", ["1", #""some""#]), ("watch", ["null", "{}", "[null]"]),
    (
      "hosts",
      [
        #""http://a.example/""#, #""a.example:0""#, #""a.example:65536""#, #""a.example:""#,
        #""ftp://a.example""#, #""a.example:080""#, #""[::1]80""#, #""https://""#,
        #""a.example/b""#, #""*a.example""#, #""a@b.example""#, #""a b""#,
        #""bücher.example""#,
        #"["a.example",""]"#,
      ]
    ),
    (
      "allow_private",
      [
        "5", "null", #""10.0.0.0/33""#, #""10.0.0.0/99""#, #""10.0.0""#, #""fd00::/129""#,
        #""home""#, #"["10.0.0.0/8",""]"#, #""10.0.0.0/08""#,
      ]
    ),
    ("enabled", ["1", #""true""#, "null", "[]"]), ("isolation", ["true", #""process""#]),
    (
      "files",
      [#"{"bytes":10}"#, #"{"bytes":"10"}"#, #"{"count":0}"#, #"{"count":"5"}"#, #"{"x":1}"#]
    ),
    ("options", ["[]", "5", "null"]), ("unknown", ["1"]),
  ]

  private func job(_ key: String, _ value: String) -> String {
    var members = ["name": #""a""#, "plugin": #""rss""#]
    members[key] = value
    let text = members.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }.joined(separator: ", ")
    return "{\"jobs\": [{\(text)}]}"
  }

  @Test(arguments: right) func `the schema and the reader accept a valid job`(
    key: String, values: [String]
  ) throws {
    for value in values { try agree(job(key, value), isRight: true) }
  }

  @Test(arguments: wrong) func `the schema and the reader refuse an invalid job`(
    key: String, values: [String]
  ) throws {
    for value in values { try agree(job(key, value), isRight: false) }
  }

  @Test(arguments: [
    #"{"store":"x"}"#, #"{"keep_failed":3}"#, #"{"budget":{"runs":5,"requests":"5/h"}}"#,
    #"{"lanes":{"*":{"connections":2,"gap":"500ms"}}}"#, #"{"plugins":["a","b"]}"#,
    #"{"transfers":{"at_once":4,"order":"queued","speed":"1MB"}}"#, #"{"allow_read":"x"}"#,
    #"{"defaults":{"interval":"1h","timeout":"30s"}}"#,
    #"{"hooks":[{"name":"a","on":"added","file":"x.jsonl","rate":"10/h"}]}"#,
  ]) func `the schema and the reader accept a valid file`(text: String) throws {
    try agree(text.dropLast() + #","jobs":[]}"#, isRight: true)
  }

  @Test(arguments: [
    #"{"store":null}"#, #"{"keep_failed":-1}"#, #"{"budget":{"runs":0}}"#, #"{"budget":[]}"#,
    #"{"budget":{"requests":"0/h"}}"#, #"{"defaults":{"budget":{"cpu":"0m/d"}}}"#,
    #"{"hooks":[{"name":"a","on":"added","file":"x.jsonl","rate":"0/h"}]}"#,
    #"{"hooks":[{"name":"a","on":"added","file":"x.jsonl","rate":["10/h","20/d"]}]}"#,
    #"{"lanes":{"*":{"gap":1}}}"#, #"{"lanes":{"*":{"gap":"2d"}}}"#,
    #"{"lanes":{"*":{"connections":"2"}}}"#, #"{"plugins":{}}"#,
    #"{"transfers":{"speed":"1.MB"}}"#, #"{"transfers":{"order":"last"}}"#,
    #"{"defaults":{"name":"a"}}"#, #"{"stoer":"x"}"#,
  ]) func `the schema and the reader refuse an invalid file`(text: String) throws {
    try agree(text.dropLast() + #","jobs":[]}"#, isRight: false)
  }

  @Test func `texts may contain variables`() throws {
    let text = job("interval", #""${EVERY}""#)
    #expect(try ConfigFolder.problems(text, environment: ["EVERY": "5m"]).isEmpty)
    #expect(try Self.check.accepts(JSONReader.decode(text)))
  }
}
