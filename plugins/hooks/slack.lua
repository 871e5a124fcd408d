-- News, failures and recoveries to Slack: https://docs.slack.dev/messaging/formatting-message-text
local http, text = require "http", require "text"

-- What Slack asks for; in a link a bar would end the address.
local references = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }
local function escape(words) return (words:gsub("[&<>]", references)) end

local function post(ctx, message)
  local address = ctx.options.server .. "/" .. ctx.options.webhook .. "/" .. ctx:secret("token")
  return http.post(address, { json = { text = message } })
end

return {
  description = "messages to Slack by an incoming webhook",
  options = {
    webhook = { required = true, description = "T…/B… of https://hooks.slack.com/services/T…/B…/TOKEN" },
    server = { type = "url", default = "https://hooks.slack.com/services", description = "what is before" },
  },
  permissions = {
    http = { "{options.server}" },
    secrets = { token = { hosts = { "{options.server}" }, required = true, description = "the last part" } },
  },
  on_new_data = function(run, changes, ctx)
    local lines = { "*" .. escape(run.job) .. "*" }
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      local line = escape(text.truncate(text.collapse(item.title or item.id), 300))
      if item.url then line = "<" .. escape(item.url):gsub("|", "%%7C") .. "|" .. line .. ">" end
      lines[i + 1] = what .. line
    end
    return post(ctx, text.fit(lines, 3950)) -- Slack splits longer ones, or cuts them in a link
  end,
  on_failed = function(run, failure, ctx)
    return post(ctx, escape(run.job .. " fails: " .. text.truncate(failure.message, 1000)))
  end,
  on_recovered = function(run, ctx) return post(ctx, escape(run.job) .. " works again") end,
}
