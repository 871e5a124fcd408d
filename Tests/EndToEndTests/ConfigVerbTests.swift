import FetchValues
import Foundation
import Testing

/// Tests of the verbs that read and write the config file, as a user types them.
@Suite struct ConfigVerbTests {
  static let url = "url=https://example.org/feed.xml"

  @Test func `add creates a config that check accepts, and refuses to add the same job twice`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let path = program.folder.path + "/new/fetchrun.yaml"
    let arguments = ["add", "rss", "--option", Self.url, "--config", path]
    let first = try program.start(arguments + ["--name", "news", "--interval", "15m"]).wait()
    #expect(first.status == 0)
    #expect(
      first.messages == """
        fetchrun: the job 'news' was added to \(path)
        fetchrun: all items of its first run are news (first_run: all)

        """)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == """
        jobs:
          - name: news
            plugin: rss
            options:
              url: https://example.org/feed.xml
            interval: 15m

        """)
    let check = try program.run("check", path)
    #expect(check.status == 0)
    #expect(check.output == "\(path): fine: 1 job\n")

    let sameName = try program.run(
      "add", "rss", "--option", "url=https://b.example/", "--name", "news", "--config", path)
    #expect(sameName.status == 64)
    #expect(
      sameName.messages
        == "fetchrun: duplicate job name 'news' (in \(path):2): give this job another --name\n"
    )
    let sameJob = try program.start(arguments).wait()
    #expect(sameJob.status == 64)
    #expect(
      sameJob.messages == "fetchrun: the job 'news' in \(path):2 has the same plugin and options\n")
  }

  @Test func `add checks plugin, options and interval before it writes`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("fetchrun.yaml", "# mine\njobs: []\n")
    func add(_ arguments: String...) throws -> Program.Ending {
      try program.start(["add"] + arguments + ["--config", path]).wait()
    }
    let plugin = try add("rs", "--option", Self.url)
    #expect(plugin.status == 78)
    #expect(plugin.messages.contains("no plugin 'rs' (did you mean 'rss'?)"))
    let option = try add("rss", "--option", "ulr=x")
    #expect(option.status == 64)
    #expect(
      option.messages == """
        fetchrun: unknown option 'ulr' (did you mean 'url'?); known options: url
        fetchrun: option 'url' is required: address of the feed; set it with --option \
        url=https://www.swift.org/atom.xml

        """)
    let interval = try add("rss", "--option", Self.url, "--interval", "daily")
    #expect(interval.status == 64)
    #expect(interval.messages.contains("--interval: invalid interval 'daily': use never"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "# mine\njobs: []\n")
  }

  @Test func `add keeps comments and leaves an invalid config unchanged`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "fetchrun.yaml",
      "jobs:\n  # the first\n  - { name: a, plugin: rss, options: { url: u } } # this\n\n# end\n")
    let added = try program.run(
      "add", "rss", "--option", Self.url, "--name", "b", "--config", path)
    #expect(added.status == 0)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == """
        jobs:
          # the first
          - { name: a, plugin: rss, options: { url: u } } # this
          - name: b
            plugin: rss
            options:
              url: https://example.org/feed.xml

        # end

        """)
    let broken = try program.write("broken.yaml", "jbos: []\n")
    let refused = try program.run("add", "rss", "--option", Self.url, "--config", broken)
    #expect(refused.status == 78)
    #expect(
      refused.messages == """
        fetchrun: \(broken):1:1: unknown key 'jbos' (did you mean 'jobs'?)

        """)
  }

  @Test func `jobs are added to a config that has only hooks`() throws {
    let program = try Program()
    defer { program.remove() }
    let hooks = "hooks:\n  - { name: note, command: [/bin/true] }\n"
    let config = try program.write("hooks.yaml", hooks)
    let added = try program.run("add", "rss", "--option", Self.url, "--config", config)
    #expect(added.status == 0, "\(added)")
    let text = try String(contentsOfFile: config, encoding: .utf8)
    #expect(text.hasPrefix(hooks + "\njobs:\n  - "))
    #expect(try program.run("check", config).status == 0)
  }

  @Test func `check reports every mistake with its place, those of plugins and jobs_d too`() throws
  {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    let path = try program.write(
      "fetchrun.yaml",
      """
      jobs:
        - name: a
          plugin: reutres
        - name: b
          plugin: rss
          enabled: false
          options:
            url: https://example.org/
            titel: x
        - name: c
          plugin: json-api
          options: { url: 5 }
      """)
    try program.write("jobs.d/more.yaml", "jobs:\n  - { name: d, plugin: rss }\n")
    let ending = try program.run("check", path)
    #expect(ending.status == 78)
    let lines = ending.messages.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines[0].hasPrefix(
        "fetchrun: \(path):3:13: job 'a': reutres: no plugin 'reutres' (did you mean 'reuters'?)"))
    #expect(
      lines[1] == "fetchrun: \(path):9:7: job 'b': unknown option 'titel'; known options: url")
    #expect(
      lines[2]
        == "fetchrun: \(path):12:16: job 'c': option 'url' must be a url, not an integer")
    #expect(
      lines[3]
        == "fetchrun: \(folder)/jobs.d/more.yaml:2:5: job 'd': option 'url' is required: address of"
        + " the feed; add url: https://www.swift.org/atom.xml to `options`")
    let json = try program.run("check", path, "plugins/rss.lua", "--json")
    #expect(json.status == 78)
    #expect(json.lines.count == 4)
    #expect(json.lines[1].hasPrefix("{\"file\":\"\(path)\",\"line\":9,\"column\":7,\"message\":"))
    // `run` also refuses this config.
    #expect(try program.run("run", "--config", path).status == 78)
  }

  @Test func `check reports mistakes of the file and of its plugins together`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "fetchrun.yaml",
      """
      jobs:
        - name: a
          plugin: reutres
          retries: 5
        - name: b
          plugin: rss
          options: { titel: x, url: https://example.org/ }
          interval: 5x
        - name: c
      """)
    let ending = try program.run("check", path, "--json")
    #expect(ending.status == 78)
    let places = try ending.lines.map { line in
      let problem = try JSONReader.decode(line)
      return problem["line"]?.integerValue
    }
    #expect(places == [3, 4, 7, 8, 9])
  }

  static let opml = """
    <?xml version="1.0" encoding="ISO-8859-1"?>
    <opml version="1.0"><head><title>mine</title></head><body>
    <outline text="World">
      <outline text="The Daily (World)!" type="rss" xmlUrl="https://a.example/?x=1&amp;y=2"/>
      <outline title="The Daily World" text="x" xmlurl=" https://b.example/ "/>
    </outline>
    <outline text="again" xmlUrl="https://b.example/"/>
    <outline text="known" xmlUrl="https://example.org/feed.xml"/>
    <outline text="odd" xmlUrl="gopher://c.example/"/>
    <outline text="" xmlUrl="feed://d.example/f"/>
    </body></opml>
    """

  @Test func `a long list that is imported again is reported in two lines`() throws {
    let program = try Program()
    defer { program.remove() }
    let outlines = (1...9).map { "<outline text='f\($0)' xmlUrl='https://f\($0).example/'/>" }
    let list = try program.write(
      "feeds.opml", "<opml><body>\(outlines.joined())</body></opml>")
    let path = program.folder.path + "/fetchrun.yaml"
    #expect(try program.run("import", list, "--config", path).status == 0)
    let again = try program.run("import", list, "--config", path)
    #expect(again.status == 0)
    #expect(
      again.messages == """
        fetchrun: skipped: https://f1.example/ is already the address of the job 'f1'
        fetchrun: skipped: 8 more feeds that already have a job
        fetchrun: 0 jobs were added to \(path); 9 feeds were skipped

        """)
  }

  @Test func `import adds new feeds and reports skipped ones; export prints them`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "fetchrun.yaml",
      "jobs:\n- name: mine # and mine\n  plugin: rss\n  options: { url: https://example.org/feed.xml }\n"
    )
    let list = try program.write("feeds.opml", Self.opml)
    let ending = try program.run("import", list, "--config", path)
    #expect(ending.status == 0)
    #expect(
      ending.messages == """
        fetchrun: skipped: https://b.example/ is already the address of the job 'the-daily-world-2'
        fetchrun: skipped: https://example.org/feed.xml is already the address of the job 'mine'
        fetchrun: skipped: 'gopher://c.example/' is not a valid http or https address
        fetchrun: 3 jobs were added to \(path); 3 feeds were skipped
        fetchrun: the items of each first run are stored and are not news (first_run: baseline, \
        in each job)

        """)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == """
        jobs:
        - name: mine # and mine
          plugin: rss
          options: { url: https://example.org/feed.xml }
        - name: the-daily-world
          plugin: rss
          options:
            url: https://a.example/?x=1&y=2
          first_run: baseline
        - name: the-daily-world-2
          plugin: rss
          options:
            url: https://b.example/
          first_run: baseline
        - name: d.example
          plugin: rss
          options:
            url: http://d.example/f
          first_run: baseline

        """)
    let export = try program.run("export", "--config", path)
    #expect(export.status == 0)
    #expect(
      export.output == """
        <?xml version="1.0" encoding="UTF-8"?>
        <opml version="2.0">
          <head><title>fetchrun</title></head>
          <body>
            <outline type="rss" text="mine" xmlUrl="https://example.org/feed.xml"/>
            <outline type="rss" text="the-daily-world" xmlUrl="https://a.example/?x=1&amp;y=2"/>
            <outline type="rss" text="the-daily-world-2" xmlUrl="https://b.example/"/>
            <outline type="rss" text="d.example" xmlUrl="http://d.example/f"/>
          </body>
        </opml>

        """)
    let back = try program.write("back.opml", export.output)
    let fresh = program.folder.path + "/fresh.yaml"
    let again = try program.run("import", back, "--config", fresh)
    #expect(again.messages.contains("4 jobs were added to \(fresh); 0 feeds were skipped\n"))
    // Job names identify the stored items, so import must give the names that were exported.
    #expect(try program.run("export", "--config", fresh).output == export.output)
    #expect(export.messages == "")
  }

  @Test(arguments: [
    (["--allow-private"], "true"),
    (["--allow-private-network", "10.0.0.0/8"], #"["10.0.0.0/8"]"#),
  ]) func `import lets the new jobs reach private addresses`(
    options: [String], written: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let list = try program.write(
      "feeds.opml", "<opml><body><outline text='f' xmlUrl='http://10.0.0.1/'/></body></opml>")
    let path = program.folder.path + "/fetchrun.yaml"
    let ending = try program.run(["import", list, "--config", path] + options)
    #expect(ending.status == 0, "\(ending)")
    let config = try String(contentsOfFile: path, encoding: .utf8)
    #expect(config.contains("allow_private: \(written)\n"), "\(config)")
  }

  @Test func `export prints the feeds of one plugin, and reports others`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "mixed.yaml",
      """
      jobs:
        - { name: feed, plugin: ./plugins/rss.lua, options: { url: "https://a.example/f" } }
        - { name: api, plugin: json-api, options: { url: "https://a.example/api" } }
        - { name: files, plugin: file-sync, options: { folder: x } }
      """)
    let feeds = try program.run("export", "--config", path)
    #expect(feeds.status == 0)
    #expect(feeds.output.contains("text=\"feed\""))
    #expect(!feeds.output.contains("text=\"api\""))
    #expect(
      feeds.messages
        == "fetchrun: skipped 1 job with the option 'url' and a plugin other than 'rss'; to export"
        + " the jobs of another plugin instead, use --plugin json-api\n")
    let other = try program.run("export", "--plugin", "json-api", "--config", path)
    #expect(other.output.contains("xmlUrl=\"https://a.example/api\""))
    #expect(!other.output.contains("text=\"feed\""))
  }

  @Test func `a missing variable is one mistake, in any option`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "unset.yaml",
      """
      jobs:
        - name: a
          plugin: rss
          options:
            url: "${FETCHRUN_NOT_THERE}"
            max_items: "${FETCHRUN_NOT_THERE}"
        - { name: b, plugin: rss, options: { url: } }
      """)
    let check = try program.run("check", path)
    #expect(check.status == 78)
    let lines = check.messages.split(separator: "\n").filter { $0.contains("unset.yaml:") }
    #expect(lines.count == 3, "\(check.messages)")
    #expect(lines.filter { $0.contains("FETCHRUN_NOT_THERE is not set") }.count == 2)
    #expect(lines.filter { $0.contains("option 'url' is required") }.count == 1)
  }

  static let hostile: [(text: String, message: String)] = [
    ("<html/>", "not OPML: its first element is <html>"),
    ("<opml><body>", "Premature end of data"),
    (
      """
      <!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
      <opml><outline text="&b;" xmlUrl="https://a.example/"/></opml>
      """, "the document declares entities in a DTD, which is not allowed"
    ),
  ]

  @Test(arguments: hostile) func `hostile lists are refused`(text: String, message: String) throws {
    let program = try Program()
    defer { program.remove() }
    let list = try program.write("feeds.opml", text)
    let path = program.folder.path + "/fetchrun.yaml"
    let ending = try program.run("import", list, "--config", path)
    #expect(ending.status == 1)
    #expect(ending.messages.hasPrefix("fetchrun: \(list): "))
    #expect(ending.messages.contains(message))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a missing file is reported`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("import", "/nowhere/feeds.opml")
    #expect(ending.status == 1)
    #expect(
      ending.messages
        == "fetchrun: /nowhere/feeds.opml cannot be read: No such file or directory\n")
  }

  @Test func `the schema is one line of JSON`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("schema")
    #expect(ending.status == 0)
    #expect(ending.lines.count == 1)
    let object = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
    #expect((object as? [String: Any])?["additionalProperties"] as? Bool == false)
  }

  @Test func `variables are read from the environment, and a disabled job runs only by its name`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "fetchrun.yaml",
      """
      allow_read: ${FEEDS}
      jobs:
        - name: news
          plugin: reuters
          enabled: false
          options: { url: "file://${FEEDS:?where are they}/top-news.xml" }
      """)
    let missing = try program.run("run", "--config", path)
    #expect(missing.status == 78)
    #expect(
      missing.messages == """
        fetchrun: \(path):1:13: the environment variable FEEDS is not set; set it, or write \
        ${FEEDS:-default}
        fetchrun: \(path):6:21: FEEDS: where are they

        """)
    let environment = ["FEEDS": Program.top.path + "/examples"]
    let all = try program.run("run", "--config", path, environment: environment)
    #expect(all.status == 0)
    #expect(all.output.isEmpty)
    let named = try program.run("run", "news", "--config", path, environment: environment)
    #expect(named.status == 0)
    #expect(named.output.hasPrefix("newData  news  20 added"))
  }
}
