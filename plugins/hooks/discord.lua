-- News, failures and recoveries to Discord: https://docs.discord.com/developers/resources/webhook
local http, json, text = require "http", require "json", require "text"

local function escape(words) return (words:gsub("[\\*_~`|<>#%[%]()@:-]", "\\%0")) end

local function post(ctx, content)
  local address = ctx.options.server .. "/" .. ctx.options.webhook .. "/" .. ctx:secret("token")
  return http.post(address, {
    query = { wait = "true" }, -- answer when the message is there
    json = { content = content, allowed_mentions = { parse = json.array {} } },
  })
end

return {
  description = "messages to Discord by a webhook",
  options = {
    webhook = { required = true, description = "ID of https://discord.com/api/webhooks/ID/TOKEN" },
    server = { type = "url", default = "https://discord.com/api/webhooks", description = "what is before" },
  },
  permissions = {
    http = { "{options.server}" },
    secrets = { token = { hosts = { "{options.server}" }, required = true, description = "the last part" } },
  },
  on_new_data = function(run, changes, ctx)
    local lines = { "**" .. escape(run.job) .. "**" }
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      lines[i + 1] = what .. escape(text.truncate(text.collapse(item.title or item.id), 200))
      if item.url then lines[i + 1] = lines[i + 1] .. " <" .. item.url:gsub("[<>%s]", "") .. ">" end
    end
    return post(ctx, text.fit(lines, 2000, { unit = "utf16" }))
  end,
  on_failed = function(run, failure, ctx)
    return post(ctx, escape(run.job .. " fails: " .. text.truncate(failure.message, 900)))
  end,
  on_recovered = function(run, ctx) return post(ctx, escape(run.job) .. " works again") end,
}
