/// The uses of types between the folders of a module, read from the code.
///
/// A folder uses another folder if its code names a type that the other folder declares at the top
/// level of a file. Members of extensions are ignored, because members have no names of their own.
/// Names that two folders declare, and names that the file itself declares, are ignored as well.
struct FolderGraph {
  /// The types of other folders that one folder uses: by folder, each type with a file that names
  /// it.
  typealias Uses = [String: [String: String]]

  private(set) var uses: [String: Uses] = [:]

  /// Reads the files of one module. Folders are the first level below the module.
  init(_ files: [SourceTree.File]) {
    let parsed = files.map { file in
      (file: file, folder: Self.folder(of: file.path), words: CodeWords(file.lines))
    }
    var owners: [String: String] = [:]
    var shared: Set<String> = []
    for file in parsed {
      for name in file.words.topLevelTypes {
        if let other = owners.updateValue(file.folder, forKey: name), other != file.folder {
          shared.insert(name)
        }
      }
    }
    for file in parsed {
      for word in file.words.used.subtracting(file.words.declared).subtracting(shared) {
        guard let owner = owners[word], owner != file.folder else { continue }
        uses[file.folder, default: [:]][owner, default: [:]][word] = file.file.path
      }
    }
  }

  /// Returns the folder of a file: `HTTP` for `Sources/FetchModel/HTTP/Cookie.swift`, and `.` for a
  /// file directly in the module's folder.
  private static func folder(of path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : "."
  }

  /// The edges of all cycles, as `HTTP -> Secrets: SecretText (Sources/...)`.
  var cycles: [String] {
    let reach = Dictionary(uniqueKeysWithValues: uses.keys.map { ($0, reached(from: $0)) })
    var edges: [String] = []
    for (folder, others) in uses where reach[folder]?.contains(folder) == true {
      for (other, types) in others where reach[other]?.contains(folder) == true {
        let named = types.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        edges.append("\(folder) -> \(other): \(named.joined(separator: ", "))")
      }
    }
    return edges.sorted()
  }

  private func reached(from start: String) -> Set<String> {
    var seen: Set<String> = []
    var open = Array((uses[start] ?? [:]).keys)
    while let next = open.popLast() {
      if seen.insert(next).inserted { open += (uses[next] ?? [:]).keys }
    }
    return seen
  }
}

/// The words of a file's code. Comments and string literals are excluded, but interpolated code is
/// included.
struct CodeWords {
  private(set) var used: Set<String> = []
  /// The names of the types that the file declares, nested or not.
  private(set) var declared: Set<String> = []
  private(set) var topLevelTypes: [String] = []

  private static let declaring: Set = ["struct", "enum", "class", "actor", "protocol", "typealias"]

  init(_ lines: [Substring]) {
    var depth = 0
    var last = ""
    var word = ""
    for byte in Self.code(lines).utf8 {
      if byte.isWordByte {
        word.unicodeScalars.append(Unicode.Scalar(byte))
        continue
      }
      if !word.isEmpty {
        used.insert(word)
        if Self.declaring.contains(last), word.first?.isUppercase == true {
          declared.insert(word)
          if depth == 0 { topLevelTypes.append(word) }
        }
        last = word
        word = ""
      }
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
    }
  }

  /// Returns the code without comments and string literals. A literal of several lines is dropped
  /// with its interpolations.
  private static func code(_ lines: [Substring]) -> String {
    var code = ""
    var isInText = false
    for line in lines {
      if line.utf8.count(where: { $0 == UInt8(ascii: "\"") }) >= 3, line.contains("\"\"\"") {
        isInText.toggle()
        continue
      }
      if !isInText { code += Self.withoutTexts(line) + "\n" }
    }
    return code
  }

  private static func withoutTexts(_ line: Substring) -> String {
    var code: [UInt8] = []
    var depths: [Int] = []  // of parentheses, for each interpolation that is open
    var isText = false
    var bytes = Array(line.utf8)[...]
    while let byte = bytes.popFirst() {
      if isText {
        if byte == UInt8(ascii: "\\") {
          if bytes.popFirst() == UInt8(ascii: "(") {
            depths.append(0)
            isText = false
          }
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      if byte == UInt8(ascii: "/"), bytes.first == byte { break }
      if byte == UInt8(ascii: "\"") {
        isText = true
        code.append(UInt8(ascii: " "))
        continue
      }
      if byte == UInt8(ascii: "("), !depths.isEmpty { depths[depths.count - 1] += 1 }
      if byte == UInt8(ascii: ")"), let depth = depths.last {
        if depth == 0 {
          depths.removeLast()
          isText = true
          continue
        }
        depths[depths.count - 1] = depth - 1
      }
      code.append(byte)
    }
    return String(decoding: code, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isWordByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
