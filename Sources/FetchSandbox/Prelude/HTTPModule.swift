extension PreludeModule {
  /// `require "http"`: requests that the host sends.
  ///
  /// One host call, `http.request`, with one table: `method`, `url`, `headers` (a table of name and
  /// text), `body`, `auth` (`{user, password}` or `{bearer}`), `timeout` in seconds, `conditional`,
  /// `redirects`. It answers a table `status`, `headers` (lower-case names), `body`, `url`,
  /// `not_modified`, `same_body`; or `nil, message, code, retryable`.
  package static let http = PreludeModule(
    "http",
    #"""
    local _, require = ...
    local fail, notify = fetchrun.fail, fetchrun.notify
    local type, next, tostring, setmetatable = type, next, tostring, setmetatable
    local gsub, format, byte, lower = string.gsub, string.format, string.byte, string.lower
    local sort, concat, find = table.sort, table.concat, string.find

    local known = {
      query = "table", headers = "table", body = "string", json = "any", form = "table",
      auth = "table", bearer = "string", timeout = "number", conditional = "boolean",
      redirects = "boolean", method = "string", url = "string",
    }

    local function check(name, options)
      for option, value in next, options do
        local wanted = known[option]
        if not wanted then
          local names = {}
          for other in next, known do names[#names + 1] = other end
          sort(names)
          fail("pluginError", name .. ": there is no option '" .. tostring(option)
            .. "'; there are " .. concat(names, ", "))
        elseif wanted ~= "any" and type(value) ~= wanted then
          fail("pluginError", name .. ": option '" .. option .. "' must be a " .. wanted
            .. ", got a " .. type(value))
        end
      end
    end

    local function escape(text)
      return (gsub(tostring(text), "[^%w._~-]", function(c) return format("%%%02X", byte(c)) end))
    end

    -- Names in order, so that the same options always make the same address.
    local function encode(fields)
      local names, pairs_ = {}, {}
      for name in next, fields do names[#names + 1] = tostring(name) end
      sort(names)
      for _, name in ipairs(names) do
        local value = fields[name]
        if type(value) == "table" then
          for _, one in ipairs(value) do pairs_[#pairs_ + 1] = escape(name) .. "=" .. escape(one) end
        else
          pairs_[#pairs_ + 1] = escape(name) .. "=" .. escape(value)
        end
      end
      return concat(pairs_, "&")
    end

    local function with_query(url, query)
      local text = encode(query)
      if text == "" then return url end
      local address, fragment = url, ""
      local hash = find(url, "#", 1, true)
      if hash then address, fragment = url:sub(1, hash - 1), url:sub(hash) end
      local mark = find(address, "?", 1, true) and "&" or "?"
      return address .. mark .. text .. fragment
    end

    local function has_header(headers, wanted)
      for name in next, headers do
        if type(name) == "string" and lower(name) == wanted then return true end
      end
      return false
    end

    local function set_body(name, options, message)
      local given = 0
      for _, option in ipairs { "body", "json", "form" } do
        if options[option] ~= nil then given = given + 1 end
      end
      if given > 1 then fail("pluginError", name .. ": give one of body, json and form") end
      local content_type
      if options.json ~= nil then
        message.body = require("json").encode(options.json)
        content_type = "application/json"
      elseif options.form then
        message.body = encode(options.form)
        content_type = "application/x-www-form-urlencoded"
      else
        message.body = options.body
      end
      if content_type and not has_header(message.headers, "content-type") then
        message.headers["Content-Type"] = content_type
      end
    end

    local any_case = {
      __index = function(headers, name)
        return type(name) == "string" and rawget(headers, lower(name)) or nil
      end,
    }

    local methods = {}
    local response_metatable = { __index = methods, __name = "response" }

    -- The value of a JSON body. An error page is an error that names the status.
    function methods.json(response)
      if not response.ok then
        local message = response.url .. " answered " .. tostring(response.status)
        local retryable = response.status >= 500 or response.status == 429
        notify("remember", message, "httpStatus", retryable)
        fail("httpStatus", message)
      end
      local value, message = require("json").decode(response.body)
      if value == nil and message then
        fail("invalidResponse", response.url .. " did not answer JSON: " .. message)
      end
      return value
    end

    local function wrap(answer)
      answer.ok = answer.status >= 200 and answer.status <= 299
      answer.body = answer.body or ""
      setmetatable(answer.headers, any_case)
      return setmetatable(answer, response_metatable)
    end

    local function send(name, method, url, options)
      if type(url) ~= "string" then
        fail("pluginError", name .. " needs an address, got a " .. type(url))
      end
      options = options or {}
      if type(options) ~= "table" then
        fail("pluginError", name .. ": options must be a table, got a " .. type(options))
      end
      check(name, options)
      local message = { method = method, url = url, headers = {} }
      for header, value in next, options.headers or {} do
        message.headers[tostring(header)] = tostring(value)
      end
      if options.query then message.url = with_query(url, options.query) end
      set_body(name, options, message)
      if options.bearer then
        message.auth = { bearer = options.bearer }
      elseif options.auth then
        message.auth = {
          user = options.auth.user, password = options.auth.password, bearer = options.auth.bearer,
        }
      end
      message.timeout = options.timeout
      message.conditional = options.conditional
      message.redirects = options.redirects
      local answer, problem, code, retryable = fetchrun.call("http.request", message)
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
      if type(options) ~= "table" then
        fail("pluginError", "http.request needs a table of options, got a " .. type(options))
      end
      return send("http.request", options.method or "GET", options.url, options)
    end

    return http
    """#)
}
