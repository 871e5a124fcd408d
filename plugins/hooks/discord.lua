-- News, failures and recoveries to Discord: https://docs.discord.com/developers/resources/webhook
local http, json, text = require "http", require "json", require "text"

local function escape(words) return (words:gsub("[\\*_~`|<>#%[%]()@:-]", "\\%0")) end

-- A webhook's message has at most 2,000 characters. Unlike a bot's message it has no nonce, so a
-- delivery that is repeated after a lost answer appears twice. Discord's 429 has `Retry-After`:
-- https://docs.discord.com/developers/topics/rate-limits
local function post(ctx, lines)
  local address = ctx.options.server .. "/" .. ctx.options.webhook .. "/" .. ctx:secret("token")
  return http.post(address, {
    query = { wait = "true" }, -- answers after the message is stored
    json = {
      content = text.fit(lines, 2000, { unit = "utf16" }),
      allowed_mentions = { parse = json.array {} },
    },
  })
end

return {
  description = "messages to Discord by a webhook",
  options = {
    webhook = { required = true, description = "ID of https://discord.com/api/webhooks/ID/TOKEN" },
    server = { type = "url", default = "https://discord.com/api/webhooks", description = "address before the ID" },
  },
  permissions = {
    http = { "{options.server}" },
    secrets = { token = { hosts = { "{options.server}" }, required = true, description = "last part of the URL" } },
  },
  on_new_data = function(run, changes, ctx)
    local lines = { "**" .. escape(run.job) .. "**" }
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      if item.job and item.job ~= run.job then what = escape(item.job) .. ", " .. what end
      lines[i + 1] = what .. escape(text.truncate(text.collapse(item.title or item.id), 200))
      if item.url and #item.url <= 1000 then
        lines[i + 1] = lines[i + 1] .. " <" .. item.url:gsub("[<>%s]", "") .. ">"
      end
    end
    return post(ctx, lines)
  end,
  on_failed = function(run, failure, ctx)
    local what = ({ success = " is stale: ", newData = " is quiet: " })[failure.what] or " fails: "
    return post(ctx, { escape(run.job .. what .. text.truncate(failure.message, 900)) })
  end,
  on_recovered = function(run, ctx) return post(ctx, { escape(run.job) .. " works again" }) end,
}
