-- News, failures and recoveries to ntfy: https://docs.ntfy.sh/publish/#publish-as-json
local http = require "http"

-- At most so many bytes, with no character cut; ntfy makes a file of longer messages.
local function cut(text, bytes)
  if #text <= bytes then return text end
  return text:sub(1, utf8.offset(text, 0, bytes - 2) - 1) .. "…"
end

local function publish(ctx, title, message, more)
  local json = { topic = ctx.options.topic, title = cut(title, 250), message = cut(message, 4096) }
  for key, value in pairs(more) do json[key] = value end
  local response, problem = http.post(ctx.options.server, { json = json, bearer = ctx:secret("token") })
  if not response then return nil, problem end
  if not response.ok then return nil, "ntfy answered " .. response.status end
end

return {
  description = "notifications by ntfy",
  options = {
    server = { type = "url", default = "https://ntfy.sh/", description = "address of the server" },
    topic = { required = true, description = "who knows a public topic's name can read it" },
  },
  permissions = {
    http = { "{options.server}" },
    secrets = { token = { hosts = { "{options.server}" }, description = "access token, tk_…" } },
  },
  on_new_data = function(run, changes, ctx)
    local lines = {}
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      lines[i] = what .. (item.title or item.id)
    end
    local title = #changes == 1 and run.job or run.job .. ": " .. #changes
    return publish(ctx, title, table.concat(lines, "\n"), { click = changes[1].url })
  end,
  on_failed = function(run, failure, ctx)
    return publish(ctx, run.job .. " fails", failure.message, { priority = 4, tags = { "warning" } })
  end,
  on_recovered = function(run, ctx) return publish(ctx, run.job, "works again", {}) end,
}
