-- News, failures and recoveries to a Telegram chat: https://core.telegram.org/bots/api#sendmessage
local http, text = require "http", require "text"

-- Characters beyond the first 65,536 count as two.
local function length(words) return utf8.len(words) + select(2, words:gsub("[\xF0-\xF4]", "")) end

local function send(ctx, html)
  local address = ctx.options.server .. "/bot" .. ctx:secret("token") .. "/sendMessage"
  local response, problem = http.post(address, { json = {
    chat_id = ctx.options.chat, text = html, parse_mode = "HTML",
    link_preview_options = { is_disabled = true },
  } })
  if not response then return nil, problem end
  if response.status == 429 then
    -- The waiting time stands in the answer, not in a header.
    local seconds = tonumber(response.body:match('"retry_after"%s*:%s*(%d+)'))
    return nil, "Telegram answered 429", seconds
  end
  if not response.ok then return nil, "Telegram answered " .. response.status end
end

return {
  description = "messages of a bot to a Telegram chat",
  options = {
    server = { type = "url", default = "https://api.telegram.org", description = "the bot API" },
    chat = { required = true, description = "id of the chat, or @name of a channel" },
  },
  permissions = {
    http = { "{options.server}" },
    secrets = { token = { hosts = { "{options.server}" }, required = true, description = "the bot's" } },
  },
  on_new_data = function(run, changes, ctx)
    local html = "<b>" .. text.escape(run.job) .. "</b>"
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      local line = text.escape(text.truncate(item.title or item.id, 300))
      if item.url then line = '<a href="' .. text.escape(item.url) .. '">' .. line .. "</a>" end
      if length(html .. what .. line) > 4060 then -- of 4,096
        html = html .. "\n… " .. #changes - i + 1 .. " more"
        break
      end
      html = html .. "\n" .. what .. line
    end
    return send(ctx, html)
  end,
  on_failed = function(run, failure, ctx)
    return send(ctx, text.escape(run.job .. " fails: " .. text.truncate(failure.message, 1000)))
  end,
  on_recovered = function(run, ctx) return send(ctx, text.escape(run.job) .. " works again") end,
}
