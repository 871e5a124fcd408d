extension PreludeModule {
  /// `require "http"`: requests that the host sends.
  ///
  /// The only host call, `http.request`, takes one table: `method`, `url`, `headers` (names and
  /// strings), `body`, `auth` (`{user, password}`, `{bearer}` or `{aws}`), `timeout` in seconds,
  /// `conditional`, `redirects`. Strings with secrets have the form of `SecretText`. A JSON body
  /// with secrets is passed as `json` instead of `body`.
  ///
  /// The host call returns a table of `status`, `headers` (lower-case names), `body`, `url`,
  /// `not_modified` and `same_body`, or `nil, message, code, retryable`. If the run's time limit
  /// was suspended during the request, one more value follows: the seconds of the suspension.
  package static let http = PreludeModule(
    "http",
    #"""
    local _, require = ...
    local chunk, notify, clock = fetchrun.chunk, fetchrun.notify, fetchrun.clock
    local type, next, setmetatable, select = type, next, setmetatable, select
    local lower, rawget = string.lower, rawget
    local set_options, decoded

    local any_case = {
      __index = function(headers, name)
        return type(name) == "string" and rawget(headers, lower(name)) or nil
      end,
    }

    local methods = {}
    local response_metatable = { __index = methods, __name = "response" }

    function methods.json(response)
      decoded = decoded or chunk("fetchrun:http-json")(require, response_metatable)
      return decoded(response)
    end

    local function wrap(answer)
      answer.ok = answer.status >= 200 and answer.status <= 299
      answer.body = answer.body or ""
      setmetatable(answer.headers, any_case)
      return setmetatable(answer, response_metatable)
    end

    -- A replayed run receives its answers and their waits immediately, so a wait counts no more
    -- than the call took.
    local function take_wait(startedAt, answer, problem, ...)
      local waited = answer and problem or select(3, ...)
      if waited then
        local took = clock() - startedAt
        fetchrun.waited = (fetchrun.waited or 0) + (waited < took and waited or took)
      end
      if answer then return answer end
      return nil, problem, ...
    end

    local function send(name, method, url, options)
      local secrets = fetchrun.secrets
      if type(url) ~= "string" and not (secrets and secrets.parts(url)) then
        chunk("fetchrun:mistakes")("url", name, url)
      end
      local message = { method = method, url = url, headers = {} }
      if options ~= nil then
        set_options = set_options or chunk("fetchrun:http-options")(require)
        set_options(name, message, options)
      end
      if secrets then message.url = secrets.wire(message.url) end
      local answer, problem, code, retryable = take_wait(
        clock(), fetchrun.call("http.request", message))
      if answer then return wrap(answer) end
      if code then notify("remember", problem, code, retryable or false) end
      return nil, problem, code
    end

    local http = {}
    for name, method in next, {
      get = "GET", head = "HEAD", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE",
    } do
      http[name] = function(url, options) return send("http." .. name, method, url, options) end
    end

    function http.request(options)
      if type(options) ~= "table" then chunk("fetchrun:mistakes")("options", options) end
      return send("http.request", options.method or "GET", options.url, options)
    end

    return http
    """#)
}

extension PreludeChunk {
  /// The chunk of `response:json()`, loaded when a run first calls this method. Most runs wait for
  /// an answer or get one without a body, and need no memory for it.
  static let httpJSON = PreludeChunk(
    "fetchrun:http-json",
    #"""
    local require, metatable = ...
    local fail, notify = fetchrun.fail, fetchrun.notify
    local getmetatable, tostring = getmetatable, tostring

    -- Returns the value of a JSON body. An error status is an error that names the status.
    return function(response)
      if getmetatable(response) ~= metatable then
        fail("pluginError", "call json with a colon: response:json()")
      end
      if response.not_modified then
        fail("pluginError", response.url .. " has not changed since the last run, so there is no"
          .. " body; check response.not_modified first, or set conditional = false")
      end
      if not response.ok then
        local message = response.url .. " answered " .. tostring(response.status)
        local retryable = response.status >= 500 or response.status == 429
        notify("remember", message, "httpStatus", retryable)
        fail("httpStatus", message)
      end
      fetchrun.decoded = nil
      local value, message = require("json").decode(response.body)
      if value == nil and message then
        fail("invalidResponse", response.url .. " did not answer with valid JSON: " .. message)
      end
      -- Kept for the message about a field that the value lacks.
      fetchrun.decoded = value
      return value
    end
    """#)
}
