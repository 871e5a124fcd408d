import FetchModel
import FetchValues
import Yams

extension ConfigReader {
  private typealias Entry = ConfigValue<HookReading>

  /// - Parameter ofJob: whether they are the hooks of one job, for this job alone.
  mutating func hooks(_ node: Node, ofJob: Bool = false) -> [HookConfig] {
    guard case .sequence(let list) = node else {
      note(node, "hooks must be a list of hooks, each beginning with '- name:'")
      return []
    }
    var hooks: [HookConfig] = []
    for node in list {
      if let hook = hook(node, ofJob: ofJob) { hooks.append(hook) }
    }
    return hooks
  }

  private mutating func hook(_ node: Node, ofJob: Bool) -> HookConfig? {
    guard let mapping = mapping(node, "a hook") else { return nil }
    let problemCount = problems.count
    let entries = entries(mapping, HookKeys.all)
    // A hook with mistakes in its sink is read to its end, so that all mistakes are reported
    // together.
    let unknown = HookSink.file(FeedFileSettings(path: "?"))
    var reading = HookReading(hook: HookConfig(name: "", sink: unknown), isOfJob: ofJob)
    // Its file is read later.
    if entries.isOfLua { reading.hook.events = [] }
    reading.hook.file = file
    let place = place(of: node)
    reading.hook.place = (place.line, place.column)
    let hasUnknownKeys = entries.count < mapping.count
    if let sink = sink(entries, of: node, hasUnknownKeys) { sink.key.read(&self, sink, &reading) }
    for entry in entries where !entry.isSink { entry.key.read(&self, entry, &reading) }
    var hook = reading.hook
    check(hook, entries, node)
    guard !hook.name.isEmpty else {
      note(node, "the hook has no name; add name: NAME")
      return nil
    }
    hook.hasMistakes = problems.count > problemCount
    return hook
  }

  /// Returns the jobs or plugins to which a hook is restricted; nil for a job's own hook, which has
  /// none.
  mutating func scope(_ value: ConfigValue<HookReading>, in reading: HookReading) -> [String]? {
    guard !reading.isOfJob else {
      note(value.keyNode, "\(value.name) is only allowed in the top-level hooks; this is a job's")
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
        let place = place(of: node)
        events.append((event, place.line, place.column))
      } else {
        let hint = NearestName.hint(text, among: words)
        note(
          node, "unknown event '\(text)' in on\(hint); use \(words.joined(separator: ", "))")
      }
    }
    return events
  }

  /// Notes keys that exclude each other.
  private mutating func check(_ hook: HookConfig, _ entries: [Entry], _ node: Node) {
    func keyNode(_ name: String) -> Node? { entries[name]?.keyNode }
    if let batch = keyNode("batch"), keyNode("digest") != nil {
      note(batch, "batch and digest exclude each other; keep one")
    }
    if let jobs = keyNode("jobs"), keyNode("plugins") != nil {
      note(jobs, "jobs and plugins exclude each other; make two hooks")
    }
    // A hook file may have a function for `stale`; this is checked when the file is read.
    if entries.isOfLua, !hook.namesEvents { return }
    let isTold = hook.events.contains(.stale)
    for key in ["stale_after", "quiet_after"] {
      if let node = keyNode(key), !isTold { note(node, "\(key) needs the event stale in on") }
    }
    if isTold, hook.staleAfter == nil, hook.quietAfter == nil {
      note(node, "the event stale needs stale_after or quiet_after")
    }
  }

  // MARK: Sinks

  /// Returns the first key that names a sink; a hook has one.
  private mutating func sink(_ entries: [Entry], of node: Node, _ hasUnknownKeys: Bool) -> Entry? {
    let sinks = entries.filter(\.isSink)
    guard let sink = sinks.first else {
      // An unknown key was already noted.
      if hasUnknownKeys { return nil }
      let known = SinkKeys.all.map(\.key.name).joined(separator: ", ")
      note(node, "the hook has no target; add one of \(known)")
      return nil
    }
    if sinks.count > 1 {
      note(
        sinks[1].keyNode, "a hook has one target; keep \(sink.name) or \(sinks[1].name)")
    }
    return sink
  }
}

extension ConfigValue<HookReading> {
  fileprivate var isSink: Bool { SinkKeys.all.contains { $0.key.name == name } }
}

extension [ConfigValue<HookReading>] {
  /// Whether they are the keys of a hook file, whatever else is wrong.
  fileprivate var isOfLua: Bool { first { $0.isSink }?.name == LuaHookKeys.name }
}
