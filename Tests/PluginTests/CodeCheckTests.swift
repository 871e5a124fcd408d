import FetchAuthoring
import FetchEngine
import FetchModel
import FetchValues
import Foundation
import Testing

/// Tests of the mistakes that `check` finds in code without running it.
@Suite struct CodeCheckTests {
  private static func problems(_ path: String) async throws -> [String] {
    let bench = try await PluginBench()
    let found: [PluginProblem]
    do { found = CodeCheck.problems(in: try await bench.shelf.file(named: path)) } catch {
      try await bench.close()
      throw error
    }
    try await bench.close()
    return found.map(\.description)
  }

  /// Returns the problems of a plugin with the given text, without the file's path.
  private static func problems(ofText text: String) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "probe.lua")
    try Data(text.utf8).write(to: file)
    return try await problems(file.path).map { $0.replacing(file.path, with: "probe.lua") }
  }

  private static func problems(ofFetch body: String, options: String = "") async throws -> [String]
  {
    try await problems(
      ofText: """
        return {
          api = 1, name = "probe", version = "1.0.0", options = { \(options) },
          permissions = { http = { "a.example" } }, fetch = function(ctx)
        \(body)
          end,
        }
        """)
  }

  // MARK: The same as in a run

  private static let found = [
    "ctx-field-misspelt", "ctx-field-set", "global-is-a-module", "global-misspelt", "io-open",
    "module-function-misspelt", "os-time", "print", "emit-of-a-list", "local-misspelt",
  ]

  @Test(arguments: found) func `the check reports a run's message without a run`(name: String)
    async throws
  {
    let path = MistakeTests.folder.appending(path: name + ".lua").path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let first = try #require(text.split(separator: "\n").first)
    let expected = String(first).replacing("-- expect: ", with: "")
      .replacing("pluginError: ", with: "").replacing("invalidItem: ", with: "")
    let problems = try await Self.problems(path)
    #expect(
      problems.filter { !$0.contains(": warning: ") }
        .map { $0.replacing(MistakeTests.folder.path + "/", with: "") } == [expected])
  }

  @Test func `the hints about Lua's globals are the same as in a run`() async throws {
    let names = PluginInterface.absentGlobals.keys.sorted()
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "absent.lua")
    let text = """
      return {
        api = 1, name = "absent", version = "1.0.0",
        fetch = function(ctx)
          for _, name in ipairs { \(list) } do
            local _, message = pcall(function() return _ENV[name] end)
            ctx:emit { id = name, title = message:match("undefined global.*") }
          end
        end,
      }
      """
    try Data(text.utf8).write(to: file)
    let report = await bench.run(try await bench.job(file.path))
    try await bench.close()
    #expect(report.record.outcome.failure == nil)
    let told = Dictionary(uniqueKeysWithValues: report.lines.map { ($0.key.text, $0.title) })
    for name in names {
      #expect(
        told[name] == "undefined global '\(name)': \(PluginInterface.absentGlobals[name] ?? "")")
    }
  }

  // MARK: Correct code

  @Test func `the shipped plugins and hooks have no findings`() async throws {
    let folder = PluginBench.top.appending(path: "plugins")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      .compactMap { $0 as? String }
      .filter { $0.hasSuffix(".lua") && !$0.contains("lib/") && !$0.contains(".test/") }
    #expect(files.count > 8)
    for file in files {
      #expect(try await Self.problems(folder.appending(path: file).path) == [], "\(file)")
    }
  }

  @Test(arguments: [
    "local a <const>, b = 1, 2 return { { id = a + b } }",
    "local function f(x, ...) return x, ... end return { { id = f(1) } }",
    "for i = 1, 2 do ctx:emit { id = i } end for k, v in pairs {} do ctx.state[k] = v end",
    "count = 0 count = count + 1 return { { id = count } }",
    "total, rest = 1, 2 return { { id = total + rest } }",
    "function helper() return 1 end return { { id = helper() } }",
    "for i = 1, 3 do if i == 2 then goto next end ctx:emit { id = i } ::next:: end",
    "local t = { fetch = 1, ['a b'] = 2; last = 3 } return { { id = t.fetch, title = t.last } }",
    "local text = [==[ undefined ]] here ]==] -- undefined too\n--[[ and\nhere ]] return { { id = text } }",
    "local s = 'it\\'s \\\nfine' return { { id = s .. \"\\\"x\" } }",
    "local n = 0x1p-4 + 1e+3 + .5 return { { id = n } }",
    "local o = {} function o.a.b(x) return x end function o:c() return self end return {}",
    "local url = require 'url' local url = 1 return { { id = url.nothing } }",
    "local each = function(ctx) return ctx.anything end return { { id = each {} } }",
    "repeat local done = true until done return {}",
    "local f <close> = nil return {}",
    "return { { id = _ENV.nothing } }",
  ]) func `valid Lua has no findings`(body: String) async throws {
    #expect(try await Self.problems(ofFetch: body) == [])
  }

  // MARK: Findings

  @Test func `an undeclared option is reported with the declared ones`()
    async throws
  {
    #expect(
      try await Self.problems(
        ofFetch: "return { { id = ctx.options.ulr } }",
        options: "url = { type = \"url\" }, user = {}") == [
          "probe.lua:4: unknown option 'ulr' (did you mean 'url'?); the manifest declares url, user"
        ])
    #expect(
      try await Self.problems(ofFetch: "return { { id = ctx.options.url } }") == [
        "probe.lua:4: unknown option 'url'; the manifest declares none"
      ])
  }

  @Test func `each mistake is reported once, in the order of the lines`() async throws {
    #expect(
      try await Self.problems(
        ofFetch: """
          local http = require "http"
          local a = htpp.get("x")
          local b = http.gte("x")
          local c = htpp.get(ctx.stat)
          """) == [
          Self.nothing,
          "probe.lua:5: undefined global 'htpp': did you mean 'http'?",
          "probe.lua:6: http has no 'gte'; it has delete, get, head, patch, post, put, request",
          "probe.lua:7: ctx has no field 'stat'; it has checkpoint, complete, emit, job, note, options, "
            + "run, secret, state, time_left, transfer, trigger",
        ])
  }

  @Test func `a module is recognised under another name, even if several are required at once`()
    async throws
  {
    #expect(
      try await Self.problems(
        ofFetch: "local h, j = require(\"http\"), require 'json' return { { id = j.parse('') } }")
        == ["probe.lua:4: json has no 'parse'; it has array, decode, encode, null"])
  }

  // MARK: Calls

  @Test(arguments: [
    ("http.get(5)", "http.get needs a URL, got a number"),
    ("http.get(nil)", "http.get needs a URL, got nil"),
    ("http.get { url = \"x\" }", "http.get needs a URL, got a table"),
    ("json.decode({})", "bad argument #1 to 'json.decode' (string expected, got table)"),
    ("json.decode(nil)", "bad argument #1 to 'json.decode' (string expected, got nil)"),
    ("json.decode(1)", "bad argument #1 to 'json.decode' (string expected, got integer)"),
    (
      "url.query(1)",
      "bad argument #1 to 'url.query' (table or string expected, got integer)"
    ),
    ("time.format(\"x\")", "bad argument #1 to 'time.format' (number expected, got string)"),
    ("ipairs(1)", "bad argument #1 to 'ipairs' (table expected, got integer)"),
    ("pairs(\"a\")", "bad argument #1 to 'pairs' (table expected, got string)"),
    (
      "http.get(ctx.job, { header = {}, timeout = 3 })",
      "http.get: unknown option 'header' (did you mean 'headers'?); the options are auth, bearer, body,"
        + " conditional, form, headers, json, method, query, redirects, timeout, url"
    ),
    ("\"a\" + ctx.job", "`+` adds numbers; join strings with `..`"),
    ("1 + \"a\"", "`+` adds numbers; join strings with `..`"),
    ("(\"a\" + #ctx.job)", "`+` adds numbers; join strings with `..`"),
  ]) func `a call with a literal of the wrong type is a finding`(
    call: String, problem: String
  ) async throws {
    let found = try await Self.problems(
      ofFetch: """
        local http, json, time, url = require "http", require "json", require "time", require "url"
        return { { id = tostring(\(call)) } }
        """)
    #expect(found == ["probe.lua:5: \(problem)"])
  }

  @Test(arguments: [
    "json.decode(ctx.job)", "json.decode('[]')", "json.encode({}, { sort = true })",
    "json.encode(nil)", "json.encode 'x'", "time.format(0)", "time.format(0.5, '%Y')",
    "http.get(ctx.job .. '')", "http.get('https://a.example', nil)", "'1' + 2",
    "http.get(('x'):rep(2))", "pairs(setmetatable({}, {}))", "ipairs('a')", "#'abc' + 1",
    "json.decode '1 ' + 1", "ctx.job:find 'x' + 1", "(json.decode) '1 ' + 1",
    "url.query(\"a=1&a=2\").a[2]", "url.query { a = 1 }",
  ]) func `calls that may be valid have no findings`(call: String) async throws {
    let body = """
      local http, json, time, url = require "http", require "json", require "time", require "url"
      return { { id = tostring(\(call)) } }
      """
    #expect(try await Self.problems(ofFetch: body) == [])
  }

  @Test func `the fields and methods of a module's result are checked`() async throws {
    #expect(
      try await Self.problems(
        ofFetch: """
          local http, html = require "http", require "html"
          local response, problem = http.get(ctx.job)
          local page = html.parse(response)
          if response.staus == 200 then return nil, problem end
          return { { id = response.json(), title = page:txet(), url = page.text() } }
          """) == [
          "probe.lua:7: response is a response and has no field 'staus' (did you mean 'status'?); it"
            + " has body, headers, json, not_modified, ok, same_body, status, url",
          "probe.lua:8: call json with a colon: response:json(…)",
          "probe.lua:8: page is a node and has no method 'txet' (did you mean 'text'?); it has attr,"
            + " attrs, children, css, css_first, find, html, name, namespace, parent, select, text,"
            + " xml",
          "probe.lua:8: call text with a colon: page:text(…)",
        ])
  }

  // MARK: Results

  private static let nothing =
    "probe.lua:3: warning: fetch returns no items and emits none: is `return items` missing at its"
    + " end?"

  @Test(arguments: [
    "local items = {} items[1] = { id = 1 }", "return", "return nil", "return nil, 'no answer'",
    "if ctx.job then return end", "local f = function() return {} end f()",
    "local items = require('helper').fetch(ctx)", "local c = ctx", "return false, 'no answer'",
  ]) func `a fetch that neither returns nor emits items causes a warning`(body: String) async throws
  {
    #expect(try await Self.problems(ofFetch: body) == [Self.nothing])
  }

  @Test(arguments: [
    "ctx:emit { id = 1 }", "if ctx.job then return end return { { id = 1 } }",
    "local function all(c) c:emit { id = 1 } end all(ctx)", "return require('helper')(ctx)",
    "ctx:transfer { url = 'x', to = 'y' }", "ctx:complete()",
    "local items = {} return nil or items", "local items = {} return false or items",
  ]) func `a fetch that may return items causes no warning`(body: String) async throws {
    #expect(try await Self.problems(ofFetch: body) == [])
  }

  @Test(arguments: [
    (
      "return { id = 1 }",
      "fetch returns a table with named fields; it must return a list of items: { item, ... }"
    ),
    (
      "return \"fine\"",
      "fetch returns a string; it must return a list of items, nothing, or nil and a message"
    ),
    (
      "if ctx.job then return true end return {}",
      "fetch returns a boolean; it must return a list of items, nothing, or nil and a message"
    ),
    ("ctx:emit(\"x\")", "emit needs an item (a table), got a string"),
    ("ctx:emit(nil)", "emit needs an item (a table), got nil"),
    (
      "return { \"one\", \"two\" }",
      "item 1 is a string; an item is a table such as { id = …, title = …, url = … }"
    ),
    (
      "return { 1 }",
      "item 1 is a number; an item is a table such as { id = …, title = …, url = … }"
    ),
  ]) func `a result that every run rejects is reported`(body: String, problem: String) async throws
  {
    #expect(try await Self.problems(ofFetch: body) == ["probe.lua:4: " + problem])
  }

  /// The ways to define the function `fetch` of a plugin. `helper` is Lua code with another
  /// function named `fetch`, which is not the plugin's function.
  private static let forms: [(helper: String, form: String)] = [
    (
      "local function fetch(page) return page.text end",
      "return { api = 1, name = 'probe', version = '1.0.0', fetch = function(ctx) BODY end }"
    ),
    (
      "local fetch = function() return 'text' end",
      "local all = function(ctx) BODY end"
        + " return { api = 1, name = 'probe', version = '1.0.0', fetch = all }"
    ),
    (
      "local cache = { fetch = function() return 'text' end } function cache.fetch() return 1 end",
      "local function fetch(ctx) BODY end"
        + " return { api = 1, name = 'probe', version = '1.0.0', fetch = fetch }"
    ),
    (
      "local function each() local function fetch() return 'text' end return fetch() end",
      "local plugin = { api = 1, name = 'probe', version = '1.0.0' }"
        + " function plugin.fetch(ctx) BODY end return plugin"
    ),
    (
      "local t = { fetch = function() end }",
      "local plugin = { api = 1, name = 'probe', version = '1.0.0' }"
        + " plugin.fetch = function(ctx) BODY end return plugin"
    ),
    (
      "local t = { fetch = function() return 1 end }",
      "local plugin = { api = 1, name = 'probe', version = '1.0.0',"
        + " fetch = function(ctx) BODY end } return plugin"
    ),
  ]

  @Test func `a function that returns the plugin's fetch is not checked as fetch`() async throws {
    let text = """
      local function cached(f) if f then return f end return 'text' end
      return {
        api = 1, name = "probe", version = "1.0.0", fetch = cached(function(ctx) return {} end),
      }
      """
    #expect(try await Self.problems(ofText: text) == [])
  }

  @Test(arguments: forms.indices)
  func `of several functions named fetch, only the plugin's own is checked`(index: Int) async throws
  {
    let (helper, form) = Self.forms[index]
    func problems(_ body: String) async throws -> [String] {
      try await Self.problems(ofText: helper + "\n" + form.replacing("BODY", with: body))
    }
    #expect(try await problems("return {}") == [])
    #expect(
      try await problems("return ctx.stat or 'text'") == [
        "probe.lua:2: ctx has no field 'stat'; it has checkpoint, complete, emit, job, note, options, "
          + "run, secret, state, time_left, transfer, trigger"
      ])
    #expect(
      try await problems("return 'text'") == [
        "probe.lua:2: fetch returns a string; it must return a list of items, nothing, or nil and a"
          + " message"
      ])
    #expect(
      try await problems("return nil") == [
        "probe.lua:2: warning: fetch returns no items and emits none: is `return items` missing at"
          + " its end?"
      ])
  }

  @Test func `a numeric date causes a warning`() async throws {
    #expect(
      try await Self.problems(
        ofFetch: """
          local time = require "time"
          return { { id = 1, published = 1700000000, updated = time.now() } }
          """) == [
          "probe.lua:5: warning: in items, published must be a string with a date: write "
            + "time.format(1700000000)",
          "probe.lua:5: warning: in items, updated must be a string with a date: write "
            + "time.format(time.now())",
        ])
  }

  @Test(arguments: [
    "ctx.state = { updated = 1700000000 }", "local seen = { published = 1, title = 'x' }",
    "local t = { id = 1, sort = function() local a, updated = 1, 2 return a, updated end }",
  ]) func `a number in a table that is not an item causes no warning`(body: String) async throws {
    #expect(try await Self.problems(ofFetch: body + " return {}") == [])
  }

  private static let wrongDate =
    "probe.lua:4: warning: in items, published must be a date in RFC 3339, such as"
    + " 2026-11-20T10:00:00Z, got 'yesterday'"

  @Test(arguments: [
    "return { { id = 1, published = 'yesterday' } }",
    "return { { id = 1 }, { id = { 2 }, published = 'yesterday' } }",
    "ctx:emit { id = 1, published = 'yesterday' }",
    "ctx:emit({ id = 1, published = 'yesterday' })",
    "local items = {} items[#items + 1] = { id = 1, published = 'yesterday' } return items",
    "local items = {} table.insert(items, { published = 'yesterday' }) return items",
  ]) func `a literal that is not a date causes a warning`(body: String) async throws {
    #expect(try await Self.problems(ofFetch: body) == [Self.wrongDate])
  }

  @Test func `a literal that is not an address causes a warning`() async throws {
    #expect(
      try await Self.problems(
        ofFetch: "return { { id = 1, url = 'no url', updated = '20.11.2026' } }") == [
          "probe.lua:4: warning: in items, url must be an address such as https://example.org/1,"
            + " got 'no url'",
          "probe.lua:4: warning: in items, updated must be a date in RFC 3339, such as"
            + " 2026-11-20T10:00:00Z, got '20.11.2026'",
        ])
  }

  @Test(arguments: [
    "return { { id = 1, published = '2026-11-20', updated = '2026-11-20T10:00:00+01:00' } }",
    "return { { id = 1, published = 'yester' .. 'day', url = '' } }",
    "return { { id = 1, published = ('yesterday'):upper(), url = '/a' } }",
    "return { { id = 1, url = 'https://a.example/a b' }, { id = 2, url = 'urn:isbn:1 2' } }",
    "local names = { id = 'guid', published = 'pubDate', url = 'the link' } return {}",
    "local other, items = {}, {} other[#other + 1] = { published = 'x' } return items",
    "return { { id = 1, of = { published = 'yesterday', url = 'no url' } } }",
  ]) func `texts that may be right, and tables that may not be items, cause no warning`(
    body: String
  ) async throws {
    #expect(try await Self.problems(ofFetch: body) == [])
  }

  // MARK: Permissions

  @Test(arguments: [
    ("https://example.org/x", "a.example", "example.org", "example.org"),
    ("http://a.example:8080/", "a.example", "a.example:8080", "a.example:8080"),
    ("http://a.example/", "https://a.example", "http://a.example", "http://a.example"),
    ("http://127.0.0.1:8080/", "a.example", "127.0.0.1", "127.0.0.1:8080"),
  ]) func `a request to an address without a permission causes a warning`(
    url: String, granted: String, place: String, entry: String
  ) async throws {
    let text = """
      local http = require "http"
      return {
        api = 1, name = "probe", version = "1.0.0", permissions = { http = { "\(granted)" } },
        fetch = function(ctx)
          local one = CALL
          local two = http.get("\(url)")
          return { { id = tostring(one), title = tostring(two) } }
        end,
      }
      """
    for call in [
      "http.get(\"\(url)\")", "http.post(\"\(url)\", {})", "http.head \"\(url)\"",
      "http.request { method = \"GET\", url = \"\(url)\" }",
      "http.request({ url = \"\(url)\" })",
    ] {
      #expect(
        try await Self.problems(ofText: text.replacing("CALL", with: call)) == [
          "probe.lua:5: warning: the manifest does not ask to reach \(place); add \"\(entry)\" to"
            + " permissions.http"
        ])
    }
  }

  @Test func `a manifest without permissions gets the whole key`() async throws {
    let text = """
      local http = require "http"
      return {
        api = 1, name = "probe", version = "1.0.0",
        fetch = function(ctx) return http.get("https://example.org/x"):json() end,
      }
      """
    #expect(
      try await Self.problems(ofText: text) == [
        "probe.lua:4: warning: the manifest does not ask to reach example.org; add permissions = {"
          + " http = { \"example.org\" } } to the manifest"
      ])
  }

  @Test(arguments: [
    "http.get('https://A.example/x')", "http.get('https://a.example:443/')",
    "http.get('https://' .. ctx.job)", "http.get('no address')", "http.get('file:///etc/hostname')",
    "http.get('https://b.example/' .. ctx.job)", "http.get(ctx.job)",
    "http.get('https://c.example/')", "http.get('https://b\\x2eexample/')",
  ]) func `a request that may be permitted causes no warning`(call: String) async throws {
    let body = """
      local http = require "http"
      return { { id = tostring(\(call)) } }
      """
    let option = "url = { type = \"url\", default = \"https://c.example/feed\" }"
    let text = """
      return {
        api = 1, name = "probe", version = "1.0.0", options = { \(option) },
        permissions = { http = { "a.example", "{options.url}" } },
        fetch = function(ctx)
      \(body)
        end,
      }
      """
    #expect(try await Self.problems(ofText: text) == [])
  }

  @Test func `a request whose result is not used causes a warning`() async throws {
    let advice = "is not used, so a failure goes unnoticed: write local response, problem ="
    #expect(
      try await Self.problems(
        ofFetch: """
          local http = require "http"
          http.post("https://a.example/", { json = { a = (1) } })
          if ctx.job then http.get(ctx.job) end
          local items = { http.get("https://a.example/") }
          local a, b = http.get("https://a.example/"), not http.get("https://a.example/")
          http.get("https://a.example/"):json()
          return items, a or http.get("https://a.example/"), b
          """) == [
          "probe.lua:5: warning: the result of http.post \(advice) http.post(…)",
          "probe.lua:6: warning: the result of http.get \(advice) http.get(…)",
        ])
  }

  @Test func `for a single letter, no other name is suggested`() async throws {
    #expect(
      try await Self.problems(ofFetch: "local x = 1\nreturn { { id = f, title = x } }")
        == ["probe.lua:5: undefined global 'f'"])
  }

  @Test func `a secret that the manifest does not request is reported`() async throws {
    let text = """
      return {
        api = 1, name = "probe", version = "1.0.0",
        permissions = { http = { "a.example" }, secrets = { token = { hosts = { "a.example" } } } },
        fetch = function(ctx)
          return { { id = tostring(ctx:secret("token")), title = tostring(ctx:secret("tokne")) } }
        end,
      }
      """
    #expect(
      try await Self.problems(ofText: text) == [
        "probe.lua:5: the manifest does not ask for the secret 'tokne' (did you mean 'token'?); "
          + "it asks for token"
      ])
    #expect(
      try await Self.problems(ofFetch: "return { { id = ctx:secret 'key' } }") == [
        "probe.lua:4: the manifest does not ask for the secret 'key'; add it to "
          + "permissions.secrets, with the hosts that may receive it"
      ])
  }
}
