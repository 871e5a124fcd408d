import FetchModel
import FetchValues

/// The places of the jobs in a config file without problems, for the file's index.
struct ConfigOutline {
  /// One entry of the list of jobs, from its dash up to the next dash or the end of the list.
  struct Entry {
    var name: JobName
    var byteCount = 0
    /// The number of newline characters.
    var lineCount = 0
    /// Whether the entry must be read even if no command names its job: see `Trait`.
    var isAlwaysRead = false
  }

  /// The size of the text before the first entry, in bytes.
  let headByteCount: Int
  let headLineCount: Int
  private(set) var entries: [Entry] = []

  /// Finds the entries of a file. Returns nil if the entries cannot be split exactly, or if the
  /// rest of the file depends on them.
  ///
  /// - Parameter reading: the contents of the whole file, which was read without problems.
  init?(_ file: [UInt8], _ reading: ConfigReader.Reading) {
    // With another value of a variable, a default could make a job invalid.
    guard let place = reading.jobsPlace, !reading.hasVariableDefaults, !Self.hasRareBreaks(file),
      !AliasBound.mayHaveAnchors(file)
    else { return nil }
    let lineMax = reading.lineAfterJobs ?? .max
    var starts: [(byte: Int, line: Int)] = []
    var (start, line) = (0, 1)
    while start < file.count, line < lineMax {
      if line >= place.line, Self.beginsEntry(file, start, indent: place.column - 1) {
        starts.append((start, line))
      }
      start = file[start...].firstIndex(of: Self.newline).map { $0 + 1 } ?? file.count
      line += 1
    }
    // Each entry begins on one of these lines. If a line of a text also has the form of an entry,
    // there are more such lines than jobs.
    guard let first = starts.first, first.line == place.line,
      starts.count == reading.config.jobs.count
    else { return nil }
    headByteCount = first.byte
    headLineCount = first.line - 1
    let ends = starts.dropFirst().map(\.byte) + [start]
    // With an environment variable, the names of jobs in a hook could change. The names of all jobs
    // would be needed to check them.
    if reading.config.hooks.contains(where: \.namesJobs),
      Self.hasVariable(file[..<first.byte]) || Self.hasVariable(file[start...])
    {
      return nil
    }
    setEntries(zip(starts, ends).map { file[$0.byte..<$1] }, of: reading.config)
  }

  private mutating func setEntries(_ texts: [ArraySlice<UInt8>], of config: Config) {
    var known: Set<Trait> = []
    entries.reserveCapacity(texts.count)
    for (index, text) in texts.enumerated() {
      let traits = Trait.all(of: config.jobs[index])
      let isNew = traits.contains { !known.contains($0) }
      known.formUnion(traits)
      var entry = Entry(name: config.jobs[index].name)
      entry.byteCount = text.count
      entry.lineCount = text.count(where: { $0 == Self.newline })
      entry.isAlwaysRead =
        isNew || !config.jobs[index].hooks.isEmpty || Self.hasVariable(text)
      entries.append(entry)
    }
  }

  /// A fact that a job adds to the whole config, or on which its validity depends. The first job
  /// with a trait is always read. Jobs with hooks or environment variables are always read too.
  private enum Trait: Hashable {
    /// An environment variable with a secret, which no hook's program may receive.
    case secretVariable(ExactText)
    /// A program that is started: see `ConfigTrust`.
    case program(ExactText)
    /// A time zone, which the system may no longer have.
    case zone(ExactText)

    static func all(of job: JobConfig) -> [Trait] {
      let sources = job.secrets.map(\.source) + [job.push?.secret].compactMap(\.self)
      var all: [Trait] = []
      for source in sources {
        all += source.variables.map { Trait.secretVariable(ExactText($0)) }
        all += source.commands.compactMap(\.first).map { Trait.program(ExactText($0)) }
      }
      if let zone = job.zone { all.append(.zone(ExactText(zone.name))) }
      return all
    }
  }

  private static let newline = UInt8(ascii: "\n")

  /// Whether a line has the form of an entry: spaces, a dash, and a blank or the line's end.
  private static func beginsEntry(_ file: [UInt8], _ start: Int, indent: Int) -> Bool {
    let dash = start + indent
    guard indent >= 0, dash < file.count, file[dash] == UInt8(ascii: "-"),
      file[start..<dash].allSatisfy({ $0 == UInt8(ascii: " ") })
    else { return false }
    return dash + 1 == file.count || " \t\r\n".utf8.contains(file[dash + 1])
  }

  /// Whether the text has a line break of YAML 1.1 other than a newline with or without a carriage
  /// return before it.
  private static func hasRareBreaks(_ file: [UInt8]) -> Bool {
    var (before, last) = (newline, newline)
    for byte in file {
      if last == UInt8(ascii: "\r"), byte != newline { return true }
      // U+0085, U+2028 and U+2029 in UTF-8.
      if last == 0xC2, byte == 0x85 { return true }
      if before == 0xE2, last == 0x80, byte == 0xA8 || byte == 0xA9 { return true }
      (before, last) = (last, byte)
    }
    return last == UInt8(ascii: "\r")
  }

  /// Whether a text may contain an environment variable, such as `${PORT}`.
  private static func hasVariable(_ text: ArraySlice<UInt8>) -> Bool {
    zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "{") }
  }
}
