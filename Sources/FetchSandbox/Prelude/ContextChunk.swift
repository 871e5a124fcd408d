extension PreludeChunk {
  /// The chunk of the rarely used functions of `ctx`. A run loads the chunk when it first uses one
  /// of the functions.
  ///
  /// The parameters are `ctx`, the function for host calls, and a table of the manifest's secrets.
  /// The table's keys are the names of the secrets, and its values say whether the job has the
  /// secret. The chunk returns a table of the functions. One of them, `refuse`, raises an error
  /// about a name that `ctx` does not have.
  static let context = PreludeChunk(
    "fetchrun:context",
    #"""
    local ctx, call, secrets = ...
    local fail, notify = fetchrun.fail, fetchrun.notify
    local type, next, tostring, rawget = type, next, tostring, rawget
    local context = {}

    -- Stores the items so far and the state, which a later failure does not undo.
    function context.checkpoint()
      call("checkpoint", rawget(ctx, "state"))
    end

    -- Declares the run's items complete: the host treats missing items as removed. This holds even
    -- if some answers were unchanged; the plugin knows those items from its state.
    function context.complete()
      notify("whole")
    end

    -- Sets a short text for the last line of the run.
    function context.note(self, text)
      if self ~= ctx then text = self end
      if type(text) ~= "string" then
        fail("pluginError", "ctx:note needs a string, got " .. fetchrun.kind(text))
      end
      notify("note", text)
    end

    function context.secret(self, name)
      if self ~= ctx then name = self end
      fetchrun.secrets = fetchrun.secrets or fetchrun.chunk("fetchrun:secrets")(secrets or {})
      return fetchrun.secrets.named(name)
    end

    -- Requests one transfer, or a list: the result is then three lists (ids, messages, codes) with
    -- false in empty places.
    function context.transfer(self, request)
      if self ~= ctx then request = self end
      if type(request) ~= "table" then
        fail("pluginError", "ctx:transfer needs a table such as { url = ..., to = ... }, got "
          .. fetchrun.kind(request))
      end
      local secrets = fetchrun.secrets
      if secrets then request = secrets.tree(request) or request end
      local id, problem, code, retryable = call("transfer", request)
      if not id and code then notify("remember", problem, code, retryable or false) end
      return id, problem, code
    end

    function context.refuse(verb, key)
      local names = {}
      for name in next, ctx do names[#names + 1] = name end
      table.sort(names)
      fail("pluginError", "ctx has no field '" .. tostring(key) .. "'" .. verb .. "; it has "
        .. table.concat(names, ", "))
    end

    return context
    """#)
}
