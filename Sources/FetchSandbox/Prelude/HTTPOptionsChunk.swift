extension PreludeChunk {
  /// What the options of a request make of its message. Apart from the module because most requests
  /// have none, and each run loads what it uses.
  static let httpOptions = PreludeChunk(
    "fetchrun:http-options",
    #"""
    local require = ...
    local fail, type, next, tostring, ipairs = fetchrun.fail, type, next, tostring, ipairs
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
      local names, parts = {}, {}
      for name in next, fields do names[#names + 1] = tostring(name) end
      sort(names)
      for _, name in ipairs(names) do
        local value = fields[name]
        if type(value) == "table" then
          for _, one in ipairs(value) do parts[#parts + 1] = escape(name) .. "=" .. escape(one) end
        else
          parts[#parts + 1] = escape(name) .. "=" .. escape(value)
        end
      end
      return concat(parts, "&")
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

    return function(name, message, options)
      if type(options) ~= "table" then
        fail("pluginError", name .. ": options must be a table, got a " .. type(options))
      end
      check(name, options)
      for header, value in next, options.headers or {} do
        message.headers[tostring(header)] = tostring(value)
      end
      if options.query then message.url = with_query(message.url, options.query) end
      set_body(name, options, message)
      local auth = options.auth or {}
      if options.bearer then
        message.auth = { bearer = options.bearer }
      elseif options.auth then
        message.auth = { user = auth.user, password = auth.password, bearer = auth.bearer }
      end
      message.timeout = options.timeout
      message.conditional = options.conditional
      message.redirects = options.redirects
    end
    """#)
}
