import FetchModel
import FetchValues

extension ConfigReader {
  private typealias Entry = ConfigValue<HookReading>

  /// Reads a list of hooks.
  ///
  /// - Parameter ofJob: whether the hooks are those of a single job.
  mutating func hooks(_ node: Node, ofJob: Bool = false) -> [HookConfig] {
    guard case .sequence(let list, _) = node else {
      note(node, "hooks must be a list of hooks: begin each hook with '- name:'")
      return []
    }
    var hooks: [HookConfig] = []
    for node in list {
      if ofJob, let name = node.string {
        note(
          node,
          "a hook of a job is a mapping of keys and values; to send the job's news to the hook"
            + " '\(name)', add the job to `jobs` of that hook")
      } else if let hook = hook(node, ofJob: ofJob) {
        hooks.append(hook)
      }
    }
    return hooks
  }

  private mutating func hook(_ node: Node, ofJob: Bool) -> HookConfig? {
    guard let mapping = mapping(node, "a hook") else { return nil }
    let problemCount = problems.count
    let entries = entries(mapping, HookKeys.all)
    // The placeholder sink lets the rest of the hook be read, so that all mistakes are reported
    // together.
    let unknown = HookSink.file(FeedFileSettings(path: "?"))
    var reading = HookReading(hook: HookConfig(name: .unnamed, sink: unknown), isOfJob: ofJob)
    // Unless the key `on` names events, the hook file determines them. The file is read later.
    if entries.isOfLua { reading.hook.events = [] }
    reading.hook.file = file
    let place = node.place
    reading.hook.place = (place.line, place.column)
    let hasUnknownKeys = entries.count < mapping.count
    if let sink = sink(entries, of: node, hasUnknownKeys) { sink.key.read(&self, sink, &reading) }
    for entry in entries where !entry.isSink { entry.key.read(&self, entry, &reading) }
    var hook = reading.hook
    check(hook, entries, node)
    guard !hook.name.isEmpty else {
      if entries["name"] == nil { note(node, "the hook has no name; add name: NAME") }
      return nil
    }
    hook.hasMistakes = problems.count > problemCount
    return hook
  }

  /// Returns the jobs or plugins to which a hook is restricted; nil for a job's own hook, which
  /// cannot be restricted.
  mutating func scope(_ value: ConfigValue<HookReading>, in reading: HookReading) -> [String]? {
    guard !reading.isOfJob else {
      note(
        value.keyNode,
        "\(value.name) is only allowed in the top-level hooks; this is a job's hook")
      return nil
    }
    return texts(value.node, value.path).map(\.text)
  }

  mutating func events(
    _ node: Node
  ) -> [(event: HookEvent, line: Int, column: Int)] {
    var events: [(event: HookEvent, line: Int, column: Int)] = []
    let words = HookEvent.allCases.map(\.rawValue)
    for (text, node) in texts(node, "on") {
      if let event = HookEvent(rawValue: text) {
        let place = node.place
        events.append((event, place.line, place.column))
      } else {
        let hint = NearestName.hint(text, among: words)
        note(
          node, "unknown event '\(text)' in `on`\(hint); use \(words.joined(separator: ", "))")
      }
    }
    return events
  }

  /// Reports keys that cannot be used together. Also reports the event `stale` without
  /// `stale_after` or `quiet_after`, and these keys without the event, unless a hook file
  /// determines the events.
  private mutating func check(_ hook: HookConfig, _ entries: [Entry], _ node: Node) {
    func keyNode(_ name: String) -> Node? { entries[name]?.keyNode }
    if let batch = keyNode("batch"), keyNode("digest") != nil {
      note(batch, "`batch` and `digest` cannot be used together; remove one")
    }
    if let jobs = keyNode("jobs"), keyNode("plugins") != nil {
      note(jobs, "`jobs` and `plugins` cannot be used together; define two hooks")
    }
    // Whether a hook file has a function for `stale` is checked when the file is read.
    if entries.isOfLua, !hook.namesEvents { return }
    let isTold = hook.events.contains(.stale)
    for key in ["stale_after", "quiet_after"] {
      if let node = keyNode(key), !isTold { note(node, "`\(key)` needs the event `stale` in `on`") }
    }
    let isMissing = keyNode("stale_after") == nil && keyNode("quiet_after") == nil
    if isTold, isMissing, hook.staleAfter == nil, hook.quietAfter == nil {
      note(node, "the event `stale` needs `stale_after` or `quiet_after`")
    }
  }

  // MARK: Sinks

  /// Returns the first key that names a sink; nil if there is none. Reports additional sinks, and a
  /// missing sink unless the hook has unknown keys.
  private mutating func sink(_ entries: [Entry], of node: Node, _ hasUnknownKeys: Bool) -> Entry? {
    let sinks = entries.filter(\.isSink)
    guard let sink = sinks.first else {
      // An unknown key may be a misspelled sink. The key has already been reported.
      if hasUnknownKeys { return nil }
      let known = SinkKeys.all.map(\.key.name).joined(separator: ", ")
      note(node, "the hook has no sink; add one of \(known)")
      return nil
    }
    if sinks.count > 1 {
      note(
        sinks[1].keyNode,
        "the hook has more than one sink; keep only one of \(sinks.map(\.name).joined(separator: ", "))"
      )
    }
    return sink
  }
}

extension ConfigValue<HookReading> {
  fileprivate var isSink: Bool { SinkKeys.all.contains { $0.key.name == name } }
}

extension [ConfigValue<HookReading>] {
  /// Whether the first sink among the entries is a hook file.
  fileprivate var isOfLua: Bool { first { $0.isSink }?.name == LuaHookKeys.name }
}
