extension PreludeModule {
  /// `require "files"`: access to the job's own folder. `files.folder` returns a folder that was
  /// granted for reading.
  ///
  /// Each host call, such as `files.list` or `files.stat`, takes one table. The table contains,
  /// where needed, `path`, `paths` (a list), `text`, `to`, `recursive` or `root` (a granted
  /// folder). A failed host call returns `nil, message, code, retryable`.
  package static let files = PreludeModule(
    "files",
    #"""
    local fail, notify = fetchrun.fail, fetchrun.notify
    local type, next, tostring, setmetatable = type, next, tostring, setmetatable
    local sort, concat = table.sort, table.concat

    local function ask(name, message)
      local answer, problem, code, retryable = fetchrun.call(name, message)
      if answer ~= nil then return answer end
      if code then notify("remember", problem, code, retryable or false) end
      return nil, problem
    end

    local function check(name, value, what)
      if type(value) ~= "string" then
        fail("pluginError", name .. " needs " .. what .. ", got " .. fetchrun.kind(value)
          .. (type(value) == "table" and "; did you use a colon instead of a dot?" or ""))
      end
    end

    local function recursive(options)
      if options == nil then return nil end
      if type(options) ~= "table" then
        fail("pluginError", "files.list: options must be a table, got a " .. type(options))
      end
      for option in next, options do
        if option ~= "recursive" then
          fail("pluginError", "files.list: unknown option '" .. tostring(option)
            .. "'; the only option is recursive")
        end
      end
      if options.recursive ~= nil and type(options.recursive) ~= "boolean" then
        fail("pluginError",
          "files.list: option 'recursive' must be a boolean, got a " .. type(options.recursive))
      end
      return options.recursive
    end

    local files = {}

    -- The functions that only read, for the job's folder (root is nil) or for a granted one.
    local function readers(root)
      local readers = {}
      function readers.list(path, options)
        if type(path) == "table" and options == nil then path, options = nil, path end
        if path ~= nil then check("files.list", path, "the path of a folder") end
        return ask("files.list", { root = root, path = path, recursive = recursive(options) })
      end
      function readers.digest(path)
        if path ~= nil then check("files.digest", path, "the path of a folder") end
        return ask("files.digest", { root = root, path = path })
      end
      -- Given a list of paths, returns a list of hashes with false for a path without one.
      function readers.sha256(path)
        if type(path) == "table" then
          for i = 1, #path do check("files.sha256", path[i], "paths") end
          return ask("files.sha256", { root = root, paths = path })
        end
        check("files.sha256", path, "a path, or a list of paths")
        return ask("files.sha256", { root = root, path = path })
      end
      for name in next, { stat = true, read = true } do
        readers[name] = function(path)
          check("files." .. name, path, "a path")
          return ask("files." .. name, { root = root, path = path })
        end
      end
      return readers
    end

    for name, reader in next, readers() do files[name] = reader end

    function files.write(path, text)
      check("files.write", path, "a path")
      if type(text) ~= "string" then
        fail("pluginError", "files.write needs a string to write, got " .. fetchrun.kind(text)
          .. (type(text) == "table" and "; use json.encode for a table" or ""))
      end
      return ask("files.write", { path = path, text = text })
    end

    function files.remove(path)
      check("files.remove", path, "a path")
      return ask("files.remove", { path = path })
    end

    function files.move(from, to)
      check("files.move", from, "a path to move from")
      check("files.move", to, "a path to move to")
      return ask("files.move", { path = from, to = to })
    end

    -- Accepts a call with a dot or with a colon, since files itself is called with a dot.
    local function either_way(folder, reader)
      return function(first, ...)
        if first == folder then return reader(...) end
        return reader(first, ...)
      end
    end

    function files.folder(path)
      check("files.folder", path, "the absolute path of a folder")
      local there, problem = ask("files.folder", { root = path })
      if not there then return nil, problem end
      local folder = { path = path }
      for name, reader in next, readers(path) do folder[name] = either_way(folder, reader) end
      return setmetatable(folder, {
        __metatable = false,
        __name = "folder",
        __index = function(_, key)
          local names = {}
          for name in next, folder do names[#names + 1] = name end
          sort(names)
          fail("pluginError", "a granted folder is read-only and has no '" .. tostring(key)
            .. "'; it has " .. concat(names, ", "))
        end,
      })
    end

    return files
    """#)
}
