extension PreludeChunk {
  /// `ctx:secret(name)`: returns a handle that stands for a secret in the options of a request; nil
  /// if the job or hook does not have the secret. The worker does not have the secret's value,
  /// which the host inserts when it sends the request.
  ///
  /// The chunk is loaded when a run first uses a secret. The parameter is a table of the manifest's
  /// secrets. The table's keys are the names of the secrets, and its values say whether the job or
  /// hook has the secret. The chunk returns the functions with which other chunks create and read
  /// handles.
  static let secrets = PreludeChunk(
    "fetchrun:secrets",
    #"""
    local asked = ...
    local fail, type, next, tostring = fetchrun.fail, type, next, tostring
    local setmetatable, getmetatable, rawget = setmetatable, getmetatable, rawget
    local sort, concat, gsub, find = table.sort, table.concat, string.gsub, string.find
    local format, byte = string.format, string.byte
    local where = "a secret can only be used in the options of http and ctx:transfer: in headers, query, form, json,"
      .. " body, bearer and auth, and in the path or query of a URL"
    local array = getmetatable(fetchrun.array {})
    local deepest = 100

    -- The parts by handle: a list of texts and of { name =, as = }. A handle itself is an empty
    -- table.
    local parts_of, handles = {}, {}
    local metatable = { __metatable = false, __name = "secret", __unsendable = where }

    local function handle(parts)
      local new = setmetatable({}, metatable)
      parts_of[new] = parts
      return new
    end

    local function parts(value)
      return value ~= nil and parts_of[value] or nil
    end

    local function shown(value)
      local texts = {}
      for i, part in next, parts_of[value] do
        texts[i] = type(part) == "table" and "secret(" .. part.name .. ")" or part
      end
      return concat(texts)
    end

    metatable.__tostring = shown

    function metatable.__concat(left, right)
      local all = {}
      local function add(value)
        local more = parts(value)
        if more then
          for i = 1, #more do all[#all + 1] = more[i] end
        elseif type(value) == "string" or type(value) == "number" then
          all[#all + 1] = tostring(value)
        else
          fail("pluginError", fetchrun.kind(value) .. " cannot be joined to a secret")
        end
      end
      add(left)
      add(right)
      return handle(all)
    end

    for _, event in next, {
      "index", "newindex", "call", "len", "unm", "add", "sub", "mul", "div", "mod", "pow", "idiv",
      "band", "bor", "bxor", "bnot", "shl", "shr", "lt", "le", "pairs",
    } do
      metatable["__" .. event] = function() fail("pluginError", where) end
    end

    local secrets = { parts = parts }

    function secrets.named(name)
      if type(name) ~= "string" then
        fail("pluginError", "ctx:secret needs the name of a secret, got " .. fetchrun.kind(name))
      end
      local known = asked[name]
      if known == nil then
        local names = {}
        for other in next, asked do names[#names + 1] = other end
        sort(names)
        fail("pluginError", "the manifest does not ask for the secret '" .. name .. "'; "
          .. (#names > 0 and "it asks for " .. concat(names, ", ")
            or "add it to permissions.secrets, with the hosts that may receive it"))
      end
      if not known then return nil end
      handles[name] = handles[name] or handle { { name = name } }
      return handles[name]
    end

    -- Returns the form that the host receives.
    function secrets.wire(value)
      local known = parts(value)
      return known and { ["$secret"] = known } or value
    end

    local function escape(text)
      return (gsub(text, "[^%w._~-]", function(c) return format("%%%02X", byte(c)) end))
    end

    -- Returns a handle with every part percent-encoded.
    function secrets.escaped(value)
      local escaped = {}
      for i, part in next, parts_of[value] do
        escaped[i] = type(part) == "table" and { name = part.name, as = "url" } or escape(part)
      end
      return handle(escaped)
    end

    -- Whether the handle's own texts contain the character.
    function secrets.has(value, character)
      for _, part in next, parts_of[value] do
        if type(part) == "string" and find(part, character, 1, true) then return true end
      end
      return false
    end

    local function inside(value, depth)
      if type(value) ~= "table" or depth > deepest then return false end
      if parts(value) then return true end
      for key, field in next, value do
        if parts(key) then fail("pluginError", "a secret cannot be a key in a table") end
        if inside(field, depth + 1) then return true end
      end
      return false
    end

    local function copy(value, depth)
      if type(value) ~= "table" or depth > deepest then return value end
      if parts(value) then return secrets.wire(value) end
      local result = {}
      for key, field in next, value do result[key] = copy(field, depth + 1) end
      return getmetatable(value) == array and fetchrun.array(result) or result
    end

    -- Returns the tree for the host if it contains a secret, otherwise nil.
    function secrets.tree(value)
      return inside(value, 1) and copy(value, 1) or nil
    end

    return secrets
    """#)
}
