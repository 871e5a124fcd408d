extension PreludeChunk {
  /// Returns the chunk that defines `require`. `require` finds built-in modules by name, and then
  /// the files that the host has found for the plugin. The error message for an unknown module
  /// lists `moduleNames`.
  static func require(moduleNames: String) -> PreludeChunk {
    PreludeChunk("fetchrun:require", source(moduleNames))
  }

  private static func source(_ moduleNames: String) -> String {
    #"""
    local files = ...
    local chunk, fail = fetchrun.chunk, fetchrun.fail
    local type, sort, concat, next = type, table.sort, table.concat, next
    local setmetatable, tostring = setmetatable, tostring
    local loaded, loading = {}, {}

    local function unknown(name)
      local own = {}
      for other in next, files do own[#own + 1] = other end
      sort(own)
      local there = "\#(moduleNames)"
      if #own > 0 then there = there .. " and the files " .. concat(own, ", ") end
      local stem = name:match("^(.+)%.lua$")
      local hint = stem and ": write require \"" .. stem .. "\"" or ""
      fail("pluginError", "there is no module '" .. name .. "'" .. hint .. "; the modules are " .. there
        .. "; put your own module beside this file, in a lib folder there or in a plugin folder,"
        .. " and write its name in quotes directly after require")
    end

    -- Makes a misspelt function an error that lists the functions, as for globals.
    local function strict(name, module)
      return setmetatable(module, {
        __metatable = false,
        __index = function(_, key)
          local names = {}
          for other in next, module do names[#names + 1] = other end
          sort(names)
          fail("pluginError",
            name .. " has no '" .. tostring(key) .. "'; it has " .. concat(names, ", "))
        end,
      })
    end

    local function open(name, require)
      local library = chunk("fetchrun:library/" .. name)
      local module = chunk("fetchrun:module/" .. name)
      if module then return strict(name, module(library and library(), require)) end
      if library then return strict(name, library()) end
      local own = files[name] and chunk(files[name])
      if not own then unknown(name) end
      return own(name)
    end

    local function require(name)
      if type(name) ~= "string" then
        fail("pluginError", "require needs the name of a module, got " .. fetchrun.kind(name))
      end
      local module = loaded[name]
      if module ~= nil then return module end
      if loading[name] then
        fail("pluginError",
          "module '" .. name .. "' requires itself, directly or through other modules")
      end
      loading[name] = true
      -- Also after an error: a plugin may catch it and require the module again.
      local _ <close> = setmetatable({}, { __close = function() loading[name] = nil end })
      module = open(name, require)
      if module == nil then module = true end
      loaded[name] = module
      return module
    end

    rawset(fetchrun.globals, "require", require)
    """#
  }
}
