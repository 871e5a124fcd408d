import FetchModel
import FetchValues
import Yams

extension ConfigReader {
  private typealias Entry = (key: HookKey, keyNode: Node, node: Node)

  /// - Parameter ofJob: those of a job are told of it alone.
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
    let entries = entries(mapping, HookKey.self)
    // A hook whose sink has mistakes is read to its end: all mistakes are reported at once.
    let sink = sink(entries, of: node, mapping)
    var hook = HookConfig(name: "", sink: sink ?? .file(FeedFileSettings(path: "?")))
    // Its file is read later.
    if entries.isOfLua { hook.events = [] }
    hook.file = file
    let place = place(of: node)
    hook.place = (place.line, place.column)
    for entry in entries where !entry.key.isSink { set(entry, in: &hook, ofJob: ofJob) }
    check(hook, entries, node)
    guard !hook.name.isEmpty else {
      note(node, "the hook has no name; add name: NAME")
      return nil
    }
    hook.hasMistakes = problems.count > problemCount
    return hook
  }

  private mutating func set(_ entry: Entry, in hook: inout HookConfig, ofJob: Bool) {
    let (node, name) = (entry.node, entry.key.rawValue)
    switch entry.key {
    case .name:
      guard let text = text(node, name) else { return }
      hook.name = text
      if !HookConfig.isName(text) {
        note(node, "'\(text)' is no name of a hook; use \(HookConfig.nameRule)")
      }
    case .on:
      hook.eventPlaces = events(node)
      hook.events = Set(hook.eventPlaces.map(\.event))
      hook.namesEvents = true
    case .when:
      hook.filter = parsedOne(node, name) { text throws(FilterProblem) in
        try ItemFilter(parsing: text)
      }
    case .jobs, .plugins:
      if ofJob {
        return note(entry.keyNode, "\(name) belongs into the file's hooks; this is a job's")
      }
      let names = texts(node, name).map(\.text)
      hook.scope = entry.key == .jobs ? .jobs(names) : .plugins(names)
    case .batch:
      if text(node, name) == "each" {
        hook.batching = .each
      } else if text(node, name) != "run" {
        note(node, "batch must be run or each")
      }
    case .digest:
      if let length = duration(node, name, Self.digestAllowed) { hook.batching = .digest(length) }
    case .rate:
      hook.rate = parsedOne(node, name) { text throws(ScheduleTextError) in
        try Rate(parsing: text, of: .count)
      }
      if hook.rate?.amount == 0 { note(node, "rate must be at least 1") }
    case .failures:
      hook.failuresInRow =
        count(node, name, HookConfig.failuresInRowAllowed) ?? hook.failuresInRow
    case .staleAfter: hook.staleAfter = duration(node, name, Self.ageAllowed)
    case .quietAfter: hook.quietAfter = duration(node, name, Self.ageAllowed)
    case .deadAfter: hook.deadAfter = duration(node, name, Self.ageAllowed) ?? hook.deadAfter
    case .webhook, .command, .file, .email, .lua: break
    }
  }

  private static let digestAllowed: ClosedRange<Duration> = .seconds(1)...(.seconds(31 * 86_400))
  private static let ageAllowed: ClosedRange<Duration> = .seconds(1)...(.seconds(3660 * 86_400))

  private mutating func events(
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
          node, "on has the unknown event '\(text)'\(hint); use \(words.joined(separator: ", "))")
      }
    }
    return events
  }

  /// Keys that do not go together.
  private mutating func check(_ hook: HookConfig, _ entries: [Entry], _ node: Node) {
    func keyNode(_ key: HookKey) -> Node? { entries.first { $0.key == key }?.keyNode }
    if let batch = keyNode(.batch), keyNode(.digest) != nil {
      note(batch, "batch and digest exclude each other; keep one")
    }
    if let jobs = keyNode(.jobs), keyNode(.plugins) != nil {
      note(jobs, "jobs and plugins exclude each other; make two hooks")
    }
    // A hook file may have a function for it, which is seen when it is read.
    if entries.isOfLua, !hook.namesEvents { return }
    let isTold = hook.events.contains(.stale)
    for key in [HookKey.staleAfter, .quietAfter] {
      if let node = keyNode(key), !isTold { note(node, "\(key.rawValue) needs stale in on") }
    }
    if isTold, hook.staleAfter == nil, hook.quietAfter == nil {
      note(node, "the hook is told of stale; say after what: stale_after or quiet_after")
    }
  }

  // MARK: Sinks

  private mutating func sink(
    _ entries: [Entry], of node: Node, _ mapping: Node.Mapping
  ) -> HookSink? {
    let sinks = entries.filter(\.key.isSink)
    guard let sink = sinks.first else {
      // An unknown key was noted already.
      if entries.count < mapping.count { return nil }
      let known = HookKey.sinks.map(\.rawValue).joined(separator: ", ")
      note(node, "the hook goes nowhere; add one of \(known)")
      return nil
    }
    if sinks.count > 1 {
      note(
        sinks[1].keyNode,
        "a hook goes to one place; keep \(sink.key.rawValue) or \(sinks[1].key.rawValue)")
    }
    switch sink.key {
    case .webhook: return webhook(sink.node).map(HookSink.webhook)
    case .command: return commandSink(sink.node).map(HookSink.command)
    case .file: return feedFile(sink.node).map(HookSink.file)
    case .email: return email(sink.node).map(HookSink.email)
    default: return luaHook(sink.node).map(HookSink.lua)
    }
  }
}

extension [(key: HookKey, keyNode: Node, node: Node)] {
  /// Whether they are those of a hook file, whatever else is wrong.
  fileprivate var isOfLua: Bool { first { $0.key.isSink }?.key == .lua }
}
