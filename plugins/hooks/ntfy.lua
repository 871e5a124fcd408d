-- News, failures and recoveries to ntfy: https://docs.ntfy.sh/publish/#publish-as-json
local http, text = require "http", require "text"

-- ntfy makes a file of longer messages.
local function fit(lines, bytes) return text.fit(lines, bytes, { unit = "bytes" }) end

local function publish(ctx, title, lines, more)
  local json = { topic = ctx.options.topic, title = fit({ title }, 250), message = fit(lines, 4096) }
  for key, value in pairs(more) do json[key] = value end
  return http.post(ctx.options.server, { json = json, bearer = ctx:secret("token") })
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
    return publish(ctx, title, lines, { click = changes[1].url })
  end,
  on_failed = function(run, failure, ctx)
    return publish(ctx, run.job .. " fails", { failure.message }, { priority = 4, tags = { "warning" } })
  end,
  on_recovered = function(run, ctx) return publish(ctx, run.job, { "works again" }, {}) end,
}
