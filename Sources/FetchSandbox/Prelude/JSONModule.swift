extension PreludeModule {
  /// `require "json"`.
  package static let json = PreludeModule(
    "json",
    """
    local library = ...
    local type, find = type, string.find
    -- A library function cannot return a null alone. A tail call, so that a mistake is reported at
    -- the caller's line.
    local function decode(text)
      if type(text) == "string" and find(text, "^[ \\t\\r\\n]*null[ \\t\\r\\n]*$") then
        return fetchrun.null
      end
      return library.decode(text)
    end
    return {
      decode = decode,
      encode = library.encode,
      null = fetchrun.null,
      array = fetchrun.array,
    }
    """)
}
