-- News, failures and recoveries to Slack: https://docs.slack.dev/messaging/formatting-message-text
local http, text = require "http", require "text"

-- The escapes that Slack requires; in a link, a bar would end the address.
local references = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }
local function escape(words) return (words:gsub("[&<>]", references)) end

-- A webhook accepts one message per second, and its 429 has `Retry-After`:
-- https://docs.slack.dev/apis/web-api/rate-limits. A repeated message cannot be recognised.
local function post(ctx, message)
  local address = ctx.options.server .. "/" .. ctx.options.webhook .. "/" .. ctx:secret("token")
  return http.post(address, { json = { text = message } })
end

return {
  description = "messages to Slack by an incoming webhook",
  options = {
    webhook = { required = true, description = "T…/B… of https://hooks.slack.com/services/T…/B…/TOKEN" },
    server = { type = "url", default = "https://hooks.slack.com/services", description = "address before T…/B…" },
  },
  permissions = {
    http = { "{options.server}" },
    secrets = { token = { hosts = { "{options.server}" }, required = true, description = "last part of the URL" } },
  },
  on_new_data = function(run, changes, ctx)
    local lines = { "*" .. escape(run.job) .. "*" }
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      if item.job and item.job ~= run.job then what = escape(item.job) .. ", " .. what end
      local line = escape(text.truncate(text.collapse(item.title or item.id), 300))
      if item.url and #item.url <= 1000 then
        line = "<" .. escape(item.url):gsub("|", "%%7C") .. "|" .. line .. ">"
      end
      lines[i + 1] = what .. line
    end
    -- Slack advises at most 4,000 characters, and cuts above 40,000:
    -- https://docs.slack.dev/reference/methods/chat.postMessage#truncating
    return post(ctx, text.fit(lines, 3950))
  end,
  on_failed = function(run, failure, ctx)
    local what = ({ success = " is stale: ", newData = " is quiet: " })[failure.what] or " fails: "
    return post(ctx, escape(run.job .. what .. text.truncate(failure.message, 1000)))
  end,
  on_recovered = function(run, ctx) return post(ctx, escape(run.job) .. " works again") end,
}
