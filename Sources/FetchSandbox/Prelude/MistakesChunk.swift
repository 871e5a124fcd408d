extension PreludeChunk {
  /// The chunk that raises the errors about a plugin's mistakes. It is loaded when a run makes one:
  /// the messages would otherwise take memory in each run that waits for an answer.
  ///
  /// The parameters are the name of a function in the chunk's table, and this function's arguments.
  /// The error for an unknown module lists `moduleNames`.
  static func mistakes(moduleNames: String) -> PreludeChunk {
    PreludeChunk("fetchrun:mistakes", source(moduleNames))
  }

  private static func source(_ moduleNames: String) -> String {
    #"""
    local fail, kind = fetchrun.fail, fetchrun.kind
    local type, next, tostring, rawget, rawlen = type, next, tostring, rawget, rawlen
    local sort, concat = table.sort, table.concat
    local mistakes = {}

    local function names_of(fields)
      local names = {}
      for name in next, fields do names[#names + 1] = name end
      sort(names)
      return names
    end

    -- A host call in the plugin's top-level code.
    function mistakes.early(name)
      fail("pluginError",
        name .. " is not possible while the plugin is being loaded; call it in fetch")
    end

    function mistakes.entry(entry)
      fail("invalidPlugin", "the plugin has no function '" .. entry .. "'")
    end

    function mistakes.state(state)
      fail("invalidValue", "ctx.state must be a table, got a " .. type(state))
    end

    function mistakes.emit(item)
      if type(item) ~= "table" then
        fail("invalidItem", "emit needs an item (a table), got " .. kind(item))
      end
      fail("invalidItem", "emit needs one item, got a table with list entries;"
        .. " emit the items of a list one by one")
    end

    -- A result that is not a table.
    function mistakes.kind(entry, result)
      fail("invalidItem", entry .. " returned a " .. type(result)
        .. "; it must return a list of items, nothing, or nil and a message")
    end

    -- A table that is not a list. The key is one of its keys that is not an integer, or nil.
    function mistakes.result(entry, result, key)
      local what = "a list with holes; leave out nil values"
      if rawget(result, 0) ~= nil then
        what = "a list with an entry 0; lists begin at 1"
      elseif key ~= nil then
        what = (rawlen(result) == 0 and "a table with named fields"
          or "a list with the field '" .. tostring(key) .. "'")
          .. "; it must return a list of items: { item, ... }"
      end
      fail("invalidItem", entry .. " returned " .. what)
    end

    function mistakes.name(name)
      fail("pluginError", "require needs the name of a module, got " .. kind(name))
    end

    function mistakes.cycle(name)
      fail("pluginError",
        "module '" .. name .. "' requires itself, directly or through other modules")
    end

    function mistakes.module(name, files)
      local own = names_of(files)
      local there = "\#(moduleNames)"
      if #own > 0 then there = there .. " and the files " .. concat(own, ", ") end
      local stem = name:match("^(.+)%.lua$")
      local hint = stem and ": write require \"" .. stem .. "\"" or ""
      fail("pluginError", "there is no module '" .. name .. "'" .. hint .. "; the modules are "
        .. there .. "; put your own module beside this file, in a lib folder there or in a plugin folder,"
        .. " and write its name in quotes directly after require")
    end

    -- A field that a module does not have.
    function mistakes.field(name, module, key)
      fail("pluginError", name .. " has no '" .. tostring(key) .. "'; it has "
        .. concat(names_of(module), ", "))
    end

    function mistakes.url(name, url)
      fail("pluginError", name .. " needs a URL, got " .. kind(url)
        .. (url == nil and ": is an option or a field misspelt?" or ""))
    end

    function mistakes.options(options)
      fail("pluginError", "http.request needs a table of options, got " .. kind(options))
    end

    local mistake = ...
    mistakes[mistake](select(2, ...))
    """#
  }
}
