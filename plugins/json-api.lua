-- Any JSON API that answers lists: where the items are, which fields they have, how pages follow.
local http, json, log, url = require "http", require "json", require "log", require "url"

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

-- What is there on the way to a path, for a message: "'data' has items, total".
local function described(body, path)
  local found = at(body, path)
  if found == nil and path ~= "" then return described(body, path:match("^(.*)%.") or "") end
  local place = path == "" and "the answer" or ("'%s'"):format(path)
  if type(found) ~= "table" then return ("%s is a %s"):format(place, type(found)) end
  local names = {}
  for name in pairs(found) do names[#names + 1] = tostring(name) end
  table.sort(names)
  return ("%s has %s"):format(place, table.concat(names, ", ", 1, math.min(#names, 10)))
end

local function is_list(value)
  return type(value) == "table" and (#value > 0 or next(value) == nil)
end

-- The address with rel="next" in a Link header (RFC 8288), or nil.
local function next_link(header)
  for target, parameters in (header or ""):gmatch("<([^>]*)>([^<]*)") do
    local relations = parameters:match('[;%s]rel%s*=%s*"([^"]*)"')
      or parameters:match("[;%s]rel%s*=%s*([^;,%s]*)") or ""
    for relation in relations:lower():gmatch("%S+") do
      if relation == "next" then return target end
    end
  end
end

-- Fields of an item that are text; APIs have numbers and whole objects there.
local texts = { "id", "title", "url", "published", "updated", "author", "summary", "content" }

local function as_text(value)
  if type(value) == "table" then return json.encode(value, { sort = true }) end
  return tostring(value)
end

-- The mapped fields of an element, or all of them when no mapping is given.
local function map(element, fields)
  if type(element) ~= "table" then element = { title = element } end
  local item = {}
  if next(fields) == nil then
    for name, value in pairs(element) do item[name] = value end
  else
    for name, path in pairs(fields) do item[name] = at(element, path) end
  end
  for _, name in ipairs(texts) do
    local value = item[name]
    if value ~= nil and value ~= json.null then item[name] = as_text(value) end
  end
  if item.tags ~= nil and item.tags ~= json.null then
    local tags = is_list(item.tags) and item.tags or { item.tags }
    for i, tag in ipairs(tags) do tags[i] = as_text(tag) end
    item.tags = tags
  end
  return item
end

-- Whether nothing follows a page that was asked for by a number: it is empty, or the one before it
-- once more, since the server does not know the parameter.
local function is_last(page, parameter)
  if page.count == 0 then return true end
  if page.response.body ~= page.before then return false end
  log.warn("the server gives the same page again; does it know the parameter", parameter)
  return true
end

-- What servers say to a page past the end of the list.
local past_the_end = { [400] = true, [404] = true, [416] = true, [422] = true }

-- By pagination: address and query of the page after this one; nil at the end.
local follow = {
  none = function() return nil end,

  ["next-link"] = function(options, page)
    local link
    if options.next_path then
      link = at(page.body, options.next_path)
    else
      link = next_link(page.response.headers.link)
    end
    if link == nil or link == "" then return nil end
    return assert(url.resolve(page.response.url, link)), {}
  end,

  page = function(options, page)
    if is_last(page, options.page_param) then return nil end
    page.query[options.page_param] = options.first_page + page.number
    return options.url, page.query
  end,

  -- A server may give fewer than it is asked for: one that never gave as many is at its end with an
  -- empty page only.
  offset = function(options, page)
    if is_last(page, options.offset_param) then return nil end
    if page.count < options.page_size and page.first_count >= options.page_size then return nil end
    page.query[options.offset_param] = page.query[options.offset_param] + page.count
    return options.url, page.query
  end,

  cursor = function(options, page)
    local cursor = at(page.body, options.next_path or "next_cursor")
    if cursor == nil or cursor == "" then return nil end
    page.query[options.cursor_param] = cursor
    return options.url, page.query
  end,
}

-- Whose pages are asked for by a number: nothing in one tells whether another follows.
local is_counted = { page = true, offset = true }

-- How many elements a page has that is not the last one.
local function most_of_a_page(options, first_count)
  if options.pagination == "offset" and options.max_pages == 1 then return options.page_size end
  return first_count
end

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
  local address, query = options.url, first_query(options, ctx.state)
  local before, first_count, count
  for number = 1, options.max_pages do
    local response, problem = http.get(address, {
      -- A later page may have changed where the first one has not.
      query = query, headers = options.headers, conditional = options.pagination == "none",
    })
    if not response then return nil, problem end
    if response.not_modified or response.same_body then return end
    if number > 1 and is_counted[options.pagination] and past_the_end[response.status] then
      log.info(("the list ends here: %s answered %d"):format(response.url, response.status))
      return
    end

    local body = response:json()
    local elements = at(body, options.items)
    if not is_list(elements) then
      return nil, ("%s gave no list: %s; set the option 'items' to the path of the list"):format(
        response.url, described(body, options.items))
    end
    count = #elements
    first_count = first_count or count
    for _, element in ipairs(elements) do ctx:emit(map(element, options.fields)) end

    local resume = options.resume_path and at(body, options.resume_path)
    if resume ~= nil then ctx.state.resume = resume end

    address, query = follow[options.pagination](options, {
      response = response, body = body, number = number, count = count, query = query,
      before = before, first_count = first_count,
    })
    before = response.body
    if not address then return end
  end
  if not is_counted[options.pagination] then
    log.warn("there are more pages than max_pages =", options.max_pages)
  elseif count >= most_of_a_page(options, first_count) then
    log.warn("there may be more pages than max_pages =", options.max_pages)
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
    page_size = { type = "integer", default = 100, description = "items of a page (offset), at most" },
    cursor_param = { default = "cursor", description = "name of the cursor parameter" },
    resume_param = { description = "parameter that carries what resume_path gave last time" },
    resume_path = { description = "path in the answer to what the next run resumes from" },
  },
  permissions = { http = { "{options.url}" } },
  interval = "adaptive",
  fetch = fetch,
}
