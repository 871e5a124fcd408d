extension PreludeModule {
  /// `require "json"`.
  package static let json = PreludeModule(
    "json",
    """
    local library = ...
    -- A library function cannot return a null: it comes as nil, and without a message.
    local function decode(text)
      local value, message = library.decode(text)
      if value == nil and message == nil then return fetchrun.null end
      return value, message
    end
    return {
      decode = decode,
      encode = library.encode,
      null = fetchrun.null,
      array = fetchrun.array,
    }
    """)
}
