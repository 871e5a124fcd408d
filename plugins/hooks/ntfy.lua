-- News, failures and recoveries to ntfy: https://docs.ntfy.sh/publish/#publish-as-json
local hash, http, text = require "hash", require "http", require "text"

-- ntfy turns a message of more than 4,096 bytes into a file (Limitations, same page).
local function fit(lines, bytes) return text.fit(lines, bytes, { unit = "bytes" }) end

local function publish(run, ctx, title, lines, more)
  local json = { topic = ctx.options.topic, title = fit({ title }, 250), message = fit(lines, 4096) }
  -- From ntfy 2.16 on, a repeated delivery replaces the first one (Updating notifications); older
  -- versions show it twice.
  json.sequence_id = hash.sha256(run.delivery):sub(1, 32)
  for key, value in pairs(more) do json[key] = value end
  return http.post(ctx.options.server, { json = json, bearer = ctx:secret("token") })
end

return {
  description = "notifications by ntfy",
  options = {
    server = { type = "url", default = "https://ntfy.sh/", description = "address of the server" },
    topic = { required = true, description = "the ntfy topic (anyone who knows it can read it)" },
  },
  permissions = {
    http = { "{options.server}" },
    secrets = { token = { hosts = { "{options.server}" }, description = "access token, tk_…" } },
  },
  on_new_data = function(run, changes, ctx)
    local lines = {}
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      if item.job and item.job ~= run.job then what = item.job .. ", " .. what end
      lines[i] = what .. (item.title or item.id)
    end
    local title = #changes == 1 and run.job or run.job .. ": " .. #changes
    return publish(run, ctx, title, lines, { click = changes[1].url })
  end,
  on_failed = function(run, failure, ctx)
    local what = ({ success = " is stale", newData = " is quiet" })[failure.what] or " fails"
    return publish(run, ctx, run.job .. what, { failure.message }, { priority = 4, tags = { "warning" } })
  end,
  on_recovered = function(run, ctx) return publish(run, ctx, run.job, { "works again" }, {}) end,
}
