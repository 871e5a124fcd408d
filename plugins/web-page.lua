-- Watches a part of a web page: one item, updated when the text of that part changes.
local http, html, text = require "http", require "html", require "text"

-- Returns nodes, or the texts and numbers that XPath may return in their place.
local function selected(page, options)
  if not options.xpath then return page:css(options.select) end
  local found = page:select(options.xpath)
  return type(found) == "table" and found or { found }
end

-- Returns the visible text of the parts, one after the other.
local function readable(parts)
  local texts = {}
  for i, part in ipairs(parts) do
    if type(part) == "table" then
      texts[i] = html.text(part:html(), { content_type = "text/html; charset=utf-8" })
    else
      texts[i] = text.trim(tostring(part))
    end
  end
  return table.concat(texts, "\n")
end

return {
  api = 1,
  name = "web-page",
  version = "1.0.0",
  description = "a selected part of a web page, with a unified diff of what changed",
  options = {
    url = {
      type = "url", required = true, description = "address of the page",
      example = "https://www.debian.org/News/",
    },
    select = {
      default = "body", description = "CSS selector of the part to watch", example = "#content",
    },
    xpath = { description = "XPath of the part to watch, instead of select" },
  },
  permissions = { http = { "{options.url}" } },
  wake_on = "{options.url}",
  interval = "1h",
  items = { ignore = { "diff" } },

  fetch = function(ctx)
    local response, problem = http.get(ctx.options.url)
    if not response then return nil, problem end
    if response.not_modified or response.same_body then return end

    local page = html.parse(response)
    if not page then
      return nil, ("%s answered %d without a page"):format(response.url, response.status)
    end
    local parts = selected(page, ctx.options)
    if #parts == 0 then
      return nil, ("nothing on %s matches '%s': change the option '%s'"):format(
        response.url, ctx.options.xpath or ctx.options.select,
        ctx.options.xpath and "xpath" or "select")
    end

    local before, now = ctx.state.text, readable(parts)
    ctx.state.text = now
    local title = page:find("//title")
    return { {
      id = ctx.options.url,
      url = ctx.options.url,
      title = title and text.collapse(title:text()) or ctx.options.url,
      content = now,
      diff = before and before ~= now and text.diff(before, now) or nil,
    } }
  end,
}
