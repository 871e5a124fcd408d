import FetchModel
import FetchValues

/// A strict reader of a config file or a `case.yaml`. Unknown keys, duplicate keys and values of
/// the wrong kind are reported with their places.
struct ConfigReader {
  let file: String
  private let environment: [String: String]
  /// Whether a scalar may contain an environment variable, such as `${PORT}`.
  let hasVariables: Bool
  private(set) var problems: [ConfigProblem] = []
  /// The top-level secrets of the main file, which jobs and hook files can use by name.
  var shared: [GivenSecret] = []
  /// The names of the duplicate keys that were found in the file so far.
  private let duplicates: [String]
  /// The time zones that the file names, by their names; nil for an unknown zone.
  private var zones: [String: ZoneOffsets?] = [:]

  private init(
    file: String, text: String, environment: [String: String]?, duplicates: [String]
  ) {
    self.file = file
    self.duplicates = duplicates
    self.environment = environment ?? [:]
    hasVariables = environment != nil && Array(text.utf8).contains(UInt8(ascii: "$"))
  }

  /// The valid contents of a file, and the problems of the file in order.
  struct Reading {
    var config = Config()
    /// The job from which all jobs take the values of missing keys.
    var template = JobConfig(name: .unnamed, plugin: "")
    /// Whether the values of the template may contain environment variables.
    var hasVariableDefaults = false
    /// Whether the path of the store is certain, even if the file has mistakes.
    var isStoreCertain = false
    /// The place of the value of `jobs`; nil if the file has no such key.
    var jobsPlace: ConfigPlace?
    /// The line of the top-level key after `jobs`; nil if there is none.
    var lineAfterJobs: Int?
    var problems: [ConfigProblem] = []
  }

  /// Reads the main config file. Relative paths stay relative. `ConfigFile.resolvePaths` resolves
  /// these paths later.
  ///
  /// - Parameter skipped: the lines of the file that the text does not have.
  static func read(
    main text: String, file: String, environment: [String: String], needsJobs: Bool = true,
    without skipped: SkippedLines = SkippedLines()
  ) -> Reading {
    read(text, file, environment, skipped) { reader, root in
      reader.main(root, needsJobs: needsJobs)
    }
  }

  /// Reads a file of `jobs.d`, which contains only a list of jobs.
  static func read(
    jobs text: String, file: String, template: JobConfig, shared: [GivenSecret] = [],
    environment: [String: String]
  ) -> Reading {
    read(text, file, environment, SkippedLines()) { reader, root in
      reader.shared = shared
      var reading = Reading(template: template)
      reading.config.jobs = reader.jobsOnly(root, template)
      return reading
    }
  }

  private static func read(
    _ text: String, _ file: String, _ environment: [String: String], _ skipped: SkippedLines,
    _ body: (inout ConfigReader, Node) -> Reading
  ) -> Reading {
    let empty = "the file has no keys; add `jobs:` with a list of jobs"
    let (found, problems) = read(
      text, file: file, environment: environment, ifEmpty: empty, without: skipped, body)
    var reading = found ?? Reading()
    if found != nil { reading.config.file = file }
    reading.problems = problems
    return reading
  }

  /// Returns the contents of a YAML text, and its problems in order. The contents are nil if the
  /// text has no document, is refused by `AliasBound`, or cannot be composed even without duplicate
  /// keys. Without an environment, a `$` is an ordinary character.
  static func read<Found>(
    _ text: String, file: String, environment: [String: String]?, ifEmpty: String,
    duplicates: [String] = [], without skipped: SkippedLines = SkippedLines(),
    _ body: (inout ConfigReader, Node) -> Found
  ) -> (found: Found?, problems: [ConfigProblem]) {
    let text = withoutMark(text)
    if let problem = AliasBound.problem(in: text) {
      return (nil, [ConfigProblem(file: file, problem)])
    }
    var reader = ConfigReader(
      file: file, text: text, environment: environment, duplicates: duplicates)
    do throws(NodeComposer.Problem) {
      guard let root = try NodeComposer.compose(text, without: skipped) else {
        return (nil, [ConfigProblem(file: file, line: 1, column: 1, ifEmpty)])
      }
      let found = body(&reader, root)
      return (found, reader.problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    } catch {
      guard duplicates.count < duplicatesMax, let duplicate = duplicate(error, in: text) else {
        return (nil, [yamlProblem(error, file: file, text)])
      }
      let (found, others) = read(
        duplicate.rest, file: file, environment: environment, ifEmpty: ifEmpty,
        duplicates: duplicates + [duplicate.name], without: skipped, body)
      let problem = ConfigProblem(
        file: file, line: duplicate.line, column: duplicate.column,
        duplicate.message)
      return (
        found, (others + [problem]).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
      )
    }
  }

  /// The maximum number of duplicate keys that are removed from a text, one after the other. After
  /// each removal, the rest of the text can be checked.
  private static let duplicatesMax = 20

  private static func duplicate(_ problem: NodeComposer.Problem, in text: String) -> DuplicateKey? {
    guard case .duplicateKeys(let keys) = problem,
      let key = keys.first(where: { $0.text == "name" }) ?? keys.first
    else { return nil }
    return DuplicateKey(key.text, line: key.place.line, column: key.place.column, in: text)
  }

  /// Returns the text without its byte order mark, which some editors write. libyaml would count
  /// the mark as a column, so the first key would be indented more than the keys below it.
  private static func withoutMark(_ text: String) -> String {
    guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.dropFirst()))
  }

  private static func yamlProblem(
    _ problem: NodeComposer.Problem, file: String, _ text: String
  ) -> ConfigProblem {
    switch problem {
    case .syntax(let words, let place?, let begun):
      YAMLAdvice(text).problem(words, at: place, begunAt: begun, in: file)
    case .syntax(let words, nil, _): ConfigProblem(file: file, "not YAML: \(words)")
    case .refused(let words, let place):
      ConfigProblem(file: file, line: place.line, column: place.column, words)
    case .duplicateKeys(let keys):
      ConfigProblem(
        file: file, line: keys[0].place.line, column: keys[0].place.column,
        "duplicate key\(keys.count > 1 ? "s" : "") "
          + "'\(keys.map(\.text).joined(separator: "', '"))': "
          + (keys.count > 1 ? "remove one of each" : "remove one"))
    }
  }

  // MARK: Notes

  mutating func note(_ node: Node, _ message: String) { note(node.place, message) }

  mutating func note(_ place: ConfigPlace, _ message: String) {
    problems.append(
      ConfigProblem(file: file, line: place.line, column: place.column, message))
  }

  /// Whether the path of the store is certain. It is uncertain if the file has the key `store`
  /// twice or without a valid value. Without the key `store`, it is uncertain if another key may be
  /// a mistyped `store`.
  func isStoreCertain(_ store: String?, in file: Node.Mapping) -> Bool {
    let key = FileKeys.store
    if duplicates.contains(key) { return false }
    let names = file.map { $0.key.string ?? "" }
    if names.contains(key) { return store != nil }
    return !names.contains { name in
      FileKeys.all[name] == nil && NearestName.of(name, among: [key]) != nil
    }
  }

  // MARK: Kinds

  mutating func text(_ node: Node, _ key: String) -> String? {
    guard case .scalar(let scalar) = node else {
      note(node, "\(key) must be a string")
      return nil
    }
    // A plain null of YAML means that the value was forgotten. A quoted null is text.
    if scalar.isPlain, scalar.isNull {
      note(node, "\(key) has an empty value: write a value or remove the entry")
      return nil
    }
    return expanded(scalar.string, node)
  }

  /// Returns the text with its variables replaced. Reports an invalid or missing variable and
  /// returns nil.
  private mutating func expanded(_ text: String, _ node: Node) -> String? {
    guard hasVariables, text.utf8.contains(UInt8(ascii: "$")) else { return text }
    do { return try Variables.expand(text, from: environment) } catch {
      note(node, error.message)
      return nil
    }
  }

  /// Returns each text of a node, together with the text's own node. `node` is one text or a list
  /// of texts.
  mutating func texts(_ node: Node, _ key: String) -> [(text: String, node: Node)] {
    guard case .sequence(let list, _) = node else {
      return text(node, key).map { [($0, node)] } ?? []
    }
    var texts: [(text: String, node: Node)] = []
    for entry in list {
      if let text = text(entry, key) { texts.append((text, entry)) }
    }
    return texts
  }

  /// Reads each text of a node with a parser. If a text is invalid, reports the parser's error.
  mutating func parsed<Parsed, Problem: Error & CustomStringConvertible>(
    _ node: Node, _ key: String, by parse: (String) throws(Problem) -> Parsed
  ) -> [Parsed] {
    var all: [Parsed] = []
    for (text, node) in texts(node, key) {
      do throws(Problem) { all.append(try parse(text)) } catch {
        note(node, Self.about(key, error.description))
      }
    }
    return all
  }

  /// Returns the message with the key before it. If the message begins with `invalid` and the key,
  /// returns it unchanged.
  private static func about(_ key: String, _ message: String) -> String {
    message.hasPrefix("invalid \(key) ") ? message : "\(key): \(message)"
  }

  /// Reads one text with a parser. If the text is invalid, reports the parser's error.
  mutating func parsedOne<Parsed, Problem: Error & CustomStringConvertible>(
    _ node: Node, _ key: String, by parse: (String) throws(Problem) -> Parsed
  ) -> Parsed? {
    guard let text = text(node, key) else { return nil }
    do throws(Problem) { return try parse(text) } catch {
      note(node, Self.about(key, error.description))
      return nil
    }
  }

  /// Returns a non-empty text on one line, such as a header or a key. Reports any other text and
  /// returns nil.
  mutating func line(_ node: Node, _ key: String) -> String? {
    guard let text = text(node, key) else { return nil }
    if text.isEmpty || text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
      note(node, "\(key) must be one line of text, not empty and without control characters")
      return nil
    }
    return text
  }

  mutating func duration(_ node: Node, _ key: String, _ range: ClosedRange<Duration>) -> Duration? {
    guard let duration = parsedOne(node, key, by: Duration.init(parsing:)) else { return nil }
    if range.contains(duration) { return duration }
    note(
      node,
      "\(key) must be from \(range.lowerBound.shortText) to \(range.upperBound.shortText)")
    return nil
  }

  mutating func flag(_ node: Node, _ key: String) -> Bool {
    if case .scalar = node, let flag = value(node).boolValue { return flag }
    note(node, "\(key) must be true or false")
    return false
  }

  mutating func count(_ node: Node, _ key: String, _ range: ClosedRange<Int>) -> Int? {
    if case .scalar = node, let number = value(node).integerValue,
      let count = Int(exactly: number), range.contains(count)
    {
      return count
    }
    note(
      node, "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ node: Node, _ key: String, _ choices: Choice.Type
  ) -> Choice? {
    guard let word = text(node, key) else { return nil }
    if let choice = Choice(rawValue: word) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    note(node, "\(key) must be \(list)\(NearestName.hint(word, among: words))")
    return nil
  }

  mutating func zone(_ node: Node, _ key: String) -> ZoneOffsets? {
    guard let name = text(node, key) else { return nil }
    let zone = zones[name] ?? SystemZones.zone(named: name)
    zones[name] = zone
    if zone == nil {
      let names = SystemZones.names
      let advice =
        names.count == 1
        ? "this system has no time zones; install the package tzdata"
        : "use a name such as Europe/Berlin"
      note(node, "invalid time zone '\(name)'\(NearestName.hint(name, among: names)): \(advice)")
    }
    return zone
  }

  /// Returns a node as a value. A plain `${PORT}` becomes a number if the variable's value is a
  /// number. In quotes, the value stays a string.
  mutating func value(_ node: Node) -> Value {
    switch node {
    case .mapping(let mapping, _):
      var object = ValueObject()
      for (key, child) in mapping {
        guard let name = key.string else {
          note(key, "a key must be a string")
          continue
        }
        object.append(name, value(child))
      }
      return .object(object)
    case .sequence(let list, _):
      var values: [Value] = []
      for child in list { values.append(value(child)) }
      return .array(values)
    case .scalar(var scalar):
      guard hasVariables, scalar.string.utf8.contains(UInt8(ascii: "$")) else {
        return scalar.value
      }
      guard let text = expanded(scalar.string, node) else { return .null }
      scalar.string = text
      return scalar.value
    }
  }
}
