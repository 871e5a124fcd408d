extension PreludeModule {
  /// `require "json"`: the functions for JSON, with `json.null` and `json.array`.
  package static let json = PreludeModule(
    "json",
    """
    local library = ...
    return {
      decode = library.decode,
      encode = library.encode,
      null = fetchrun.null,
      array = fetchrun.array,
    }
    """)
}
