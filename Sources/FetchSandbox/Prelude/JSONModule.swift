extension PreludeModule {
  /// `require "json"`.
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
