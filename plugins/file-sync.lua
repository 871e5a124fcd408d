-- One-way mirror: keeps the job's own folder equal to a tree elsewhere. It never writes to the
-- source.
local files, hash, html, http = require "files", require "hash", require "html", require "http"
local json, log, time, url, xml = require "json", require "log", require "time", require "url", require "xml"

-- A change of the version makes the next run check everything again.
local version = "1.4.0"

-- Names and paths

-- Returns the reason why no file can have the name; nil if a file can have it.
local function name_problem(name)
  if name == "" or name == "." or name == ".." then return "its path has an empty name, . or .." end
  if name:find("/", 1, true) then return "its name has a slash" end
  if name:find("\0", 1, true) then return "its name has a NUL" end
  if #name > 255 then return "its name is longer than 255 bytes" end
  if not utf8.len(name) then return "its name is not UTF-8" end
end

-- The longest path in Linux.
local path_bytes = 4095

local function path_problem(path)
  for name in (path .. "/"):gmatch("([^/]*)/") do
    local problem = name_problem(name)
    if problem then return problem end
  end
end

local function below(folder, name) return folder == "" and name or folder .. "/" .. name end

-- Returns the folder of a path, or nil.
local function parent(path) return path:match("^(.*)/[^/]*$") end

-- Returns an address with a slash at its end and nothing after its path.
local function folder_url(address)
  local parts = assert(url.parse(address))
  parts.query, parts.fragment = nil, nil
  if parts.path:sub(-1) ~= "/" then parts.path = parts.path .. "/" end
  return url.build(parts)
end

-- Returns the address of a path below another address.
local function address_of(base, path)
  local segments = {}
  for segment in path:gmatch("[^/]+") do segments[#segments + 1] = segment end
  return url.join(base, table.unpack(segments))
end

-- Returns text for a log line or an item, from any bytes.
local function shown(text)
  return utf8.len(text) and text or url.encode(text)
end

-- Globs: * and ? within a name, ** across folders. A glob without a slash matches only the name;
-- one that ends in a slash matches a folder and everything in it.

local function patterns_of(glob, patterns)
  local first, last = glob:find("**/", 1, true)
  if first then
    patterns_of(glob:sub(1, first - 1) .. glob:sub(last + 1), patterns)
    glob = glob:sub(1, first - 1) .. "\1/" .. glob:sub(last + 1)
  end
  if glob:find("**/", 1, true) then return patterns_of(glob, patterns) end
  local pattern = glob:gsub("[%^%$%(%)%%%.%[%]%+%-]", "%%%0"):gsub("%*%*", "\1")
  pattern = pattern:gsub("%*", "[^/]*"):gsub("%?", "[^/]"):gsub("\1", ".*")
  patterns[#patterns + 1] = "^" .. pattern .. "$"
end

local function compiled(globs)
  local set = { names = {}, paths = {}, folder_names = {}, folder_paths = {} }
  for _, glob in ipairs(globs) do
    local body, slash = glob:match("^/?(.-)(/?)$")
    local is_name = not body:find("/", 1, true) and glob:sub(1, 1) ~= "/"
    patterns_of(body, set[(slash == "/" and "folder_" or "") .. (is_name and "names" or "paths")])
  end
  return set
end

local function matches_any(patterns, text)
  for _, pattern in ipairs(patterns) do
    if text:match(pattern) then return true end
  end
  return false
end

local function matches(set, path)
  return matches_any(set.paths, path) or (#set.names > 0 and matches_any(set.names, path:match("[^/]*$")))
end

-- Returns two functions: whether a file is to be mirrored, and whether a folder is to be read.
local function filters(options)
  local include, exclude = compiled(options.include), compiled(options.exclude)
  local function in_folder(set, known)
    local function is_in(folder)
      if not folder then return false end
      if known[folder] == nil then
        known[folder] = matches_any(set.folder_paths, folder)
          or matches_any(set.folder_names, folder:match("[^/]*$")) or is_in(parent(folder))
      end
      return known[folder]
    end
    return is_in
  end
  local is_included_folder, is_excluded_folder = in_folder(include, {}), in_folder(exclude, {})
  local function is_wanted(path)
    local folder = parent(path)
    if is_excluded_folder(folder) or matches(exclude, path) then return false end
    return #options.include == 0 or matches(include, path) or is_included_folder(folder)
  end
  return is_wanted, function(folder) return not is_excluded_folder(folder) end
end

-- Requests

-- Returns the credentials of the requests: the keys of a bucket, name and password, or nil.
local function credentials(ctx)
  local options = ctx.options
  if options.key_id then
    return { aws = {
      key = options.key_id, secret = ctx:secret("secret_key"), token = ctx:secret("session_token"),
      region = options.region, service = "s3",
    } }
  end
  if not options.user then return nil end
  return { user = options.user, password = ctx:secret("password") or options.password or "" }
end

-- The number of requests of this run.
local asked_count = 0

local function ask(ctx, request)
  asked_count = asked_count + 1
  request.auth = credentials(ctx)
  return http.request(request)
end

-- Listings. The facts about the source are stored in pages, by folder or by number:
--   url, path    the address and path of the folder, if the page's names are segments of addresses
--   root         the address below which the page's names are paths, if they are paths
--   files        the JSON of a list of { name, size, modified, etag, sha256, url, problem }; a
--                missing value is false
--   folders      a list of { name, etag }
--   etag, stamp  show that the page is unchanged since the last run
--   is_reworded  whether an answer once had the same contents in another text
--   unread       a list of { path, problem } of the folders that could not be read
--   is_bare      whether the page has files of which only the names are known
-- The files are one text. As tables, ten thousand entries would be read and written in every run
-- without news.

-- Returns an entity tag for comparisons (RFC 9110, section 8.8.3.2). Apache's tags are weak while a
-- file is new.
local function tag(text) return text and text:gsub("^W/", "") or false end

local function row(name, about)
  return json.array {
    name, about.size or false, about.modified or false, tag(about.etag), about.sha256 or false,
    about.url or false, about.problem or false,
  }
end

-- Returns a size that a server sent; nil for a size that no file can have.
local function size_of(about)
  local size = math.tointeger(tonumber(about))
  return size and size >= 0 and size or nil
end

-- Returns a SHA-256 for comparisons, or nil.
local function sha256_of(text)
  return text and #text == 64 and text:find("^%x+$") and text:lower() or nil
end

local function packed(rows) return json.encode(json.array(rows)) end

local function is_bare(about)
  return not (about.size or about.modified or about.etag or about.sha256 or about.problem)
end

-- Returns the file of a page's row. If the file cannot exist here, `problem` is the reason.
local function entry_of(page, fields)
  for i = 1, 7 do fields[i] = fields[i] or nil end
  local entry = {
    path = fields[1], size = fields[2], modified = fields[3], etag = fields[4], sha256 = fields[5],
    url = fields[6], problem = fields[7],
  }
  if page.root then
    if #entry.path <= path_bytes then
      entry.problem = entry.problem or path_problem(entry.path)
      entry.url = entry.url or address_of(page.root, entry.path)
    end
  else
    local name = url.decode(fields[1])
    entry.problem = name_problem(name)
    entry.path, entry.url = below(page.path, name), page.url .. fields[1]
  end
  return entry
end

-- Returns all entries of the pages in the order of their paths: files, and folders that cannot
-- exist here or be read. Also returns whether the source was read completely.
local function entries_of(pages)
  local entries, is_whole = {}, true
  local function add(entry)
    if #entry.path > path_bytes then
      -- The item shows only the beginning of the path, which may be as long as an answer.
      entry.problem = ("its path is longer than %d bytes"):format(path_bytes)
      entry.path = shown(entry.path:sub(1, 200)) .. "… " .. hash.sha256(entry.path):sub(1, 16)
    elseif entry.problem then
      entry.path = shown(entry.path)
    end
    entries[#entries + 1] = entry
  end
  for _, page in pairs(pages) do
    for _, folder in ipairs(page.unread or {}) do
      is_whole = false
      local address = page.root and address_of(page.root, folder[1]) or page.url
      add { path = folder[1], problem = folder[2], url = address, is_unread = true }
    end
    for _, fields in ipairs(json.decode(page.files)) do add(entry_of(page, fields)) end
    for _, folder in ipairs(page.folders or {}) do
      local name = url.decode(folder[1])
      local problem = name_problem(name)
      if problem then add { path = below(page.path, name), url = page.url .. folder[1], problem = problem } end
    end
  end
  table.sort(entries, function(a, b) return a.path < b.path end)
  return entries, is_whole
end

-- Whether two pages of a folder have the same contents, even if the texts of the answers differ.
local function is_alike(page, old)
  return old ~= nil and page.files == old.files and page.url == old.url
    and json.encode(page.folders or {}) == json.encode(old.folders or {})
    and json.encode(page.unread or {}) == json.encode(old.unread or {})
end

-- The statuses of a folder that this run may not read or that is gone. An early retry is useless.
-- Any other status may be temporary, so the whole run fails and is retried.
local closed = { [401] = true, [403] = true, [404] = true, [410] = true, [451] = true }

-- The maximum length of a request's address in bytes. In an address, each byte of a name in a
-- script such as Greek takes three bytes.
local address_bytes = 8000

-- Returns the page of an unreadable folder, with the reason.
local function unread_page(place, problem)
  return {
    url = place.url, path = place.path, files = packed {}, folders = json.array {},
    unread = json.array { json.array { place.path, problem } },
  }
end

-- Walks the folders from the root. `read(place, old)` returns the page of a folder; `old` if the
-- page is unchanged. If there is no page, `read` returns nil, the reason and the status. If a
-- folder's entity tag in the page of its parent is unchanged, the folder and its contents are not
-- requested. A folder below the root that is closed, or whose address is too long, gets a page with
-- this problem.
local function walk(before, root, is_open, read)
  local pages, changed = {}, false
  local queue, position = { { path = "", url = root } }, 1
  while queue[position] do
    local place = queue[position]
    position = position + 1
    local page = before[place.path]
    local is_kept = page ~= nil and not page.unread
      and (place.is_kept or (place.etag ~= nil and place.etag == page.etag))
    if not is_kept then
      local old = page
      local problem, status
      if #place.url > address_bytes then
        page = unread_page(place, ("its address is longer than %d bytes"):format(address_bytes))
      else
        -- A page with a problem has no contents with which a new answer could be compared.
        page, problem, status = read(place, old and not old.unread and old or nil)
      end
      if not page and place.path ~= "" and closed[status] then
        page = unread_page(place, ("its listing was answered with status %d"):format(status))
      end
      if not page then return nil, problem, status end
      if page ~= old and is_alike(page, old) then
        page = old
        page.is_reworded = true
      end
      page.etag = place.etag
      changed = changed or page ~= old
    end
    pages[place.path] = page
    for _, folder in ipairs(page.folders) do
      local name = url.decode(folder[1])
      local path = below(place.path, name)
      if not name_problem(name) and is_open(path) then
        queue[#queue + 1] = {
          path = path, url = page.url .. folder[1] .. "/", etag = folder[2] or nil, is_kept = is_kept,
        }
      end
    end
  end
  for key in pairs(before) do changed = changed or pages[key] == nil end
  return pages, changed
end

-- WebDAV (RFC 4918). In Nextcloud and similar servers, a folder's entity tag changes with anything
-- below the folder. In other servers the tag covers at most the folder's own names, so each folder
-- is requested.

local names = { d = "DAV:", oc = "http://owncloud.org/ns" }

local function propfind(more)
  return [[<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop>]]
    .. "<d:resourcetype/><d:getcontentlength/><d:getlastmodified/><d:getetag/>" .. more
    .. "</d:prop></d:propfind>"
end

local plain_properties, cloud_properties = propfind(""), propfind("<oc:fileid/><oc:checksums/>")

-- Returns the last segment of a reference as written, and escapes characters that are not escaped.
local function segment_of(reference)
  local segment = reference:gsub("[?#].*$", ""):match("([^/]+)/*$")
  return segment and (segment:gsub("[^%w%%%-%._~!$&'()*+,;=:@]", function(byte)
    return ("%%%02X"):format(byte:byte())
  end))
end

-- The number of bytes of an answer that are parsed as one document. An answer is split because
-- 10,000 members have more nodes than a document may have.
local part_bytes = 400000

-- Returns the parts of an answer, each with whole members and as a document of its own.
local function parts_of(body)
  if #body <= part_bytes then return { body } end
  local head = body:match("^.-<[%w_.-]*:?multistatus[^>]*>")
  local root = head and head:match("<([%w_.-]*:?multistatus)[^>]*>$")
  local prefix = head and body:match("<([%w_.-]*:?)response[%s>]", #head + 1)
  if not prefix then return { body } end
  local parts, start, ending = {}, #head + 1, "</" .. prefix .. "response>"
  while true do
    local _, last = body:find(ending, start + part_bytes, true)
    if not last then
      parts[#parts + 1] = head .. body:sub(start)
      return parts
    end
    parts[#parts + 1] = head .. body:sub(start, last) .. "</" .. root .. ">"
    start = last + 1
  end
end

-- Returns the members of a collection's answer: a list of { node, reference }, the collection
-- itself first. The collection has the shortest address of all. Servers behind a proxy may write
-- addresses of which only the last segment is right. Returns nil and the reason for any other
-- answer.
local function members(response)
  local list, own = {}, 1
  local parts = parts_of(response.body)
  local form = { content_type = response.headers["content-type"] }
  for _, part in ipairs(parts) do
    local document, problem
    if #parts == 1 then document, problem = xml.parse(response)
    else document, problem = xml.parse(part, form) end
    if not document then return nil, problem end
    if not document:find("boolean(/d:multistatus)", names) then return nil, "it is not a listing" end
    for _, node in ipairs(document:select("/d:multistatus/d:response", names)) do
      local reference = node:find("string(d:href)", names):gsub("^%s+", ""):gsub("[/%s]+$", "")
      list[#list + 1] = { node = node, reference = reference }
      if #reference < #list[own].reference then own = #list end
    end
  end
  list[1], list[own] = list[own], list[1]
  return list
end

local function collection_page(list, place)
  local rows, folders = {}, {}
  local is_cloud = #list > 0 and list[1].node:find("boolean(d:propstat/d:prop/oc:fileid/text())", names)
  for i = 2, #list do
    local node, segment = list[i].node, segment_of(list[i].reference)
    local function property(name)
      local text = node:find("string(d:propstat/d:prop/" .. name .. ")", names)
      return text ~= "" and text or nil
    end
    if segment and node:find("boolean(d:propstat/d:prop/d:resourcetype/d:collection)", names) then
      folders[#folders + 1] = json.array { segment, is_cloud and tag(property("d:getetag")) }
    elseif segment then
      local modified, checksums = property("d:getlastmodified"), is_cloud and property("oc:checksums")
      rows[#rows + 1] = row(segment, {
        size = size_of(property("d:getcontentlength")),
        modified = modified and time.iso(modified), etag = property("d:getetag"),
        sha256 = checksums and sha256_of(checksums:match("SHA256:(%x+)")),
      })
    end
  end
  return {
    url = place.url, path = place.path, files = packed(rows), folders = json.array(folders), is_cloud = is_cloud,
  }
end

local function webdav(ctx, before, root, is_open)
  -- The first folder shows the kind of the server. If properties of two namespaces are requested,
  -- Apache varies the text of the same answer. From such a server, only the properties of one
  -- namespace are requested.
  local first = before[""]
  local is_cloud = not first or first.is_cloud or not first.is_reworded
  return walk(before, root, is_open, function(place, old)
    local response, problem = ask(ctx, {
      method = "PROPFIND", url = place.url, body = is_cloud and cloud_properties or plain_properties,
      headers = { Depth = "1", Prefer = "return=minimal", ["Content-Type"] = "application/xml" },
    })
    if not response then return nil, problem end
    if old and response.same_body then
      is_cloud = old.is_cloud
      return old
    end
    local is_closed = place.path ~= "" and closed[response.status]
    if response.status == 207 or not response.ok and ctx.options.kind == "webdav" and not is_closed then
      local list, why = members(response)
      if list then
        place.url = folder_url(response.url)
        local page = collection_page(list, place)
        is_cloud = page.is_cloud
        return page
      end
      if why ~= "it is not a listing" then return nil, place.url .. ": " .. why end
    end
    return nil, ("PROPFIND %s was answered with status %d and no listing"):format(place.url, response.status),
      response.status
  end)
end

-- Listings that nginx, Apache and others make of folders, as pages or as JSON

local months = {
  jan = 1, feb = 2, mar = 3, apr = 4, may = 5, jun = 6, jul = 7, aug = 8, sep = 9, oct = 10, nov = 11, dec = 12,
}

-- Returns time and size from the text beside a name; a size only if it is exact.
local function listed(text)
  local day, month, year, hour, minute, rest = text:match("(%d%d?)%-(%a%a%a)%-(%d%d%d%d)%s+(%d%d):(%d%d)(.*)$")
  month = month and months[month:lower()]
  if not month then
    year, month, day, hour, minute, rest = text:match("(%d%d%d%d)%-(%d%d)%-(%d%d)%s+(%d%d):(%d%d)(.*)$")
  end
  if not month then return nil end
  local size = rest:match("^[:%d]*%s+(%d+)%s*$") or text:match("^%s*(%d+)%s")
  local seconds = time.seconds {
    year = tonumber(year), month = tonumber(month), day = tonumber(day), hour = tonumber(hour),
    min = tonumber(minute), sec = tonumber(rest:match("^:(%d%d)")) or 0,
  }
  return time.format(seconds), size_of(size)
end

-- The headlines of folder listings: nginx, Apache, lighttpd; Python; rclone, which shows only the
-- path.
local headlines = { "^%s*index of%s", "^%s*directory listing%s", "^%s*/" }

-- Returns why a page is not a complete listing: another page, such as a login, must not look like a
-- folder without files.
local function page_problem(page, text)
  local title = page:find("string(//title)"):lower()
  for _, pattern in ipairs(headlines) do
    if title:match(pattern) then
      return not text:lower():find("</html>%s*$") and "its listing is cut" or nil
    end
  end
  return "it is not a listing of a folder"
end

local function index_rows(response, base, add)
  if (response.headers["content-type"] or ""):find("json", 1, true) then
    local list = response:json()
    if type(list) ~= "table" or (#list == 0 and next(list) ~= nil) then
      return nil, "it is not a listing of a folder"
    end
    for _, about in ipairs(list) do
      if type(about) ~= "table" or type(about.name) ~= "string" then
        return nil, "it is not a listing of a folder"
      end
      local is_file = about.type ~= "directory"
      add(url.encode(about.name), not is_file, {
        size = is_file and size_of(about.size) or nil,
        modified = type(about.mtime) == "string" and time.iso(about.mtime) or nil,
      })
    end
    return true
  end
  local page, problem = html.parse(response)
  if not page then return nil, problem end
  problem = page_problem(page, response.body)
  if problem then return nil, problem end
  for _, link in ipairs(page:css("a")) do
    local target = url.resolve(base, link:attr("href") or "")
    local rest = target and target:sub(1, #base) == base and target:sub(#base + 1) or ""
    local segment, slash = rest:match("^([^/?#]+)(/?)$")
    if segment then
      local cells = {}
      for i, cell in ipairs(link:select("ancestor::td[1]/following-sibling::td")) do cells[i] = cell:text() end
      local beside = #cells > 0 and table.concat(cells, " ") or link:find("string(following-sibling::text()[1])")
      local modified, size = listed((beside:gsub("%s+", " ")))
      add(segment, slash == "/", { size = slash == "" and size or nil, modified = modified })
    end
  end
  return true
end

local function index(ctx, before, root, is_open)
  return walk(before, root, is_open, function(place, old)
    local response, problem = ask(ctx, { method = "GET", url = place.url, conditional = old ~= nil })
    if not response then return nil, problem end
    if old and (response.not_modified or response.same_body) then return old end
    if place.path ~= "" and closed[response.status] then
      return nil, ("%s was answered with status %d"):format(place.url, response.status), response.status
    end
    place.url = folder_url(response.url)
    local rows, folders, seen, has_bare = {}, {}, {}, nil
    local read, why = index_rows(response, place.url, function(segment, is_folder, about)
      if seen[segment] then return end
      seen[segment] = true
      if is_folder then
        folders[#folders + 1] = json.array { segment, false }
      else
        rows[#rows + 1] = row(segment, about)
        has_bare = has_bare or is_bare(about) or nil
      end
    end)
    if not read then return nil, place.url .. ": " .. why end
    return {
      url = place.url, path = place.path, files = packed(rows), folders = json.array(folders), is_bare = has_bare,
    }
  end)
end

-- Reads a list of { path =, url =, size =, sha256 =, modified = }, or an object with such a list as
-- `files`.
local function manifest(ctx, before, address)
  local old = before[""]
  local response, problem = ask(ctx, { method = "GET", url = address, conditional = old ~= nil })
  if not response then return nil, problem end
  if old and (response.not_modified or response.same_body) then return before, false end
  local list = response:json()
  if type(list) == "table" and type(list.files) == "table" then list = list.files end
  if type(list) ~= "table" or (#list == 0 and next(list) ~= nil) then
    return nil, address .. " has no list of files"
  end
  local rows, has_bare = {}, nil
  for i, about in ipairs(list) do
    local path = type(about) == "table" and (about.path or about.name) or about
    if type(path) ~= "string" then return nil, ("%s: file %d has no path"):format(address, i) end
    about = type(about) == "table" and about or {}
    local function text(name) return type(about[name]) == "string" and about[name] or nil end
    local known = {
      size = size_of(about.size), etag = text("etag"),
      sha256 = sha256_of(text("sha256")),
      modified = text("modified") and time.iso(about.modified),
      url = text("url") and url.resolve(response.url, about.url),
    }
    rows[i] = row(path, known)
    has_bare = has_bare or is_bare(known) or nil
  end
  local page = { root = url.resolve(response.url, "./"), files = packed(rows), is_bare = has_bare }
  return { [""] = page }, not (old and old.files == page.files and old.root == page.root)
end

-- Returns the contents of an error document of S3, for a message.
local function error_of(response)
  local document = #response.body > 0
    and xml.parse(response.body, { content_type = response.headers["content-type"] })
  local code = document and document:find("string(/*[local-name()='Error']/*[local-name()='Code'])") or ""
  if code == "" then return "status " .. response.status end
  local message = document:find("string(/*[local-name()='Error']/*[local-name()='Message'])")
  return ("status %d: %s%s"):format(response.status, code, message ~= "" and ", " .. message or "")
end

-- Reads ListObjectsV2, page by page. `root` is the bucket's address, with its name in the path or
-- in the hostname. Keys come percent-encoded, because XML cannot represent some of their
-- characters.
local function s3(ctx, before, root)
  local prefix = ctx.options.prefix or ""
  local folder = prefix:match("^.*/") or ""
  local pages, changed, number, token = {}, false, 0, nil
  repeat
    number = number + 1
    local key = ("%06d"):format(number)
    local old = before[key]
    local response, problem = ask(ctx, {
      method = "GET", url = root, conditional = old ~= nil,
      query = {
        ["list-type"] = "2", ["encoding-type"] = "url", prefix = prefix ~= "" and prefix or nil,
        ["continuation-token"] = token,
      },
    })
    if not response then return nil, problem end
    local page = old
    if not (old and (response.not_modified or response.same_body)) then
      if not response.ok then return nil, root .. " was answered with " .. error_of(response) end
      local document, why = xml.parse(response)
      if not document then return nil, root .. ": " .. why end
      if not document:find("boolean(/*[local-name()='ListBucketResult'])") then
        return nil, root .. " did not answer with the listing of a bucket"
      end
      local is_encoded = document:find("string(/*/*[local-name()='EncodingType'])") == "url"
      local rows = {}
      for _, node in ipairs(document:select("/*/*[local-name()='Contents']")) do
        local function field(name) return node:find(("string(*[local-name()='%s'])"):format(name)) end
        local key = field("Key")
        if is_encoded then key = url.decode((key:gsub("+", "%%20"))) end
        local path = key:sub(#folder + 1)
        -- A key that ends in a slash means a folder.
        if path ~= "" and path:sub(-1) ~= "/" then
          rows[#rows + 1] = row(path, {
            size = size_of(field("Size")), modified = time.iso(field("LastModified")),
            etag = field("ETag"),
          })
        end
      end
      local following = document:find("string(/*/*[local-name()='NextContinuationToken'])")
      if following == "" and document:find("string(/*/*[local-name()='IsTruncated'])") == "true" then
        return nil, root .. " says that its listing is cut, but not where it continues"
      end
      page = {
        root = folder == "" and root or address_of(root, folder) .. "/", files = packed(rows),
        token = following ~= "" and following or nil,
      }
      changed = changed or not is_alike(page, old)
    end
    pages[key], token = page, page.token
  until not token
  for key in pairs(before) do changed = changed or pages[key] == nil end
  return pages, changed
end

local function local_folder(root)
  return files.folder((url.decode(assert(url.parse(root)).path):gsub("(.)/+$", "%1")))
end

-- Reads a folder of this machine, under a read grant. An equal digest shows without a list that
-- nothing has changed.
local function folder(_, before, root)
  local source, refused = local_folder(root)
  if not source then return nil, refused end
  -- If a name is not UTF-8, there is no digest, and the list is compared.
  local stamp = source.digest()
  local old = before[""]
  if old and stamp and old.stamp == stamp then return before, false end
  local found, why = source.list({ recursive = true })
  if not found then return nil, why end
  local rows, unread = {}, {}
  for _, entry in ipairs(found) do
    if entry.kind == "folder" and entry.problem then
      unread[#unread + 1] = json.array { shown(entry.path), entry.problem }
    elseif entry.kind == "file" or entry.problem then
      rows[#rows + 1] = row(entry.path, entry)
    elseif entry.kind ~= "folder" then
      rows[#rows + 1] = row(entry.path, { problem = entry.kind == "link" and "it is a symbolic link"
        or "it is not a regular file" })
    end
  end
  local page = { root = root, files = packed(rows), stamp = stamp }
  if #unread > 0 then page.unread = json.array(unread) end
  return { [""] = page }, not is_alike(page, old)
end

local sources = { webdav = webdav, folder = folder, index = index, manifest = manifest, s3 = s3 }

-- The statuses of servers without WebDAV in answer to PROPFIND.
local no_webdav = { [200] = true, [400] = true, [403] = true, [405] = true, [501] = true }

-- Returns the pages, whether anything has changed since the last run, and the kind of the source.
local function read_source(ctx, before, known_kind, is_open)
  local options = ctx.options
  local kind = options.kind
  if kind == "auto" then
    kind = options.source:match("^file:") and "folder" or options.key_id and "s3" or nil
  end
  if not kind and options.source:match("%.json$") then kind = "manifest" end
  local root = kind == "manifest" and options.source or folder_url(options.source)
  kind = kind or known_kind
  if kind then
    local pages, changed = sources[kind](ctx, before, root, is_open)
    return pages, changed, kind
  end
  local pages, changed, status = webdav(ctx, before, root, is_open)
  if pages or not no_webdav[status] then return pages, changed, "webdav" end
  pages, changed = index(ctx, before, root, is_open)
  return pages, changed, "index"
end

-- Files of which a listing has only the name

-- The host's default limit of calls in a run, and the part of it that is reserved for calls other
-- than requests for single files: to delete, to list, to store.
local calls_of_a_run, calls_kept = 1000, 250

-- Returns how many single files may be requested: a hostname gets one request per second, and the
-- run also needs time for other work.
local function heads_left(options)
  local count = math.max(options.max_heads, 0)
  -- A run that has made more calls than the default has a higher limit.
  if asked_count >= calls_of_a_run then return count end
  return math.min(count, math.max(calls_of_a_run - calls_kept - asked_count, 0))
end

-- Returns the size, time and tag that a server sends for a file without its contents; an empty
-- table if the server does not support that. Returns nil and the reason if requests for other files
-- are useless, too.
local function head_of(ctx, address)
  local response, problem, code = ask(ctx, { method = "HEAD", url = address, conditional = false })
  if not response then
    if code == "permission" or code == "invalidURL" then return {} end
    return nil, problem
  end
  local headers, status = response.headers, response.status
  if status == 405 or status == 429 or status >= 500 then
    return nil, ("HEAD %s was answered with status %d"):format(address, status)
  end
  if not response.ok then return {} end
  local modified = headers["last-modified"]
  local about = { modified = modified and time.iso(modified) or nil }
  -- The length of a compressed body is not the size of the file.
  if not headers["content-encoding"] then
    about.size = size_of(headers["content-length"])
  end
  -- Servers behind one name may have different tags for the same file.
  if not about.modified then about.etag = tag(headers["etag"]) or nil end
  return about
end

local function has_facts(about) return about.size ~= nil or about.modified ~= nil or about.etag ~= nil end

-- Requests the size and time of as many bare entries as a run may request. The entries that were
-- requested longest ago or never come first. Adds the known facts to all bare entries. `heads` has
-- these facts, by path:
--   turn                  the number of the run with the last request; below 1 without a request
--   size, modified, etag  the facts from the last answer
--   is_quiet              whether the item was emitted before these facts were known, so that the
--                         item stays unchanged
-- Returns the new facts by path, and whether any of them has changed.
local function ask_bare(ctx, entries, heads, marks, window)
  local bare, known, changed = {}, {}, false
  local turn = 1
  for _, head in pairs(heads) do turn = math.max(turn, head.turn + 1) end
  for _, entry in ipairs(entries) do
    if is_bare(entry) and not known[entry.path] then
      bare[#bare + 1] = entry
      entry.head = heads[entry.path] or { turn = marks[entry.path] and 0 or -1 }
      known[entry.path] = entry.head
    end
  end
  table.sort(bare, function(a, b)
    if a.head.turn ~= b.head.turn then return a.head.turn < b.head.turn end
    return a.path < b.path
  end)
  local count, trouble = 0, nil
  local most = math.min(heads_left(ctx.options), #bare)
  while count < most and ctx:time_left() > window / 2 do
    local entry = bare[count + 1]
    local head, about = entry.head, nil
    about, trouble = head_of(ctx, entry.url)
    if not about then
      -- The next run begins with other files, because only this file may have the problem.
      head.turn = turn
      break
    end
    count = count + 1
    if has_facts(about) then
      entry.is_first_known = head.turn >= 0 and not has_facts(head)
      if about.size ~= head.size or about.modified ~= head.modified or about.etag ~= head.etag then
        changed, head.is_quiet = true, entry.is_first_known or nil
        head.size, head.modified, head.etag = about.size, about.modified, about.etag
      end
    end
    head.turn = turn
  end
  for _, entry in ipairs(bare) do
    local head = entry.head
    head.turn = math.max(head.turn, 0)
    entry.size, entry.modified, entry.etag = head.size, head.modified, head.etag
  end
  if count < #bare and ctx.options.max_heads > 0 then
    local say = trouble and log.warn or log.info
    say(("requested %d of %d files whose size and time the listing lacks%s"):format(
      count, #bare, trouble and ": " .. trouble or "; later runs request the others"))
  end
  return known, changed
end

-- The work in the local folder

-- Returns a function that logs as many lines as a run may have, and a function that logs the number
-- of omitted lines.
local function speaker(say)
  local left, silent = 20000, 0
  return function(...)
    local size = 0
    for _, word in ipairs { ... } do size = size + #tostring(word) + 1 end
    if size > left then silent = silent + 1 else say(...) end
    left = math.max(left - size, 0)
  end, function()
    if silent > 0 then say("and", silent, "more") end
  end
end

local function milliseconds(text) return math.floor(time.parse(text) * 1000 + 0.5) end

-- Returns the time that a local file gets, or nil. Servers without a time send the year 0001, 1601
-- or 9999, and file systems replace these times by other times.
local function time_here(entry)
  local year = entry.modified and tonumber(entry.modified:match("^%d+"))
  return year and year > 1901 and year < 2446 and entry.modified or nil
end

-- The last time that some file systems can store (XFS, older ext4), and the first time that FAT can
-- store. These file systems replace later or earlier times by these limits. FAT stores the local
-- time.
local last_time, first_time, wall_clock = 0x7fffffff * 1000, 315532800 * 1000, 14 * 3600 * 1000

-- Whether a file has the time that it was given, within the precision of its file system; in
-- milliseconds.
local function is_kept_time(wanted, got, step)
  if wanted >= got then return wanted - got < step or got == last_time end
  return wanted < first_time and math.abs(got - first_time) <= wall_clock
end

-- Returns the precision of the local file system's times, in milliseconds, from the times of the
-- files: FAT keeps even seconds, others whole seconds or hundredths.
local function time_step(list)
  local step = 2000
  for _, entry in ipairs(list) do
    if entry.kind == "file" then
      local digit, fraction = entry.modified:match(":%d(%d)%.?(%d*)Z$")
      if not digit then return 1 end
      if fraction:find("[1-9]") then
        if fraction:find("^%d%d0*$") then step = math.min(step, 10) else return 1 end
      elseif digit:find("[13579]") then
        step = math.min(step, 1000)
      end
    end
  end
  return step
end

-- Returns a tag that distinguishes the versions of a file without a time of its own. A mark has:
--   tag  of the requested version
--   was  the local file's time at the request; it changes when that version arrives
--   is   the local file's time since then; it changes with the file
local function tag_of(entry)
  return entry.etag or entry.sha256 or entry.modified or tostring(entry.size)
end

-- The tag of a file without any facts.
local no_tag = tostring(nil)

-- The largest error of servers' clocks, in milliseconds.
local clock_slack = 3600 * 1000

-- Whether facts that came for the first time, after a file was fetched, are about the fetched
-- version.
local function is_from_before(entry, here)
  if entry.etag then return false end
  return not entry.modified or milliseconds(entry.modified) + clock_slack < milliseconds(here.modified)
end

-- Returns the hashes of files by their paths, in the mirror (`files`) or in a granted folder.
local function sums_of(folder, paths)
  local sums = {}
  for first = 1, #paths, 1000 do
    local part = table.move(paths, first, math.min(first + 999, #paths), 1, {})
    for i, sum in ipairs(assert(folder.sha256(part))) do sums[part[i]] = sum or nil end
  end
  return sums
end

-- Returns by path whether the local file has the bytes of the source; nothing if hashes are not
-- compared, or the source has none. Files of another size are not read.
local function sum_verdicts(options, entries, here, kind)
  local verdicts, paths, unknown, expected = {}, {}, {}, {}
  if options.compare ~= "checksum" then return verdicts end
  for _, entry in ipairs(entries) do
    local there = here[entry.path]
    if not entry.problem and there and there.kind == "file" and there.size == (entry.size or there.size) then
      expected[entry.path] = entry.sha256
      if entry.sha256 or kind == "folder" then paths[#paths + 1] = entry.path end
      if not entry.sha256 and kind == "folder" then unknown[#unknown + 1] = entry.path end
    end
  end
  if #unknown > 0 then
    for path, sum in pairs(sums_of(assert(local_folder(options.source)), unknown)) do expected[path] = sum end
  end
  local sums = sums_of(files, paths)
  for _, path in ipairs(paths) do
    if expected[path] then verdicts[path] = sums[path] == expected[path] end
  end
  return verdicts
end

-- Whether the local file equals the entry. `verdict` is the comparison of hashes, `mark` the
-- knowledge at the last request, `step` the precision of local times.
local function is_same(options, entry, here, verdict, mark, step)
  if not here or here.kind ~= "file" then return false end
  if entry.size and entry.size ~= here.size then return false end
  if options.compare == "size" then return true end
  if verdict ~= nil then return verdict end
  local modified = time_here(entry)
  if modified and is_kept_time(milliseconds(modified), milliseconds(here.modified), step) then return true end
  -- Without a time, only the source's own tag can show that the file equals the entry, and only if
  -- the local file is that of the mark.
  if not mark or modified and not entry.head then return false end
  local is_placed = mark.is == here.modified or mark.is == nil and mark.was ~= here.modified
  if not is_placed then return false end
  return mark.tag == tag_of(entry) or mark.tag == no_tag and is_from_before(entry, here)
end

-- Returns why an entry cannot have its place here: a duplicate path, a file where others need a
-- folder, or an occupied place. Also returns whether the obstacle is local and may disappear.
local function place_problem(options, entry, paths, here)
  if options.backup and (entry.path .. "/"):sub(1, #options.backup + 1) == options.backup .. "/" then
    return "it is in the backup folder"
  end
  if paths[entry.path] ~= entry then return "the source names it twice" end
  local folder = parent(entry.path)
  while folder do
    if paths[folder] then return ("the source has a file '%s' too"):format(folder) end
    if here[folder] and here[folder].kind ~= "folder" then
      return ("a %s here has the name of its folder '%s'"):format(here[folder].kind, folder), true
    end
    folder = parent(folder)
  end
  local there = here[entry.path]
  if there and there.kind ~= "file" then return "a " .. there.kind .. " here has that name", true end
end

-- Returns `1 file`, `6 files`.
local function counted(count, noun) return ("%d %s%s"):format(count, noun, count == 1 and "" or "s") end

-- Returns the local files that the source lacks and the mirror manages, in the order of their
-- paths.
local function files_gone(options, here, paths, is_wanted)
  local gone, backup = {}, options.backup and options.backup .. "/"
  for path, entry in pairs(here) do
    local is_in_backup = backup and path:sub(1, #backup) == backup
    if entry.kind == "file" and not paths[path] and is_wanted(path) and not is_in_backup then
      gone[#gone + 1] = path
    end
  end
  table.sort(gone)
  return gone
end

-- The maximum number of files that a run deletes without `max_delete`, and the number that it
-- deletes even if they are most of the mirror.
local usual_max_delete, handful = 100, 5

-- Returns up to three names for a message.
local function examples(paths)
  local names = {}
  for i = 1, math.min(3, #paths) do names[i] = ("'%s'"):format(shown(paths[i])) end
  return table.concat(names, ", ") .. (#paths > 3 and (" and %d more"):format(#paths - 3) or "")
end

-- Returns why `allow_delete` is invalid, or nil.
local function word_problem(word)
  if not word or word == "" or word == "any" or (#word == 8 and word:find("^[0-9a-f]+$")) then return end
  return ("invalid allow_delete '%s': use the code from a refused run, such as '1b4f0e98', or any"):format(word)
end

-- Returns the reason why a run must not delete the files that are gone, or nil. `source` is the
-- digest of the source. `settled` is the digest of the only source whose files are here; false if
-- the files may be of several sources.
local function deletion_problem(options, gone, here, paths, source, settled)
  if #gone == 0 then return end
  local is_any = options.allow_delete == "any"
  -- The code is for one source and these files alone, so that it allows nothing later.
  local word = hash.sha256(json.encode({ source, gone })):sub(1, 8)
  local is_allowed = is_any or options.allow_delete == word
  if not is_allowed and (next(paths) == nil or settled ~= nil and settled ~= source) then
    local other = options.allow_delete
    local wrong = other and other ~= "" and ("; allow_delete: '%s' is the code for other files"):format(other) or ""
    return ("%s, so %s here would be deleted: %s; nothing was changed%s; to delete %s, set allow_delete: '%s'"):format(
      next(paths) == nil and "the source has no files" or "the address of the source has changed",
      counted(#gone, "file"), examples(gone), wrong, #gone == 1 and "it" or "them", word)
  end
  if #gone > (options.max_delete or usual_max_delete) then
    if is_allowed and not is_any then return end
    return ("%d files here are not in the source, more than max_delete = %d; nothing was changed"):format(
      #gone, options.max_delete or usual_max_delete)
  end
  if is_allowed or options.max_delete or #gone <= handful then return end
  local count = 0
  for path in pairs(here) do count = count + (paths[path] and 1 or 0) end
  if #gone > count then
    return ("%d of %d files here are not in the source: %s; nothing was changed; to delete them, "
      .. "set max_delete: %d"):format(#gone, #gone + count, examples(gone), #gone)
  end
end

-- Deletes the files that are gone, and returns how many it could delete.
local function remove(ctx, gone, say)
  local options, folders = ctx.options, {}
  local backup = options.backup and options.backup .. "/"
  local log_line, log_rest = speaker(log.info)
  local done_count = 0
  for _, path in ipairs(gone) do
    if options.dry_run then
      say("would delete", path)
    else
      local done, problem
      if backup then done, problem = files.move(path, backup .. path)
      else done, problem = files.remove(path) end
      if done then
        done_count = done_count + 1
        log_line(backup and "moved to " .. options.backup .. ":" or "deleted", shown(path))
      else
        say("cannot delete", path .. ":", problem)
      end
      if parent(path) then folders[parent(path)] = true end
    end
  end
  log_rest()
  -- Removes folders that are empty now.
  local emptied = {}
  for path in pairs(folders) do emptied[#emptied + 1] = path end
  table.sort(emptied, function(a, b) return a > b end)
  for _, path in ipairs(emptied) do
    while path do
      local left = files.list(path)
      if not left or #left > 0 or not files.remove(path) then break end
      path = parent(path)
    end
  end
  return done_count
end

-- Returns rows of the files that the source no longer has and the mirror keeps: those in the last
-- run's pages, and those that were kept then.
local function kept_rows(gone, pages, kept)
  local is_gone, found = {}, {}
  for _, path in ipairs(gone) do is_gone[path] = true end
  local function look(page)
    for _, fields in ipairs(json.decode(page.files)) do
      local entry = entry_of(page, fields)
      if is_gone[entry.path] then
        entry.problem = nil
        found[entry.path] = row(entry.path, entry)
      end
    end
  end
  if #gone > 0 then
    look { root = "", files = kept }
    for _, page in pairs(pages) do look(page) end
  end
  local rows = {}
  for _, path in ipairs(gone) do rows[#rows + 1] = found[path] end
  return packed(rows)
end

local function request_of(options, entry, there, auth)
  return {
    url = entry.url, to = entry.path, size = entry.size, sha256 = entry.sha256, modified = time_here(entry),
    backup = there and options.backup or nil, auth = auth,
  }
end

-- The number of transfers that one call queues.
local transfers_of_a_call = 1000

-- Queues the missing files. Stores a problem in the entry, and whether the host refused the
-- transfer. If the host refused it, the mistake is in the job, not in the source.
local function queue(ctx, missing, here, kind)
  local auth
  if kind ~= "folder" then auth = credentials(ctx) end
  for first = 1, #missing, transfers_of_a_call do
    local requests = {}
    for i = first, math.min(first + transfers_of_a_call - 1, #missing) do
      local entry = missing[i]
      requests[#requests + 1] = request_of(ctx.options, entry, here[entry.path], auth)
    end
    local _, problems, codes = ctx:transfer(requests)
    for i = 1, #requests do
      local entry = missing[first + i - 1]
      entry.problem, entry.is_refused = problems[i] or nil, codes[i] == "permission"
    end
    -- The checkpoint has the previous state. The transfers begin, and the host does not hold all
    -- requests until the end of the run.
    if #requests == transfers_of_a_call then ctx:checkpoint() end
  end
end

-- Reports which files the host has refused, grouped by reason. Returns why the run has failed; nil
-- if it refused none.
local function refusal(missing, say)
  local by_problem, problems, count = {}, {}, 0
  for _, entry in ipairs(missing) do
    if entry.is_refused then
      local known = by_problem[entry.problem]
      if not known then
        known = { first = shown(entry.path), count = 0 }
        by_problem[entry.problem] = known
        problems[#problems + 1] = entry.problem
      end
      known.count, count = known.count + 1, count + 1
    end
  end
  if count == 0 then return end
  for _, problem in ipairs(problems) do
    local known = by_problem[problem]
    local more = known.count > 1 and (" and %d more"):format(known.count - 1) or ""
    say("cannot be mirrored:", known.first .. more .. ":", problem)
  end
  return ("%d of %d files could not be queued, such as '%s': %s"):format(
    count, #missing, by_problem[problems[1]].first, problems[1])
end

local function item_of(entry)
  local item = {
    id = entry.path, title = entry.path, url = entry.url, size = entry.size, modified = entry.modified,
    etag = entry.etag, sha256 = entry.sha256, problem = entry.problem, gone = entry.is_gone,
  }
  if entry.head and entry.head.is_quiet then item.size, item.modified, item.etag = nil, nil, nil end
  return item
end

-- Returns the contents of the local folder, as a list and by path; nil and the reason.
local function all_here()
  local list, problem = files.list({ recursive = true })
  if not list then return nil, problem end
  local here = {}
  for _, entry in ipairs(list) do here[entry.path] = entry end
  return list, here
end

-- Makes the local folder equal to the entries. `last` has the facts of the last run: the `marks` of
-- files without a time, the `settled` source, the `pages` of the last run if they have changed, and
-- the rows of the `kept` files. Returns the facts for the next run: `marks`, `kept`, `settled`, the
-- `count` of needed changes, including those that are not possible now, and the reason why the host
-- has `refused` files. Returns nil and a message if nothing may be changed.
local function mirror(ctx, entries, is_whole, is_wanted, kind, source, last)
  local options = ctx.options
  local list, here = all_here()
  if not list then return nil, here end
  local say, say_rest = speaker(options.dry_run and log.info or log.warn)
  local paths = {}
  for _, entry in ipairs(entries) do
    if not entry.problem and not paths[entry.path] then paths[entry.path] = entry end
  end
  local gone, deleted, done_count = files_gone(options, here, paths, is_wanted), 0, 0
  if options.delete and not is_whole then
    say("nothing is deleted while a folder of the source cannot be read")
  elseif options.delete and #gone > 0 then
    local problem = deletion_problem(options, gone, here, paths, source, last.settled)
    if problem then
      if options.dry_run then
        for _, path in ipairs(gone) do say("would delete", path) end
        say_rest()
      end
      return nil, problem
    end
    deleted, done_count = #gone, remove(ctx, gone, say)
    if not options.dry_run then
      -- Empty folders were removed, too, and a file may have the name of such a folder.
      list, here = all_here()
      if not list then return nil, here end
      gone = files_gone(options, here, paths, is_wanted)
    end
  end
  -- Files of an earlier source stay until a run deletes them, or the source has them all.
  local settled = last.settled
  if settled == nil or is_whole and (options.delete or #gone == 0) then settled = source
  elseif settled ~= source then settled = false end
  local marks_before = last.marks
  local verdicts = sum_verdicts(options, entries, here, kind)
  local missing, marks, hindered, step = {}, {}, 0, time_step(list)
  for _, entry in ipairs(entries) do
    local is_hindered
    if not entry.problem then entry.problem, is_hindered = place_problem(options, entry, paths, here) end
    if is_hindered then hindered = hindered + 1 end
    local there, mark = here[entry.path], marks_before[entry.path]
    if entry.problem then
    elseif is_same(options, entry, there, verdicts[entry.path], mark, step) then
      if mark and (entry.head or not time_here(entry)) then
        local is_awaited = mark.is == nil and mark.was == there.modified
        marks[entry.path] = is_awaited and mark or { tag = tag_of(entry), is = there.modified }
      end
    else
      missing[#missing + 1] = entry
      -- The file has changed between its fetch and the first request for its facts.
      if entry.is_first_known and there then entry.head.is_quiet = nil end
      if not time_here(entry) then
        local was = there and there.modified or ""
        -- While no file has arrived, the earlier transfer may still be waiting.
        local is_awaited = mark ~= nil and mark.is == nil and mark.was == was
        marks[entry.path] = { tag = is_awaited and mark.tag or tag_of(entry), was = was }
      end
    end
  end
  if options.dry_run then
    for _, entry in ipairs(missing) do say("would fetch", entry.path) end
    ctx:note(("dry run: would fetch %s and delete %s"):format(
      counted(#missing, "file"), counted(deleted, "file")))
  else
    if done_count > 0 then
      ctx:note(counted(done_count, "file") .. (options.backup and " moved to the backup" or " deleted"))
    end
    queue(ctx, missing, here, kind)
  end
  local refused = refusal(missing, say)
  for _, entry in ipairs(entries) do
    if entry.problem and not entry.is_refused then say("cannot be mirrored:", shown(entry.path) .. ":", entry.problem) end
  end
  say_rest()
  return {
    count = #missing + deleted + hindered, marks = marks, refused = refused, settled = settled,
    kept = kept_rows(gone, last.pages, last.kept),
  }
end

-- Returns the note of a run without work; `problems` has the reasons why files cannot be mirrored.
local function note_of(entries, problems)
  local failed = 0
  for _ in pairs(problems) do failed = failed + 1 end
  local count = #entries - failed
  local note = ("%s%s %s up to date"):format(
    failed == 0 and count > 1 and "all " or "", counted(count, "file"), count == 1 and "is" or "are")
  return failed > 0 and ("%s, %d cannot be mirrored"):format(note, failed) or note
end

-- The number of items that one checkpoint stores, because the host holds at most that many.
local items_of_a_commit = 1000

-- Returns why files cannot be mirrored, by path.
local function problems_of(entries)
  local problems = {}
  for _, entry in ipairs(entries) do problems[entry.path] = problems[entry.path] or entry.problem end
  return problems
end

-- Returns the entries that become items if the source is unchanged: those whose problem is new,
-- different or gone.
local function entries_to_emit(entries, problems, before)
  local chosen = {}
  for _, entry in ipairs(entries) do
    if problems[entry.path] ~= before[entry.path] then chosen[#chosen + 1] = entry end
  end
  return chosen
end

-- Adds the files that the source no longer has and the mirror keeps.
local function add_kept(entries, kept)
  for _, fields in ipairs(json.decode(kept)) do
    local entry = entry_of({ root = "" }, fields)
    entry.is_gone = true
    entries[#entries + 1] = entry
  end
end

local function fetch(ctx)
  local options, state, window = ctx.options, ctx.state, ctx:time_left()
  local wrong_word = word_problem(options.allow_delete)
  if wrong_word then return nil, wrong_word end
  if options.key_id and not ctx:secret("secret_key") then
    return nil, "key_id needs the job's secret 'secret_key', which is missing"
  end
  local is_wanted, is_open = filters(options)
  local asked = hash.sha256(version .. json.encode(options, { sort = true }))
  local is_known = not options.dry_run and state.asked == asked
  -- The knowledge of single files is for one source, whatever the other options are.
  local source = hash.sha256(json.encode({ options.source, options.prefix or "" }))
  local is_same_source = is_known or state.source == source
  local heads_before = is_same_source and json.decode(state.heads or "{}") or {}
  local marks_before = is_same_source and state.marks or {}
  local before = is_known and state.pages or {}
  local pages, changed, kind = read_source(ctx, before, is_known and state.kind or nil, is_open)
  if not pages then return nil, changed end

  local entries, is_whole
  local function wanted_entries()
    if entries then return entries end
    local all
    all, is_whole = entries_of(pages)
    entries = {}
    for _, entry in ipairs(all) do
      if entry.is_unread or is_wanted(entry.path) then entries[#entries + 1] = entry end
    end
    return entries
  end

  local heads
  for _, page in pairs(pages) do
    if page.is_bare then
      local is_new
      heads, is_new = ask_bare(ctx, wanted_entries(), heads_before, marks_before, window)
      changed = changed or is_new
      break
    end
  end
  heads = heads and json.encode(heads)

  -- The source and the local folder are unchanged since the last run.
  local digest, problem = files.digest()
  if not digest then return nil, problem end
  if not changed and digest == state.digest then
    state.source, state.pages, state.heads = source, pages, heads
    ctx:note(state.note)
    return
  end

  local settled = state.settled
  -- Earlier versions stored only the source of the last run.
  if settled == nil then settled = state.source end
  local now, trouble = mirror(ctx, wanted_entries(), is_whole, is_wanted, kind, source, {
    marks = marks_before, settled = settled, pages = changed and state.pages or {}, kept = state.kept or packed {},
  })
  if not now then return nil, trouble end
  if options.dry_run then return end
  local problems, refused = problems_of(entries), now.refused
  local note = now.count == 0 and note_of(entries, problems) or nil
  if note then ctx:note(note) end
  changed = changed or is_whole and now.kept ~= (state.kept or packed {})
  if changed and is_whole and not refused then ctx:complete() end
  local chosen = changed and entries or entries_to_emit(entries, problems, state.problems or {})
  if changed and is_whole then add_kept(chosen, now.kept) end
  for i, entry in ipairs(chosen) do
    -- A refused file is not news until it can be mirrored.
    if not entry.is_refused then ctx:emit(item_of(entry)) end
    -- The checkpoint has the previous state, so the next run finds the changes again if this run
    -- fails after the checkpoint.
    if i % items_of_a_commit == 0 then ctx:checkpoint() end
  end
  if refused then
    -- The possible transfers stay queued: a failed run stores nothing but its checkpoints.
    ctx:checkpoint()
    return nil, refused
  end
  ctx.state = {
    asked = asked, source = source, kind = kind, pages = pages, marks = now.marks, heads = heads,
    problems = problems, kept = now.kept, settled = now.settled, note = note,
    -- While changes here are under way or needed, the next run reads the folder again, because the
    -- digest does not cover folders.
    digest = now.count == 0 and digest or nil,
  }
end

return {
  api = 1,
  name = "file-sync",
  version = version,
  description = "keeps a local folder the same as a remote one (one way)",
  options = {
    source = {
      type = "url", required = true, example = "https://cloud.example.org/remote.php/dav/files/me/",
      description = "address of the folder: WebDAV, file:, a listing, a bucket",
    },
    kind = {
      default = "auto", choices = { "auto", "webdav", "folder", "index", "manifest", "s3" },
      description = "kind of the source",
    },
    include = { type = "list", default = {}, description = "globs of files to mirror; all if empty" },
    exclude = { type = "list", default = {}, description = "globs of files to leave out" },
    delete = { type = "boolean", default = false, description = "delete files here that the source does not have" },
    max_delete = {
      type = "integer", description = "most files that a run may delete; unless set, 100 and half of the mirror",
    },
    allow_delete = {
      description = "the code from a refused run, to delete its files; or any, to delete without a code",
    },
    compare = {
      default = "modified", choices = { "modified", "size", "checksum" },
      description = "what is compared with the source, in addition to the size",
    },
    backup = { description = "folder, in the mirror, for files that are replaced or deleted" },
    max_heads = {
      type = "integer", default = 200,
      description = "most single files of which a run requests the size and time that a listing lacks",
    },
    dry_run = { type = "boolean", default = false, description = "only log what would be done" },
    user = { description = "user name at the server" },
    password = { description = "password for the server; better as the secret 'password'" },
    prefix = { description = "prefix of the keys in a bucket (s3)" },
    key_id = { description = "id of the key that requests are signed with (s3); needs the secret 'secret_key'" },
    region = { default = "us-east-1", description = "region of the bucket (s3)" },
  },
  permissions = {
    http = { "{options.source}" },
    secrets = {
      password = { hosts = { "{options.source}" }, description = "password for the server" },
      secret_key = { hosts = { "{options.source}" }, description = "secret key of a bucket (s3)" },
      session_token = { hosts = { "{options.source}" }, description = "session token of a temporary key (s3)" },
    },
  },
  interval = "1h",
  timeout = "10m",
  fetch = fetch,
}
