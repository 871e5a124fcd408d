extension PreludeChunk {
  /// The chunk that runs one function of a hook file. It creates `ctx`, loads the file, and calls
  /// the function that `entry` names with the run's data.
  ///
  /// `on_item` is called for each item that the host call `hook.items` returns, until a call
  /// returns none. The chunk sends one result for each item, in the order of the items. The result
  /// is the item that `on_item` returned, or false to drop the item. If `on_item` failed or
  /// returned an invalid value, the result is true, and the item stays unchanged.
  static let hook = PreludeChunk(
    "fetchrun:hook",
    #"""
    local arguments, entry, window, file, files = ...
    local call, notify, fail, clock = fetchrun.call, fetchrun.notify, fetchrun.fail, fetchrun.clock
    local type, next, pcall, tostring, setmetatable = type, next, pcall, tostring, setmetatable
    local sort, concat, math_type = table.sort, table.concat, math.type
    local startedAt = clock()
    -- The first mistakes are logged one by one, the others only as a number.
    local loggedMax = 3

    local isLoading = true
    function fetchrun.call(name, ...)
      if isLoading then
        fail("pluginError",
          name .. " is not possible while the hook file is being loaded;"
            .. " call it in a function of the hook")
      end
      return call(name, ...)
    end

    local now = arguments.now
    if now then
      function fetchrun.now() return now + (clock() - startedAt) end
    end

    fetchrun.chunk("fetchrun:require")(files)

    local run, told, secrets = arguments.run, arguments.told, arguments.secrets
    local ctx = { options = arguments.options or {}, hook = arguments.hook }

    function ctx.secret(self, name)
      if self ~= ctx then name = self end
      fetchrun.secrets = fetchrun.secrets or fetchrun.chunk("fetchrun:secrets")(secrets or {})
      return fetchrun.secrets.named(name)
    end

    function ctx.time_left()
      local left = window + (fetchrun.waited or 0) - (clock() - startedAt)
      return left > 0 and left or 0.0
    end

    local function refuse(verb, key)
      local names = {}
      for name in next, ctx do names[#names + 1] = name end
      sort(names)
      fail("pluginError", "the ctx of a hook has no field '" .. tostring(key) .. "'" .. verb
        .. "; it has " .. concat(names, ", "))
    end

    setmetatable(ctx, {
      __metatable = false,
      __index = function(_, key) refuse("", key) end,
      __newindex = function(_, key) refuse(" to set", key) end,
    })

    local hook = fetchrun.chunk(file)()
    isLoading = false
    local action = type(hook) == "table" and hook[entry]
    if type(action) ~= "function" then
      fail("invalidPlugin", "the hook file has no function '" .. entry .. "'")
    end

    if entry ~= "on_item" then
      -- Calls through a field, so that tracebacks name the entry: this code has no names of locals.
      local entries = { [entry] = action }
      local result, message, seconds
      if told ~= nil then
        result, message, seconds = entries[entry](run, told, ctx)
      else
        result, message, seconds = entries[entry](run, ctx)
      end
      -- A failed http.post already returns nil and a message; an error status becomes the same.
      if type(result) == "table" and result.ok == false and math_type(result.status) then
        local place = tostring(result.url):match("^%a+://([^/?#]*)") or "the server"
        result, message = nil, place .. " answered " .. result.status
      end
      if not result and message ~= nil then
        if math_type(seconds) then call("hook.retry", seconds) end
        notify("failed", tostring(message))
      end
      return {}
    end

    local number, badCount = 0, 0

    local function keep(problem)
      badCount = badCount + 1
      if badCount <= loggedMax then
        notify("log", "warning", "on_item: item " .. number .. ": " .. tostring(problem))
      end
      notify("item", true)
    end

    local function give(ok, item)
      if not ok then return keep(item) end
      if item == nil or item == false then return notify("item", false) end
      if type(item) ~= "table" then
        return keep("on_item returned a " .. type(item)
          .. "; it must return the item, or nil to drop it")
      end
      local sent, problem = pcall(notify, "item", item)
      if not sent then keep(problem) end
    end

    while true do
      local items = call("hook.items")
      if #items == 0 then break end
      for i = 1, #items do
        number = number + 1
        give(pcall(action, items[i], run, ctx))
      end
    end
    if badCount > loggedMax then
      local more = badCount - loggedMax
      local what = more == 1 and " more item failed" or " more items failed"
      notify("log", "warning", "on_item: " .. more .. what)
    end
    return {}
    """#)
}
