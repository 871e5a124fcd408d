-- News, failures and recoveries to a Telegram chat: https://core.telegram.org/bots/api#sendmessage
local http, text = require "http", require "text"

-- The bot API has no key against duplicates, so a repeated message appears twice.
local function send(ctx, html)
  local address = ctx.options.server .. "/bot" .. ctx:secret("token") .. "/sendMessage"
  local response, problem = http.post(address, { json = {
    chat_id = ctx.options.chat, text = html, parse_mode = "HTML",
    link_preview_options = { is_disabled = true },
  } })
  if response and response.status == 429 then
    -- The waiting time is in the body of the answer, not in a header:
    -- https://core.telegram.org/bots/api#responseparameters
    return nil, "Telegram answered 429", tonumber(response.body:match('"retry_after"%s*:%s*(%d+)'))
  end
  return response, problem
end

return {
  description = "messages of a bot to a Telegram chat",
  options = {
    server = { type = "url", default = "https://api.telegram.org", description = "address of the bot API" },
    chat = { required = true, description = "id of the chat, or @name of a channel" },
  },
  permissions = {
    http = { "{options.server}" },
    secrets = { token = { hosts = { "{options.server}" }, required = true, description = "token of the bot" } },
  },
  on_new_data = function(run, changes, ctx)
    local lines = { "<b>" .. text.escape(run.job) .. "</b>" }
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      if item.job and item.job ~= run.job then what = text.escape(item.job) .. ", " .. what end
      local line = text.escape(text.truncate(item.title or item.id, 300))
      if item.url and #item.url <= 1000 then
        line = '<a href="' .. text.escape(item.url) .. '">' .. line .. "</a>"
      end
      lines[i + 1] = what .. line
    end
    -- A message has at most 4,096 characters without the markup; this count includes the markup.
    return send(ctx, text.fit(lines, 4096, { unit = "utf16" }))
  end,
  on_failed = function(run, failure, ctx)
    local what = ({ success = " is stale: ", newData = " is quiet: " })[failure.what] or " fails: "
    return send(ctx, text.escape(run.job .. what .. text.truncate(failure.message, 1000)))
  end,
  on_recovered = function(run, ctx) return send(ctx, text.escape(run.job) .. " works again") end,
}
