extension PreludeChunk {
  /// The chunk that adds the options of a request to the message for the host. It is loaded with
  /// the run's first request that has options, because most requests have none.
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

    local takes_secret = { body = true, json = true, bearer = true, url = true }

    local function is_secret(value)
      return fetchrun.secrets and fetchrun.secrets.parts(value) ~= nil
    end

    local function check(name, options)
      for option, value in next, options do
        local wanted = known[option]
        if not wanted then
          local names = {}
          for other in next, known do names[#names + 1] = other end
          sort(names)
          fail("pluginError", name .. ": unknown option '" .. tostring(option)
            .. "'; the options are " .. concat(names, ", "))
        elseif is_secret(value) then
          if not takes_secret[option] then
            fail("pluginError", name .. ": option '" .. option .. "' cannot be a secret")
          end
        elseif wanted ~= "any" and type(value) ~= wanted then
          fail("pluginError", name .. ": option '" .. option .. "' must be a " .. wanted
            .. ", got a " .. type(value))
        end
      end
    end

    local function name_of(key)
      if is_secret(key) then
        fail("pluginError", "http: a secret cannot be the name of a header or a field")
      end
      return tostring(key)
    end

    local has_text = { string = true, number = true, boolean = true }

    -- Returns the text of a value that is not a secret. `what` and `key` name its place.
    local function text_of(value, what, key)
      if not has_text[type(value)] then
        fail("pluginError", "http: the " .. what .. " '" .. key
          .. "' must be a string, a number or a secret, got " .. fetchrun.kind(value))
      end
      return tostring(value)
    end

    local function escape(text, key)
      if is_secret(text) then return fetchrun.secrets.escaped(text) end
      return (gsub(text_of(text, "field", key), "[^%w._~-]", function(c)
        return format("%%%02X", byte(c))
      end))
    end

    -- Sorts the names, so that equal options give equal URLs.
    local function encode(fields)
      local names, parts = {}, {}
      for name in next, fields do names[#names + 1] = name_of(name) end
      sort(names)
      for _, name in ipairs(names) do
        local value = fields[name]
        if type(value) == "table" and not is_secret(value) then
          for _, one in ipairs(value) do
            parts[#parts + 1] = escape(name) .. "=" .. escape(one, name)
          end
        else
          parts[#parts + 1] = escape(name) .. "=" .. escape(value, name)
        end
      end
      if not fetchrun.secrets then return concat(parts, "&") end
      local text = parts[1] or ""
      for i = 2, #parts do text = text .. "&" .. parts[i] end
      return text
    end

    local function with_query(url, query)
      local text = encode(query)
      if text == "" then return url end
      if is_secret(url) then
        return url .. (fetchrun.secrets.has(url, "?") and "&" or "?") .. text
      end
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
      if given > 1 then fail("pluginError", name .. ": give only one of body, json and form") end
      local secrets, content_type = fetchrun.secrets, nil
      if options.json ~= nil then
        message.json = secrets and secrets.tree(options.json)
        if message.json == nil then message.body = require("json").encode(options.json) end
        content_type = "application/json"
      elseif options.form then
        message.body = encode(options.form)
        content_type = "application/x-www-form-urlencoded"
      else
        message.body = options.body
      end
      if secrets then message.body = secrets.wire(message.body) end
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
        local key = name_of(header)
        message.headers[key] = is_secret(value) and fetchrun.secrets.wire(value)
          or text_of(value, "header", key)
      end
      if options.query then message.url = with_query(message.url, options.query) end
      set_body(name, options, message)
      if options.bearer then
        message.auth = { bearer = options.bearer }
      elseif options.auth then
        local auth = options.auth
        message.auth = {
          user = auth.user, password = auth.password, bearer = auth.bearer, aws = auth.aws,
        }
      end
      local secrets = fetchrun.secrets
      if secrets and message.auth then
        message.auth = secrets.tree(message.auth) or message.auth
      end
      message.timeout = options.timeout
      message.conditional = options.conditional
      message.redirects = options.redirects
    end
    """#)
}
