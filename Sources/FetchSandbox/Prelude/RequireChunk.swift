extension PreludeChunk {
  /// The chunk that defines `require`. `require` finds built-in modules by name, and then the files
  /// that the host has found for the plugin.
  static let require = PreludeChunk(
    "fetchrun:require",
    #"""
    local files = ...
    local chunk, type, setmetatable = fetchrun.chunk, type, setmetatable
    local loaded, loading = {}, {}

    -- Makes a misspelt function an error that lists the functions, as for globals.
    local function strict(name, module)
      return setmetatable(module, {
        __metatable = false,
        __index = function(_, key) chunk("fetchrun:mistakes")("field", name, module, key) end,
      })
    end

    local function open(name, require)
      local library = chunk("fetchrun:library/" .. name)
      local module = chunk("fetchrun:module/" .. name)
      if module then return strict(name, module(library and library(), require)) end
      if library then return strict(name, library()) end
      local own = files[name] and chunk(files[name])
      if not own then chunk("fetchrun:mistakes")("module", name, files) end
      return own(name)
    end

    local function require(name)
      if type(name) ~= "string" then chunk("fetchrun:mistakes")("name", name) end
      local module = loaded[name]
      if module ~= nil then return module end
      if loading[name] then chunk("fetchrun:mistakes")("cycle", name) end
      loading[name] = true
      -- Also after an error: a plugin may catch it and require the module again.
      local _ <close> = setmetatable({}, { __close = function() loading[name] = nil end })
      module = open(name, require)
      if module == nil then module = true end
      loaded[name] = module
      return module
    end

    rawset(fetchrun.globals, "require", require)
    """#)
}
