-- Any JSON API with lists. Options name the place of the items, their fields and the pagination.
local http, json, log = require "http", require "json", require "log"
local time, url = require "time", require "url"

-- Returns the value at a path such as "data.items" or "links.1.href"; "" is the whole.
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

local names_max = 10

-- Returns the first keys of a table by name, for messages.
local function keys_of(value)
  local names = {}
  for name in pairs(value) do names[#names + 1] = tostring(name) end
  table.sort(names)
  return table.concat(names, ", ", 1, math.min(#names, names_max))
end

-- Describes the nearest value on the way to a path, for a message: "'data' has items, total".
local function described(body, path)
  local found = at(body, path)
  if found == nil and path ~= "" then return described(body, path:match("^(.*)%.") or "") end
  local place = path == "" and "the answer" or ("'%s'"):format(path)
  if type(found) ~= "table" then return ("%s is a %s"):format(place, type(found)) end
  return ("%s has %s"):format(place, keys_of(found))
end

local function is_list(value)
  return type(value) == "table" and (#value > 0 or next(value) == nil)
end

-- Returns the address with rel="next" in a Link header (RFC 8288), or nil.
local function next_link(header)
  for target, parameters in (header or ""):gmatch("<([^>]*)>([^<]*)") do
    local relations = parameters:match('[;%s]rel%s*=%s*"([^"]*)"')
      or parameters:match("[;%s]rel%s*=%s*([^;,%s]*)") or ""
    for relation in relations:lower():gmatch("%S+") do
      if relation == "next" then return target end
    end
  end
end

-- The text fields of an item; APIs may send numbers or whole objects in them.
local texts = { "id", "title", "url", "published", "updated", "author", "summary", "content" }

local function as_text(value)
  if type(value) == "table" then return json.encode(value, { sort = true }) end
  return tostring(value)
end

-- The usual names of an item's fields in APIs, in the order of preference.
local usual = {
  title = { "title", "name", "version", "subject", "headline", "label" },
  url = { "url", "html_url", "web_url", "link", "permalink", "href" },
  id = { "id", "guid", "uuid", "_id", "number", "key", "slug" },
  published = {
    "published", "published_at", "publishedAt", "pubDate", "pub_date", "date", "created_at",
    "createdAt", "created", "released_at", "timestamp",
  },
  updated = { "updated", "updated_at", "updatedAt", "modified", "last_modified" },
}

local function is_text(value)
  return type(value) == "string" and value ~= "" or math.type(value) == "integer"
end

-- Returns the first of an element's usual fields that is a text or a whole number.
local function found(element, name)
  for _, key in ipairs(usual[name]) do
    if is_text(element[key]) then return element[key] end
  end
end

-- The limit between seconds and milliseconds since 1970.
local seconds_max = 100000000000

-- Returns a date in the form of items; nil if the value is not a date.
local function as_date(value)
  if type(value) == "string" then return time.iso(value) end
  if math.type(value) ~= "integer" or value < 0 then return nil end
  return time.format(value > seconds_max and value // 1000 or value)
end

-- Returns all fields of an element, and adds an item's missing fields from their usual names.
local function guessed(element)
  local item = {}
  for name, value in pairs(element) do item[name] = value end
  if not is_text(item.title) then item.title = found(element, "title") end
  -- An item with its own address is identified by that address.
  if not is_text(item.id) and not is_text(item.url) then
    item.id = found(element, "id")
    item.url = found(element, "url")
    if item.id == nil and item.url == nil then item.id = item.title end
  elseif not is_text(item.url) then
    item.url = found(element, "url")
  end
  for _, name in ipairs { "published", "updated" } do
    if item[name] == nil or item[name] == json.null then
      local value = found(element, name)
      item[name] = value and as_date(value)
    end
  end
  return item
end

-- Returns the item of an element: its mapped fields, or all its fields without a mapping.
local function map(element, fields)
  local item = {}
  if next(fields) == nil then
    item = type(element) == "table" and guessed(element) or { title = element }
  else
    if type(element) ~= "table" then element = { title = element } end
    for name, path in pairs(fields) do item[name] = at(element, path) end
    for _, name in ipairs { "published", "updated" } do item[name] = as_date(item[name]) or item[name] end
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

-- Returns the names of the fields that the elements of a list have.
local function fields_of(elements)
  local all = {}
  for _, element in ipairs(elements) do
    if type(element) == "table" then
      for name in pairs(element) do all[tostring(name)] = true end
    end
  end
  return all
end

-- Returns the usual name of a title that an element has; nil if none has one.
local function title_of(elements)
  for _, name in ipairs(usual.title) do
    if fields_of(elements)[name] then return name end
  end
end

-- Returns a suitable value for the option 'fields': the id is a field that differs in each element.
local function example_of(elements)
  local names = {}
  for name in pairs(fields_of(elements)) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local seen, differs = {}, true
    for _, element in ipairs(elements) do
      local value = type(element) == "table" and element[name]
      differs = differs and is_text(value) and not seen[value]
      if is_text(value) then seen[value] = true end
    end
    if differs then
      return json.encode({ id = name, title = title_of(elements) or name }, { sort = true })
    end
  end
  return '{"id":"PATH","title":"PATH"}'
end

-- Returns why the items of a page cannot be distinguished or shown; nil if they can.
local function problem_of(items, elements, fields)
  local what
  if next(fields) == nil then
    local has_any, titles = false, {}
    for i, item in ipairs(items) do
      has_any = has_any or item.id ~= nil or item.title ~= nil or item.url ~= nil
      local is_guess = type(elements[i]) == "table" and item.id ~= nil and item.id == item.title
        and not is_text(elements[i].id)
      if is_guess and titles[item.id] then
        what = ("two elements have the title '%s' and no id"):format(item.id)
      end
      if is_guess then titles[item.id] = true end
    end
    if not has_any then what = "the elements have no known id, title or url" end
  else
    local has_any = false
    for _, item in ipairs(items) do has_any = has_any or next(item) ~= nil end
    if not has_any then what = "the elements have none of the fields that 'fields' names" end
  end
  if not what or #items == 0 then return nil end
  return ("%s; they have %s; set the option 'fields', such as %s"):format(
    what, keys_of(fields_of(elements)), example_of(elements))
end

-- Warns of mapped fields that no element of a run had.
local function warn_of_empty(fields, filled, elements)
  local names = {}
  for name in pairs(fields) do if not filled[name] then names[#names + 1] = name end end
  table.sort(names)
  for _, name in ipairs(names) do
    log.warn(("no element has '%s', which the option 'fields' names for '%s'; they have %s"):format(
      fields[name], name, keys_of(fields_of(elements))))
  end
end

-- Whether a page requested by number is the last: it is empty, or repeats the previous page because
-- the server ignores the parameter.
local function is_last(page, parameter)
  if page.count == 0 then return true end
  if page.response.body ~= page.before then return false end
  log.warn("the server returned the same page again; check the parameter", parameter)
  return true
end

-- The statuses of servers for a page past the end of the list.
local past_the_end = { [400] = true, [404] = true, [416] = true, [422] = true }

-- The functions for each pagination. They return the address and the query of the next page; nil at
-- the end.
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

  -- A server may send fewer elements than requested. If no page had as many as requested, only an
  -- empty page is the end.
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

-- The paginations by number, where no page shows whether another follows.
local is_counted = { page = true, offset = true }

-- Returns how many elements a page before the last one has.
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

-- Emits the elements of all pages as items; returns nil and a message if a page cannot be used.
local function fetch_pages(ctx, seen)
  local options = ctx.options
  local address, query = options.url, first_query(options, ctx.state)
  local before, first_count, count
  for number = 1, options.max_pages do
    local response, problem = http.get(address, {
      -- A later page may have changed although the first one has not.
      query = query, headers = options.headers, conditional = options.pagination == "none",
    })
    if not response then return nil, problem end
    if response.not_modified or response.same_body then return true end
    if number > 1 and is_counted[options.pagination] and past_the_end[response.status] then
      log.info(("the list ends here: %s answered %d"):format(response.url, response.status))
      return true
    end

    local body = response:json()
    local elements = at(body, options.items)
    if not is_list(elements) then
      local place = options.items == "" and "" or (" at '%s'"):format(options.items)
      return nil, ("%s returned no list%s: %s; set the option 'items' to the path of the list"):format(
        response.url, place, described(body, options.items))
    end
    count = #elements
    first_count = first_count or count
    local items = {}
    for i, element in ipairs(elements) do items[i] = map(element, options.fields) end
    local trouble = problem_of(items, elements, options.fields)
    if trouble then return nil, ("%s: %s"):format(response.url, trouble) end
    for _, item in ipairs(items) do
      for name in pairs(options.fields) do
        if item[name] ~= nil and item[name] ~= json.null then seen.filled[name] = true end
      end
      ctx:emit(item)
    end
    if count > 0 then seen.elements = elements end

    local resume = options.resume_path and at(body, options.resume_path)
    if resume ~= nil then ctx.state.resume = resume end

    address, query = follow[options.pagination](options, {
      response = response, body = body, number = number, count = count, query = query,
      before = before, first_count = first_count,
    })
    before = response.body
    if not address then return true end
  end
  if not is_counted[options.pagination] then
    log.warn("there are more pages than max_pages =", options.max_pages)
  elseif count >= most_of_a_page(options, first_count) then
    log.warn("there may be more pages than max_pages =", options.max_pages)
  end
  return true
end

local function fetch(ctx)
  local seen = { filled = {} }
  local done, problem = fetch_pages(ctx, seen)
  if not done then return nil, problem end
  if seen.elements then warn_of_empty(ctx.options.fields, seen.filled, seen.elements) end
  return {}
end

return {
  api = 1,
  name = "json-api",
  version = "1.2.1",
  description = "the elements of any JSON list, page by page",
  options = {
    url = {
      type = "url", required = true, description = "address of the list",
      example = "https://www.kernel.org/releases.json",
    },
    items = {
      default = "", example = "releases",
      description = "path to the list, such as data.items; the whole answer unless set",
    },
    fields = {
      type = "table", default = {},
      example = {
        id = "version", title = "version", url = "source", published = "released.isodate",
      },
      description = "field of the item -> path in the element; unless set, the usual names of id, title,"
        .. " url and dates",
    },
    query = { type = "table", default = {}, description = "query parameters of every request" },
    headers = { type = "table", default = {}, description = "headers of every request" },
    pagination = {
      default = "none", choices = { "none", "next-link", "page", "offset", "cursor" },
      description = "how pages follow each other",
    },
    max_pages = { type = "integer", default = 10, description = "most pages of one run" },
    next_path = { description = "path to the next link or cursor in the answer" },
    page_param = { default = "page", description = "name of the page parameter" },
    first_page = { type = "integer", default = 1, description = "number of the first page" },
    offset_param = { default = "offset", description = "name of the offset parameter" },
    limit_param = { default = "limit", description = "name of the page size parameter" },
    page_size = { type = "integer", default = 100, description = "most items of a page (offset)" },
    cursor_param = { default = "cursor", description = "name of the cursor parameter" },
    resume_param = { description = "parameter with the value of resume_path from the last run" },
    resume_path = { description = "path in the answer to the value from which the next run resumes" },
  },
  permissions = { http = { "{options.url}" } },
  interval = "adaptive",
  fetch = fetch,
}
