extension PreludeChunk {
  /// The chunk that runs a plugin. It creates `ctx`, loads the plugin, calls the function that
  /// `entry` names (`fetch` or `on_transfer`) and sends the result. It returns the state for the
  /// next run.
  static let main = PreludeChunk(
    "fetchrun:main",
    #"""
    local arguments, entry, window, file, files = ...
    local call, notify, clock = fetchrun.call, fetchrun.notify, fetchrun.clock
    local chunk, type, rawlen, rawget = fetchrun.chunk, type, rawlen, rawget
    local itemsPerMessage = 200
    local startedAt = clock()

    local isLoading = true
    function fetchrun.call(name, ...)
      if isLoading then chunk("fetchrun:mistakes")("early", name) end
      return call(name, ...)
    end

    -- Recorded and replayed runs must not depend on their duration, so their clock is frozen.
    if arguments.stands_still then
      arguments.stands_still = nil
      function clock() return startedAt end
    end

    local now = arguments.now
    if now then
      arguments.now = nil
      function fetchrun.now() return now + (clock() - startedAt) end
    end

    chunk("fetchrun:require")(files)

    local transfer = arguments.ended_transfer
    arguments.ended_transfer = nil

    local ctx = arguments
    ctx.options = ctx.options or {}
    ctx.state = ctx.state or {}
    -- The worker's own key, which it restores when the run ends.
    if type(ctx.state) == "table" then ctx.state["fetchrun:encodings"] = nil end

    function ctx.emit(self, item)
      if self ~= ctx then item = self end
      if type(item) ~= "table" or rawlen(item) > 0 then chunk("fetchrun:mistakes")("emit", item) end
      notify("item", item)
    end

    function ctx.time_left()
      local left = window + (fetchrun.waited or 0) - (clock() - startedAt)
      return left > 0 and left or 0.0
    end

    -- Rarely used functions, loaded on first use.
    local secrets, late = arguments.secrets, nil
    arguments.secrets = nil
    local function later(name)
      return function(...)
        late = late or chunk("fetchrun:context")(ctx, call, secrets)
        return late[name](...)
      end
    end
    ctx.checkpoint, ctx.complete, ctx.note = later("checkpoint"), later("complete"), later("note")
    ctx.secret, ctx.transfer = later("secret"), later("transfer")
    local refuse = later("refuse")

    setmetatable(ctx, {
      __metatable = false,
      __index = function(_, key) refuse("", key) end,
      __newindex = function(_, key)
        refuse(" (keep values in ctx.state)", key)
      end,
    })

    local plugin = chunk(file)()
    isLoading = false
    local fetch = type(plugin) == "table" and plugin[entry]
    if type(fetch) ~= "function" then chunk("fetchrun:mistakes")("entry", entry) end

    -- Calls through a field, so that tracebacks name the entry: this code has no names of locals.
    local entries = { fetch = fetch, on_transfer = fetch }
    local result, message
    if transfer then
      result, message = entries.on_transfer(ctx, transfer)
    else
      result, message = entries.fetch(ctx)
    end
    if message ~= nil and not result then
      message = tostring(message)
      if message == "" then
        message = entry .. " returned " .. tostring(result) .. " and an empty message"
      end
      notify("failed", message)
    elseif result == nil then
      -- No result is valid, but may be a forgotten `return`.
      notify("nothing")
    elseif type(result) ~= "table" then
      chunk("fetchrun:mistakes")("kind", entry, result)
    else
      local count, key = fetchrun.count(result)
      if not count then chunk("fetchrun:mistakes")("result", entry, result, key) end
      if count <= itemsPerMessage then
        if count > 0 then notify("items", result) end
      else
        for first = 1, count, itemsPerMessage do
          local last = first + itemsPerMessage - 1
          notify("items", table.move(result, first, last < count and last or count, 1, {}))
        end
      end
    end

    local state = rawget(ctx, "state")
    if state == nil then return {} end
    if type(state) ~= "table" then chunk("fetchrun:mistakes")("state", state) end
    return state
    """#)
}
