-- Any JSON API that answers lists: where the items are, which fields they have, how pages follow.
local http, json, url = require "http", require "json", require "url"

-- The value at a path such as "data.items" or "links.1.href"; "" is the whole.
local function at(value, path)
  for key in path:gmatch("[^.]+") do
    if type(value) ~= "table" then return nil end
    local found = value[key]
    if found == nil then found = value[math.tointeger(tonumber(key)) or key] end
    value = found
  end
  if value == json.null then return nil end
  return value
end

-- The address with rel="next" in a Link header (RFC 8288), or nil.
local function next_link(header)
  for target, parameters in (header or ""):gmatch("<([^>]*)>([^,]*)") do
    if parameters:lower():find('rel="?next"?') then return target end
  end
end

-- The source's own item when no mapping is given, else the mapped fields.
local function map(element, fields)
  if next(fields) == nil then return element end
  local item = {}
  for name, path in pairs(fields) do item[name] = at(element, path) end
  return item
end

-- What changes from page to page: the address or the query of the next request, nil at the end.
local follow = {
  none = function() return nil end,

  ["next-link"] = function(options, page)
    local target
    if options.next_path then
      target = at(page.body, options.next_path)
    else
      target = next_link(page.response.headers.link)
    end
    return target and { url = url.resolve(page.response.url, target), query = {} }
  end,

  page = function(options, page)
    if page.count == 0 then return nil end
    return { query = { [options.page_param] = options.first_page + page.number } }
  end,

  offset = function(options, page)
    if page.count < options.page_size then return nil end
    return { query = { [options.offset_param] = page.number * options.page_size } }
  end,

  cursor = function(options, page)
    local cursor = at(page.body, options.next_path or "next_cursor")
    if cursor == nil or cursor == "" then return nil end
    return { query = { [options.cursor_param] = cursor } }
  end,
}

local function first_query(options, state)
  local query = {}
  for name, value in pairs(options.query) do query[name] = value end
  if options.pagination == "page" then query[options.page_param] = options.first_page end
  if options.pagination == "offset" then
    query[options.offset_param] = 0
    query[options.limit_param] = options.page_size
  end
  if options.resume_param and state.resume ~= nil then
    query[options.resume_param] = state.resume
  end
  return query
end

local function fetch(ctx)
  local options = ctx.options
  local target, query = options.url, first_query(options, ctx.state)
  for number = 1, options.max_pages do
    local response, problem = http.get(target, {
      query = query, headers = options.headers, conditional = options.pagination == "none",
    })
    if not response then return nil, problem end
    if response.not_modified then return {} end
    local body = response:json()
    local elements = at(body, options.items)
    if type(elements) ~= "table" then
      return nil, ("no list at '%s' in the answer of %s"):format(options.items, response.url)
    end
    for _, element in ipairs(elements) do ctx:emit(map(element, options.fields)) end
    if options.resume_path then
      local resume = at(body, options.resume_path)
      if resume ~= nil then ctx.state.resume = resume end
    end
    local page = { response = response, body = body, number = number, count = #elements }
    local following = follow[options.pagination](options, page)
    if not following then return end
    target = following.url or options.url
    if following.url then
      query = following.query
    else
      for name, value in pairs(following.query) do query[name] = value end
    end
  end
end

return {
  api = 1,
  name = "json-api",
  version = "1.0.0",
  description = "items of any JSON API",
  options = {
    url = { type = "url", required = true, description = "address of the list" },
    items = { default = "", description = "path to the list, such as data.items" },
    fields = { type = "table", default = {}, description = "item field -> path in an element" },
    query = { type = "table", default = {}, description = "query parameters of every request" },
    headers = { type = "table", default = {}, description = "headers of every request" },
    pagination = {
      default = "none", choices = { "none", "next-link", "page", "offset", "cursor" },
      description = "how pages follow each other",
    },
    max_pages = { type = "integer", default = 10, description = "pages of one run, at most" },
    next_path = { description = "path to the next link or cursor in the answer" },
    page_param = { default = "page", description = "name of the page parameter" },
    first_page = { type = "integer", default = 1, description = "number of the first page" },
    offset_param = { default = "offset", description = "name of the offset parameter" },
    limit_param = { default = "limit", description = "name of the page size parameter" },
    page_size = { type = "integer", default = 100, description = "items of a page (offset)" },
    cursor_param = { default = "cursor", description = "name of the cursor parameter" },
    resume_param = { description = "parameter that carries what resume_path gave last time" },
    resume_path = { description = "path in the answer to what the next run resumes from" },
  },
  permissions = { http = { "{options.url}" } },
  interval = "adaptive",
  fetch = fetch,
}
