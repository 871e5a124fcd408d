extension PluginInterface {
  static let fileSections = [
    InterfaceSection("files", [files], classes: [fileEntry], stubClasses: [folder]),
    InterfaceSection("Transfers", classes: [transferRequest, transfer]),
  ]

  static let files = InterfaceModule(
    "files",
    readers + [
      .init(
        "write", parameters: "path: string, text: string", results: "true? done",
        "string? message", summary: "`true`; missing folders are created",
        example: "`files.write(\"a.json\", json.encode(all))`"),
      .init(
        "remove", parameters: "path: string", results: "boolean? removed", "string? message",
        summary: "`true` after removing a file or an empty folder; `false` if there was none",
        example: "`files.remove(\"a.json\")`"),
      .init(
        "move", parameters: "from: string, to: string", results: "true? done", "string? message",
        summary: "`true`; replaces an existing file; missing folders are created",
        example: "`files.move(\"new\", \"old/1\")`"),
      .init(
        "folder", parameters: "path: string", results: "fetchrun.Folder? folder",
        "string? message",
        summary:
          "the folder with this absolute path, which the user must have granted (see"
          + " `allow_read`); it has the functions `folder:list`, `folder:stat`, `folder:read`,"
          + " `folder:sha256` and `folder:digest` as above, and the field `folder.path`",
        example: "`files.folder(\"/srv/photos\"):list()`"),
    ])

  /// The functions that work on the job's own folder and on granted folders.
  private static let readers: [InterfaceFunction] = [
    .init(
      "list", parameters: "path?: string, options?: {recursive?: boolean}",
      results: "fetchrun.FileEntry[]? entries", "string? message",
      summary: "list of entries, sorted by the bytes of their paths",
      example: "`files.list(\"notes\", { recursive = true })`"),
    .init(
      "stat", parameters: "path: string", results: "fetchrun.FileEntry? entry",
      "string? message", summary: "entry, or `nil` if there is none",
      example: "`files.stat(\"a.json\").size`"),
    .init(
      "read", parameters: "path: string", results: "string? text", "string? message",
      summary: "the file's bytes; a file larger than the limit `bodyBytes` cannot be read",
      example: "`json.decode(files.read(\"a.json\"))`"),
    .init(
      "sha256", parameters: "path: string|string[]", results: "string|(string|false)[]? digest",
      "string? message",
      summary:
        "lower-case hexadecimal hash of a file of any size; for a list of at most 10,000"
        + " paths, a list of hashes, with `false` for each file that could not"
        + " be hashed",
      example: "`files.sha256(\"a.iso\")`"),
    .init(
      "digest", parameters: "path?: string", results: "string? digest", "string? message",
      summary:
        "hexadecimal hash over path, size and modification time of every file below the folder;"
        + " it detects changes without reading the files",
      example: "`if files.digest() == ctx.state.digest then return end`"),
  ]

  static let fileEntry = InterfaceClass(
    "fetchrun.FileEntry", headings: ["field of an entry", "what"],
    fields: [
      .init(
        "path", type: "string", isOptional: false,
        "path relative to the job's folder, or to the granted folder"),
      .init(
        "kind", type: "\"file\"|\"folder\"|\"link\"|\"other\"", isOptional: false,
        "`\"file\"`, `\"folder\"`, `\"link\"` (a symbolic one), `\"other\"` (FIFO, socket, device)"),
      .init("size", type: "integer", isOptional: false, "size of a file in bytes, otherwise 0"),
      .init("modified", type: "string", isOptional: false, "RFC 3339 in UTC"),
      .init(
        "problem", type: "string",
        "why the entry or, for a folder, its contents cannot be used; a list with such an entry"
          + " may be incomplete"),
    ])

  static let folder = InterfaceClass(
    "fetchrun.Folder", headings: ["folder", "what"],
    fields: [.init("path", type: "string", isOptional: false, "absolute path of the folder")],
    methods: readers)
}
