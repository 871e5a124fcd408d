-- News, failures and recoveries to Discord: https://docs.discord.com/developers/resources/webhook
local http, json, text = require "http", require "json", require "text"

local function escape(words) return (words:gsub("[\\*_~`|<>#%[%]()@:-]", "\\%0")) end

-- Characters beyond the first 65,536 count as two.
local function length(words) return utf8.len(words) + select(2, words:gsub("[\xF0-\xF4]", "")) end

local function post(ctx, content)
  local address = ctx.options.server .. "/" .. ctx.options.webhook .. "/" .. ctx:secret("token")
  local response, problem = http.post(address, {
    query = { wait = "true" }, -- answer when the message is there
    json = { content = content, allowed_mentions = { parse = json.array {} } },
  })
  if not response then return nil, problem end
  if not response.ok then return nil, "Discord answered " .. response.status end
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
    local content = "**" .. escape(run.job) .. "**"
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      local line = what .. escape(text.truncate(text.collapse(item.title or item.id), 200))
      if item.url then line = line .. " <" .. item.url:gsub("[<>%s]", "") .. ">" end
      if length(content .. line) > 1980 then -- of 2,000
        content = content .. "\n… " .. #changes - i + 1 .. " more"
        break
      end
      content = content .. "\n" .. line
    end
    return post(ctx, content)
  end,
  on_failed = function(run, failure, ctx)
    return post(ctx, escape(run.job .. " fails: " .. text.truncate(failure.message, 900)))
  end,
  on_recovered = function(run, ctx) return post(ctx, escape(run.job) .. " works again") end,
}
