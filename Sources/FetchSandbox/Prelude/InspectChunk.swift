extension PreludeChunk {
  /// The chunk that runs a file's top level and returns the file's table without functions. The
  /// field `functions` lists the names of the functions in the table itself. Every host call is
  /// refused.
  static let inspect = PreludeChunk(
    "fetchrun:inspect",
    #"""
    local file, files = ...
    local fail, type, next, sort = fetchrun.fail, type, next, table.sort
    local depthMax = 20

    fetchrun.call = function(name)
      fail("invalidPlugin", name
        .. " is not possible while the file is loading; call it in fetch or in a hook's function")
    end
    function fetchrun.now() return fetchrun.call("time.now") end
    fetchrun.chunk("fetchrun:require")(files)

    local function copy(value, depth)
      if type(value) ~= "table" then return value end
      if depth > depthMax then
        fail("invalidPlugin", "the file's table is nested deeper than " .. depthMax .. " levels")
      end
      local result = {}
      for key, field in next, value do
        if type(field) ~= "function" then result[key] = copy(field, depth + 1) end
      end
      return result
    end

    local plugin = fetchrun.chunk(file)()
    if type(plugin) ~= "table" then
      local what = plugin == nil and "nothing" or "a " .. type(plugin)
      fail("invalidPlugin", "the file returns " .. what
        .. "; it must return a table: end a plugin file with return { name = ..., fetch = ... },"
        .. " and a hook file with return { on_item = ... }")
    end
    local functions = {}
    for name, field in next, plugin do
      if type(name) == "string" and type(field) == "function" then
        functions[#functions + 1] = name
      end
    end
    sort(functions)
    local manifest = copy(plugin, 1)
    manifest.functions = fetchrun.array(functions)
    return manifest
    """#)
}
