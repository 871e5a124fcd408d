-- Watches a part of a web page: one item, updated when the text of that part changes.
local http, html, text = require "http", require "html", require "text"

local function selected(page, options)
  if options.xpath then return page:select(options.xpath) end
  return page:css(options.select)
end

return {
  api = 1,
  name = "web-page",
  version = "1.0.0",
  description = "a selected part of a web page, with a unified diff of what changed",
  options = {
    url = { type = "url", required = true, description = "address of the page" },
    select = { default = "body", description = "CSS selector of the part to watch" },
    xpath = { description = "XPath of the part to watch, instead of select" },
  },
  permissions = { http = { "{options.url}" } },
  interval = "1h",
  items = { ignore = { "diff" } },

  fetch = function(ctx)
    local response, problem = http.get(ctx.options.url)
    if not response then return nil, problem end
    if response.not_modified then return {} end
    if not response.ok then
      return nil, ("%s answered %d"):format(response.url, response.status)
    end
    local page = html.parse(response)
    local parts = selected(page, ctx.options)
    if #parts == 0 then
      return nil, ("nothing on %s matches '%s'"):format(
        response.url, ctx.options.xpath or ctx.options.select)
    end
    local lines = {}
    for i, part in ipairs(parts) do lines[i] = text.trim(part:text()) end
    local now = table.concat(lines, "\n")
    local before = ctx.state.text
    ctx.state.text = now
    local title = page:find("//title")
    return { {
      id = ctx.options.url,
      url = ctx.options.url,
      title = title and text.trim(title:text()) or ctx.options.url,
      content = now,
      diff = before and before ~= now and text.diff(before, now) or nil,
    } }
  end,
}
