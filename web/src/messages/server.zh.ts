/**
 * What the server says, by the code it says it with. `{name}` is filled from the details that came along,
 * `{server}` with the server's own sentence, for what only that one knows (a path, a provider's reason). Of several
 * sentences the first whose places can all be filled is meant. Where the details tell a `kind`, `code.kind` comes first.
 * Long, because it is one table.
 */
export const serverSentencesZh: Readonly<Record<string, string | readonly string[]>> = {
  'agent.closed': '这个子智能体已关闭，只有启动它的智能体能重新打开：请到那个会话里提出。',
  'agent.codex-permissions':
    '[tscodex.subagent_codex] 的 permission_mode 让 Codex 什么都能做，而这个会话不能：沙箱 {sandbox}，审批 {approval}。请改成 "never" 或 "approve-for-me"。',
  'agent.codex-user':
    '{cwd} 里的命令以目录所有者的身份运行，而 Codex 会以这台服务器的用户身份运行，权限更大：请以该所有者启动服务器，或不要在这里使用 Codex。',
  'agent.one-shot': '这个子智能体是只做一件任务、只回答一次的 Codex：还有别的任务，请另外启动一个。',

  'ask.answer': ['问题“{question}”还没有回答。', '这里需要另一种回答。'],
  'ask.field': '“{question}”的回答不合要求。',
  'ask.field.one': '“{question}”只能有一个回答。',
  'ask.field.choice': '“{question}”的回答须是其中之一：{options}。',
  'ask.field.choices': '“{question}”的回答须从这些里面选：{options}。',
  'ask.field.count': [
    '“{question}”须选 {least} 到 {most} 项。',
    '“{question}”至少选 {least} 项。',
    '“{question}”最多选 {most} 项。',
  ],
  'ask.field.length': [
    '“{question}”的回答须有 {least} 到 {most} 个字符。',
    '“{question}”的回答至少要有 {least} 个字符。',
    '“{question}”的回答最多 {most} 个字符。',
  ],
  'ask.field.boolean': '“{question}”的回答须是 true 或 false。',
  'ask.field.number': [
    '“{question}”的回答须是 {least} 到 {most} 的数。',
    '“{question}”的回答须是不小于 {least} 的数。',
    '“{question}”的回答须是不大于 {most} 的数。',
    '“{question}”的回答须是数。',
  ],
  'ask.field.integer': [
    '“{question}”的回答须是 {least} 到 {most} 的整数。',
    '“{question}”的回答须是不小于 {least} 的整数。',
    '“{question}”的回答须是不大于 {most} 的整数。',
    '“{question}”的回答须是整数。',
  ],
  'ask.field.email': '“{question}”的回答须是电子邮件地址。',
  'ask.field.uri': '“{question}”的回答须是完整的网址，例如 https://example.org。',
  'ask.field.date': '“{question}”的回答须是日期，例如 2026-01-31。',
  'ask.field.date-time': '“{question}”的回答须是日期和时间，例如 2026-01-31T12:00:00。',
  'ask.ended': ['{by} 已经处理过了。', '这一项已经处理过了。'],
  'ask.unknown': '这个会话里没有这项提问或审批。',

  'backend.compact': 'codex exec 不能按要求压缩对话：对话过长时 Codex 会自己压缩。',
  'board.disabled': '这个工作区没有看板。',
  'board.image': '这里只提供与看板放在一起的图片。',
  'board.ticket': '看板链接已失效，请从工作区重新打开。',
  'board.tooLarge': '看板文件太大：{server}',
  'board.unreadable': '无法读取看板：{server}',

  'catalog.cursor': '列表的位置已失效，请从头读取。',

  'clock.stopped': ['定时唤醒由 {by} 停止。', '定时唤醒已停止。'],

  'codex.busy': '另一个 Codex 正在使用这个会话：请先在那里结束，再重新发送。',
  'codex.elicitation': 'MCP 服务器 {server} 要求填写这里无法显示的内容，已替你拒绝。',
  'codex.ended': [
    'Codex 已退出（退出码 {exitCode}）。发送下一条消息会重新启动它；如果再次退出，请在运行服务器的机器上手动运行 codex app-server 查看原因。',
    'Codex 已被信号 {signal} 终止。发送下一条消息会重新启动它；如果再次退出，请在运行服务器的机器上手动运行 codex app-server 查看原因。',
    'Codex 无法运行（{reason}）。发送下一条消息会重新启动它；如果再次退出，请在运行服务器的机器上手动运行 codex app-server 查看原因。',
  ],
  'codex.exit': [
    'Codex 在本轮中途退出（退出码 {exitCode}）。请在运行服务器的机器上、在这个目录里手动运行 codex exec 查看原因。',
    'Codex 在本轮中途被信号 {signal} 终止。请在运行服务器的机器上、在这个目录里手动运行 codex exec 查看原因。',
    'Codex 无法运行（{reason}）。请在运行服务器的机器上、在这个目录里手动运行 codex exec 查看原因。',
  ],
  'codex.environment': 'Codex 的环境来自这台服务器，启动后不再改变；要更换请重新启动服务器。',
  'codex.flood': 'Codex 发来的内容多得无法处理，已被停止；请重新发送。',
  'codex.idle': 'Codex 已结束这一轮，请重新发送。',
  'codex.index': 'Codex 的索引没有记下会话的新名字，Codex 里可能还显示旧名字，请再命名一次：{server}',
  'codex.item': 'Codex：{kind}',
  'codex.limit': 'Codex 的账号已达到上限：{reason}',
  'codex.login':
    'Codex 被服务商拒绝：{reason}。请在运行服务器的机器上执行 codex login；如果 config.toml 指定了别的服务商，请检查那里的密钥。然后重新发送。',
  'codex.mcp': [
    'Codex 无法启动 MCP 服务器 {name}：{reason}',
    'Codex 无法启动 MCP 服务器 {name}，它没有说明原因。',
  ],
  'codex.missing': [
    '{place} 不是可以运行的程序：请安装 Codex（npm install -g @openai/codex），或在 config.toml 的 [tscodex] 下用 codex_bin 写明它的位置。',
    '服务器的 PATH 上没有 Codex：请安装（npm install -g @openai/codex），或在 config.toml 的 [tscodex] 下用 codex_bin 写明它的位置。',
  ],
  'codex.reply': 'Codex 对 {method} 的回应这里无法理解：请使用这台服务器测试过的版本，或更新服务器。',
  'codex.request': 'Codex 拒绝了 {method}：{reason}',
  'codex.resume': 'Codex 无法继续这个会话：{reason}',
  'codex.silence':
    'Codex 已有 {minutes} 分钟没有任何消息，已被停止。请重新发送，或在 config.toml 的 [tscodex] 下设置 codex_silence_minutes。',
  'codex.silent': 'Codex 在 {seconds} 秒内没有回应 {method}；请重新发送，或到运行服务器的机器上查看。',
  'codex.turn': ['Codex 无法继续：{reason}', 'Codex 没有说明原因就结束了这一轮，请重新发送。'],
  'codex.unattended':
    'codex exec 不会询问任何人，所以只有服务器以完全访问方式启动时它才能完全访问：请为这个会话选择别的沙箱，或改用智能体 Codex。',
  'codex.unknown': 'Codex 发来了这里还不认识的消息 {method}。',
  'codex.unreachable':
    'Codex 在 {seconds} 秒内无法连接它的服务商：{reason}。请检查网络和 config.toml 里的服务商，然后重新发送。',
  'codex.untested': '这台服务器用 Codex {tested} 测试过，{version} 的行为可能有些不同。',
  'codex.version': 'Codex {version} 太旧：这里至少需要 {oldest}。请更新：npm install -g @openai/codex',
  'codex.warning': 'Codex 提醒：{message}',

  'codex-agent.access-policy': [
    '没有在这里启动 Codex：{reason}',
    'Codex 被服务商或某项策略拒绝（阶段 {stage}，HTTP {httpStatus}）：请在运行服务器的机器上执行 codex login；如果 config.toml 指定了别的服务商，请检查那里的密钥；或换一个任务。',
    'Codex 被服务商或某项策略拒绝（阶段 {stage}）：请在运行服务器的机器上执行 codex login；如果 config.toml 指定了别的服务商，请检查那里的密钥；或换一个任务。',
  ],
  'codex-agent.invalid-result': 'Codex 结束时没有给出回答（阶段 {stage}）：请再启动一次，并要求用文字回答。',
  'codex-agent.limit': [
    'Codex 没有在 {seconds} 秒内结束（阶段 {stage}）：请给小一些的任务，或调大 [tscodex.subagent_codex] 的 timeout_sec。',
    'Codex 的账号已达到上限（阶段 {stage}，HTTP {httpStatus}）：请稍后再启动。',
    'Codex 的账号已达到上限（阶段 {stage}）：请稍后再启动。',
  ],
  'codex-agent.process':
    'Codex 无法启动，或自己退出了（阶段 {stage}）：请看看运行服务器的机器上能否运行 codex；[tscodex] 的 codex_bin 写明它的位置。',
  'codex-agent.product-error': [
    'Codex 或它的服务商没有接受这个任务（阶段 {stage}，HTTP {httpStatus}）：请检查 config.toml 里它的设置，或更新 Codex。',
    'Codex 或它的服务商没有接受这个任务（阶段 {stage}）：请检查 config.toml 里它的设置，或更新 Codex。',
  ],
  'codex-agent.service': [
    '给 Codex 提供回答的服务出错了（阶段 {stage}，HTTP {httpStatus}）：请稍后再启动。',
    '给 Codex 提供回答的服务出错了（阶段 {stage}）：请稍后再启动。',
  ],
  'codex-agent.transport': [
    'Codex 连不上给它提供回答的服务（阶段 {stage}，HTTP {httpStatus}）：请检查运行服务器的机器的网络，然后再启动。',
    'Codex 连不上给它提供回答的服务（阶段 {stage}）：请检查运行服务器的机器的网络，然后再启动。',
  ],
  'codex-agent.unknown': [
    'Codex 失败了，原因不明（阶段 {stage}，HTTP {httpStatus}）：请再启动一次。',
    'Codex 失败了，原因不明（阶段 {stage}）：请再启动一次。',
  ],

  'command.compact': '还没有可以压缩的对话。',
  'command.title': ['{title}', '这个会话还没有标题。'],
  'command.unknown': '没有这个命令。输入 /help 查看全部命令。',
  'command.usage': '用法：{usage}',
  'command.cd': '命令从 {cwd} 开始运行。',
  'command.export': '可以下载这次对话，内容以下载时为准。',
  'command.fork': ['这次对话也在“{title}”里继续。', '这次对话也在另一个会话里继续。'],
  'command.help./fork': '带着到目前为止的对话，在另一个会话里继续',
  'command.help./resume': '列出最近的会话，或打开其中一个',
  'command.help./cd': '查看或更换命令开始运行的目录',
  'command.help./export': '下载这次对话，格式为 markdown 或 json',
  'command.help./help': '列出命令',
  'command.help./title': '查看或设置会话标题',
  'command.help./model': '列出模型，或更换模型',
  'command.help./history': '列出这次对话最近的消息',
  'command.help./compact': '压缩上下文：对模型来说，一份总结会代替之前的对话',
  'command.help./status': '查看会话的设置、用量和剩余上下文',
  'command.help./env': '重新读取登录 shell 为命令设置的环境变量',
  'command.resume': [
    '{list}\n/resume N、ID 或 TITLE 打开其中一个。',
    '“{title}”已打开。',
    '还没有其他会话。',
  ],
  'command.history': ['… 更早的消息未列出，以下是最近 {count} 条\n{lines}', '{lines}', '还没有消息。'],
  'command.model': [
    '当前模型：{now}\n推理强度：{efforts}\n可用：{available}',
    '当前模型：{now}\n可用：{available}',
    '当前模型：{now}\n模型服务没有列出模型',
    '已切换到 {model}，推理强度 {effort}。',
    '已切换到 {model}。',
  ],
  'command.status': [
    '智能体：{program}',
    '模型：{model}',
    '权限：沙箱 {sandbox}，审批 {approval}，网络 {network}',
    '上下文：剩余 {contextLeft}%，{contextWindow} 个 token 中已用 {contextTokens}',
    '最近一轮：输入 {turnInput} 个 token，其中缓存 {turnCached}；输出 {turnOutput}，其中推理 {turnReasoning}',
    '会话：输入 {sessionInput} 个 token，其中缓存 {sessionCached}；输出 {sessionOutput}，其中推理 {sessionReasoning}',
    '费用：{cost}，最近一轮 {turnCost}',
    '费用：没有 {unpriced} 的价格',
  ],
  'command.env': ['已重新读取命令的环境变量：{changes}', '已重新读取命令的环境变量，没有变化。'],
  'command.help./queue': '本轮结束后再发送 TEXT',
  'command.help./stop': '停止本轮',

  'compaction.called': [
    '{name} 没有写总结，而是调用了工具。可以用 /compact 再试，或用 /model NAME 换一个模型。',
    '模型没有写总结，而是调用了工具。可以用 /compact 再试，或用 /model NAME 换一个模型。',
  ],
  'compaction.empty': [
    '{name} 没有给出总结。可以用 /compact 再试，或用 /model NAME 换一个模型。',
    '模型没有给出总结。可以用 /compact 再试，或用 /model NAME 换一个模型。',
  ],
  'compaction.inVain': [
    '压缩上下文已腾不出空间：现在约 {used} 个 token，其中说明和工具占 {fixed}，而 {model} 的上限是 {limit} 个。请用 /compact 再试一次，用 /model NAME 换一个上下文窗口更大的模型，或新建会话。',
    '压缩上下文已腾不出空间。请用 /compact 再试一次，用 /model NAME 换一个上下文窗口更大的模型，或新建会话。',
  ],
  'compaction.notSmaller': '总结几乎和对话一样长，所以什么都没有改变。',
  'compaction.paused': '这个会话有一轮在等待恢复，请先恢复。',
  'compaction.slow': [
    '{name} 写总结超过了 {minutes} 分钟。可以用 /compact 再试，或用 /model NAME 换一个模型。',
    '模型写总结用的时间太长。可以用 /compact 再试，或用 /model NAME 换一个模型。',
  ],
  'compaction.stillTooLong':
    '上下文压缩之后仍然放不下。请一次少发一些（长文本放进文件），用 /compact 再试一次，或换一个上下文窗口更大的模型。原文：{server}',

  'config.encoding': '{file} 不是 UTF-8 文本。',
  'config.gone': '{file} 不见了：请放回原处，或重启服务器以在没有它的情况下继续。',
  'config.instructions': '无法读取 model_instructions_file 指定的 {file}：{reason}',
  'config.leftOut': '{place}：{key} 有误，已略过这一项：{reason}',
  'config.looser': '{place}：项目只能让 {key} 更严格，已略过 "{value}"。',
  'config.missing': '配置文件 {file} 不存在。',
  'config.model': '模型还不能用，请改正配置：{server}',
  'config.more': '{place}：还有 {more} 处未知的设置或已略过的内容。',
  'config.onRequest': '{place}：这种 approval_policy 按 "on-request" 处理：命令需要超出沙箱的权限时会询问。',
  'config.profile': '没有名为“{name}”的配置档：既没有 {own}，{file} 里也没有 [profiles.{name}]。',
  'config.projectKey': '{place}：{key} 只能写在你自己的 config.toml 里，已略过。',
  'config.projectLink': '未读取 {file}：它是链接，或位于链接之后。请把文件本身放在那里。',
  'config.projectWritable':
    '未读取 {file}：智能体的命令可以写入 {folder}。请把它设为某个工作区的目录，或不要信任那里的文件。',
  'config.syntax': [
    '{file} 第 {line} 行第 {column} 列不是有效的 TOML（{key}）：{reason}',
    '{file} 第 {line} 行第 {column} 列不是有效的 TOML：{reason}',
  ],
  'config.tool': '{place}：toolset 里有未知的工具：{unknown}。可用的有：{known}。',
  'config.trustLink':
    '未读取 {file}：{link} 是链接，或位于链接之后，不算信任 {trusted}。请直接为 {trusted} 写上 [projects."…"]。',
  'config.type': '配置里有不合要求的值：{server}',
  'config.unknownKey': ['{place}：未知的设置 {key}。是不是 {nearest}？', '{place}：未知的设置 {key}。'],
  'config.unreadable': '无法读取 {file}：{reason}',
  'config.untrusted':
    '未读取 {file}。要信任它，请在 config.toml 里为 {folder} 写上 [projects."…"] trust_level = "trusted"。',

  'context.agentsMd': '给智能体看的说明没有全部送达，详情：{files}',
  'context.skills': '有的技能无法使用，详情：{files}',

  'entry.boardDir': ['{place}：目录 {path} 不存在。', '目录 {path} 不存在。'],
  'entry.boardForbidden': [
    '{place}：{path} 在服务器自己的目录里，请换个位置。',
    '{path} 在服务器自己的目录里，请换个位置。',
  ],
  'entry.boardKind': ['{place}：{path} 不是 .html 或 .htm 文件。', '{path} 不是 .html 或 .htm 文件。'],
  'entry.boardPlace':
    '无法在 {dir} 里建立看板用的目录 {name}（{reason}）：请在这一项里另写 "board"，或用 "enable_board": false 关闭看板。',
  'entry.boardTaken': ['{place}：{path} 已是前面一项的看板。', '{path} 已是前面一项的看板。'],
  'entry.dir': ['{place}：目录 {path} 无法使用：{reason}', '目录 {path} 无法使用：{reason}'],
  'entry.dirClosed': ['{place}：运行服务器的用户无权读取 {path}。', '运行服务器的用户无权读取 {path}。'],
  'entry.dirMissing': ['{place}：目录 {path} 不存在。', '目录 {path} 不存在。'],
  'entry.id': ['{place}：{id} 已是前面一项的 id。', '{id} 已是前面一项的 id。'],
  'entry.invalid': '这一项的写法不对：{server}',
  'entry.noDir': ['{place}：没有写工作目录。', '没有写工作目录。'],
  'entry.notDir': ['{place}：{path} 不是目录。', '{path} 不是目录。'],

  'environment.profile':
    '无法读取登录 shell 的环境变量，请检查 ~/.profile 等文件，然后发送 /env。原文：{server}',

  'exec.end': '命令已经结束，但善后没有完成：{server}',
  'exec.ended': '命令已结束：{server}',
  'exec.owner': '没有执行：命令无法以这个目录所有者的身份运行：{server}',
  'exec.start': '命令没能启动：{server}',
  'exec.tooMany': '本会话中还在运行的命令太多，请先停止一个。',
  'exec.tooManyOnServer': '这台服务器上所有会话同时运行的命令已达上限 {count} 条，请先停止一条。',
  'exec.unknown': '本会话中没有这条正在运行的命令。',

  'file.lock': '文件无法加锁：{server}',
  'file.write': '文件无法写入：{server}',

  'fork.noMessage': '这一条不是某个人发的消息，只能从人发的消息处分叉。',

  'grant.unknown': '这项允许已不再有效：有人收回了它。',

  'hook.dropped': '本会话的钩子跟不上进度，有些事件没有通知到。',
  'hook.failed': [
    '{event} 的钩子 {command} 失败，退出码 {exitCode}。',
    '{event} 的钩子 {command} 被 {signal} 终止。',
    '{event} 的钩子 {command} 没有在 {seconds} 秒内结束，已被终止。',
    '{event} 的钩子 {command} 输出超过 {limit} 字节，已被终止。',
    '{event} 的钩子 {command} 没能执行：{reason}',
  ],

  'image.broken': '{name} 已损坏：开头是图片，结尾不完整。',
  'image.busy': '同时上传的图片已达上限 {count} 张，请在 {retryAfter} 秒后重新发送这一张。',
  'image.cut': '图片没有传完就中断了。',
  'image.pixels': '{name} 有 {width} × {height} 像素，上限是 5000 万像素。请先缩小。',
  'image.space':
    '这个工作区的图片已占满上限 {limit} GiB。请把图片放进工作区目录，并在消息里写上文件名：智能体可以自己查看。',
  'image.tooLarge': '{name} 超过了 {limit} MiB，即一张图片的上限。请先缩小。',
  'image.tooMany':
    '这个工作区已有 {count} 张上传后没有发送的图片。请先发送一些；没有发送的一周后会自动清除。',
  'image.tooMuch': '一条消息的图片合计最多 {limit} MiB，请分几条发送。',
  'image.type': ['{name} 不是 PNG、JPEG、WebP 或 GIF 图片。', '这不是 PNG、JPEG、WebP 或 GIF 图片。'],
  'image.unknown': '服务器上已没有这张图片，请移除后重新添加。',
  'image.write': '服务器无法保存图片：{server}',

  'input.gone': '这条消息已不在队列中：智能体已经收到了。',
  'input.queue-full': [
    '等待中的消息的图片合计最多 {limit} MiB，请移除一些，或等它们被处理。',
    '等待的消息太多，请移除一些，或等它们被处理。',
  ],
  'input.tooLarge': '消息太长，上限是 1 MiB。请存成文件，并在消息里写明文件名。',

  'item.no-output': '这一项没有保留输出。',
  'item.unknown': '这个会话中没有这一项。',

  'login.empty': '请输入密码或令牌。',
  'login.needed': '请先登录。',
  'login.throttled': '尝试次数过多，请在 {retryAfter} 秒后重试。',
  'login.wrong': '密码或令牌不对。',

  'model.auth': '模型服务拒绝了凭据，请检查它的 API key。原文：{server}',
  'model.bad-request': '模型服务拒绝了请求，原样重发也不会成功。原文：{server}',
  'model.effort': ['{model} 不支持推理强度“{effort}”。可用的有：{efforts}。', '{model} 不支持设置推理强度。'],
  'model.images':
    '模型不接受对话中的图片。请用 /model NAME 换一个支持图片的模型，或新建不带图片的会话。原文：{server}',
  'model.config': '模型配置有误：{server}',
  'model.connection': '连不上模型服务，请检查 base_url 和网络。原文：{server}',
  'model.context-overflow':
    '对话太长，超出了模型的上下文。请新建会话，或选择上下文更大的模型。原文：{server}',
  'model.list': '模型服务没有及时列出模型，请重试。',
  'model.not-an-api': '对方的响应不是 Responses API，请检查 base_url（通常以 /v1 结尾）。原文：{server}',
  'model.not-found': '没有这个模型或地址，请检查 model 和 base_url（通常以 /v1 结尾）。原文：{server}',
  'model.overloaded': '模型服务过载，请稍后再发。原文：{server}',
  'model.quota': '模型服务的额度已用完，请检查套餐和账单，或换一个服务。原文：{server}',
  'model.rate-limit': '请求过于频繁，模型服务暂时限流，请稍后再发。原文：{server}',
  'model.retry': '重试 {attempts}/{max}。原文：{message}',
  'model.server': '模型服务出错，请再发一次；若仍不行，请联系服务方。原文：{server}',
  'model.stream-cut': '模型的回答中途断开，请再发一次。原文：{server}',
  'model.too-large':
    '模型服务不接受这么大的请求。图片占得最多：请用 /compact（会略去图片），或新建会话。原文：{server}',

  'page.asset': '没有这个文件。',
  'page.missing': '页面还没有构建：{server}',

  'permissions.obstacle': [
    '本会话的命令无法启动：不能让命令写入 {path}。请更正 writable_roots 或工作区的目录。原文：{reason}',
    '本会话的命令无法启动。原文：{reason}',
  ],
  'permissions.inherited': '子智能体的权限与启动它的会话相同，请在那里设置。',
  'permissions.unattended':
    '“完全访问”加“从不询问”只能在启动服务器的地方设置：config.toml 的 sandbox_mode 与 approval_policy，或 --sandbox 与 --ask-for-approval。',

  'request.encoding': '请求内容不是有效的 UTF-8。',
  'request.host': [
    '服务器不接受主机名 {host}。如果平时就用这个名称访问，请加上 --allowed-host NAME 或 --public-url URL；如果是代理改写的，请让代理保留浏览器的 Host（nginx：proxy_set_header Host $http_host）。',
    '服务器不接受这个主机名：{server}',
  ],
  'request.invalid': '请求不合要求：{server}',
  'request.json': '请求内容不是有效的 JSON。',
  'request.origin': [
    '浏览器的来源是 {origin}，服务器收到的 Host 却是 {host}：中间的代理改了 Host 请求头。请让它保留浏览器的（nginx：proxy_set_header Host $http_host），或用 --public-url URL 启动服务器。',
    '服务器不接受这个来源：{server}',
  ],
  'request.tooLarge': '请求内容太大。',
  'request.unknownPath': '这个地址不存在。',

  'rollout.missing':
    '此会话接续自会话 {thread}，但 $CODEX_HOME 中没有它的文件，或者它又指回本会话：那里的内容缺失。',
  'rollout.damaged': '{path} 中有几行无法读取，已略过：{lines}。',
  'rollout.unreadable': '无法读取会话文件：{server}',

  'rules.prefix': [
    '不能把“{interpreter}”存为规则：这个程序会运行交给它的任何内容。',
    '不能把“{short}”存为规则：范围太大，请再加上说明用途的词。',
    '不能把“{risky}”存为规则：这条命令可能造成破坏，每次都要询问。',
    '不能把“{opposed}”存为规则：已有另一条更严格的规则。',
    '不能把“{unmatchable}”存为规则：这条命令的内容要由 shell 决定，没有规则能匹配它。',
    '不能把“{git}”存为规则：Codex 会在任何仓库里照它执行，而智能体可以更改 git 在那里运行的内容。',
    '不能把“{elsewhere}”存为规则：这条命令里尚无规则的部分都不是这样开头的。',
  ],
  'rules.unknown': '这条规则已不存在，或刚被改动过。请重新打开列表查看。',
  'rules.write': '无法保存规则：{server}',

  'server.internal': '服务器内部出错，详情见服务器日志。',
  'server.stopping': '服务器正在停止，请重新启动它。',

  'name.header': '请求头中的名字不可用：{server}',
  'name.program': '程序用请求头 x-tscodex-name 说明自己的名字。',

  'sandbox.changed': '没有执行：等待期间沙箱设置已被修改，请重新执行。',
  'sandbox.cwd': '没有执行：命令看不到或无法进入目录 {path}，不能在其中运行。',
  'sandbox.protected':
    '没有执行：{path} 受保护，但它是一个链接，无法保护。请把真正的目录或文件放在那里，或者不再让命令写入 {root}。',
  'sandbox.root': '没有执行：不能让命令写入 {path}。请更正 writable_roots 或已给的许可。原文：{server}',
  'sandbox.start': '没有执行：沙箱无法建立：{why}',
  'sandbox.unavailable': '没有执行：这台机器无法限制命令（{detail}）。',

  'resume.none': ['没有会话“{words}”；/resume 列出最近的会话。', '没有这样的会话；/resume 列出最近的会话。'],
  'resume.several': [
    '有几个会话都叫这个名字，请用 ID 指定一个：\n{list}',
    '有几个会话都叫这个名字，请用 ID 指定一个：{server}',
  ],

  'session.branch': '智能体工作期间，git 分支从 {from} 切换到了 {to}。已告知智能体。',
  'session.busy': '会话正在工作，等本轮结束后再试；/stop 可结束本轮。',
  'session.closed': '会话已关闭，请重新打开。',
  'session.crashed': '这个会话工作时，服务器两次意外停止。会话已暂停，等你恢复。',
  'session.cwd': ['{by} 更换了目录：命令从 {cwd} 开始运行。', '目录已更换：命令从 {cwd} 开始运行。'],
  'session.cwd-busy': '会话正在工作，等本轮结束后再更换目录；/stop 可结束本轮。',
  'session.cwd-changed': [
    '没有执行：{path} 现在指向 {real}，而命令只能写入会话开始时的位置。请把目录恢复原状，或在那里新建会话。',
    '没有执行：{path} 已不是原来的目录，无法确定命令以谁的身份运行。请恢复原状，或重新启动服务器。',
  ],
  'session.cwd-missing': '{path} 不是目录，请先建立，或另选一个。',
  'session.cwd-outside': '{path} 不在工作区之内，请选 {dir} 或它下面的目录。',
  'session.file-exists': '已有文件 {path}，请先把它移走再试。',
  'session.same-name': '这个会话有两个同名文件：{path} 和 {other}。请先移走其中一个再试。',
  'session.file-gone': '会话的对话文件不见了，把它放回原处才能重新打开：{server}',
  'session.file-move': '无法移动会话的文件：{server}',
  'session.has-forks':
    '会话 {session} 由这个会话分叉而来，开头部分在这个会话的文件里：请先删除那个会话，或改为归档这个会话。',
  'session.deleted': '这个会话已被删除，{until} 之前可以恢复。',
  'session.not-deleted': '没有这个已删除的会话：删除一段时间后就无法恢复。',
  'session.moved': '这个会话原来在 {from} 工作，该目录不在这个工作区里，或者已经不存在。现在改在 {to} 工作。',
  'session.ended': '会话已结束或已关闭。',
  'session.locked': [
    '{program}（进程 {pid}）正在写入这个会话：可以在这里阅读，在那边关闭后才能继续。',
    '这个会话正被另一个程序（Codex 或另一个服务器）写入，请先在那边关闭。',
  ],
  'session.nothing-to-resume': '这里没有可以继续的内容。',
  'session.profile': ['没有配置档“{name}”。可用的有：{known}。', '没有配置档“{name}”。'],
  'session.paused': '会话已暂停：恢复之前不会开始新的工作。',
  'session.reopened': '会话停止或关闭时还有消息在等待，恢复后才会发送。',
  'session.grantTakenBack': [
    '{by} 收回了本会话中允许的内容：{subject}',
    '本会话中允许的内容已被收回：{subject}',
  ],
  'session.permissionsTakenBack': ['{by} 收回了允许本会话使用的权限。', '允许本会话使用的权限已被收回。'],
  'session.permissionsNext':
    '当前这一轮里 Codex 仍按原来的权限运行，新的设置从下一轮开始生效；“停止”可结束本轮。',
  'session.permissions': [
    '{by} 修改了命令的权限：沙箱 {sandbox}，审批 {approval}，网络 {network}。',
    '命令的权限已修改：沙箱 {sandbox}，审批 {approval}，网络 {network}。',
  ],
  'session.resumed': ['由 {by} 恢复。', '已恢复。'],
  'session.sharedDirectory': [
    '会话“{title}”正在同一个目录里工作：双方会互相看到对方改动的文件。',
    '另一个会话正在同一个目录里工作：双方会互相看到对方改动的文件。',
  ],
  'session.unknown': '找不到这个会话：它不在这个工作区，或者已经关闭。',

  'socket.subscriptions': '同时打开的会话太多，请先关闭一个。',

  'state.write': '服务器无法写入数据：{server}',

  'turn-hook.done': 'TURN_HOOK.md 已执行。',
  'turn-hook.failed': 'TURN_HOOK.md 执行失败：{reason}',
  'turn-hook.forbidden': '这里没有人在场，TURN_HOOK.md 不能这样做。',
  'turn-hook.running': '正在执行 TURN_HOOK.md。',
  'turn-hook.stopped': ['TURN_HOOK.md 由 {by} 停止。', 'TURN_HOOK.md 已停止。'],
  'turn-hook.unusable': '没有执行 TURN_HOOK.md：{reason}。',

  'turn.interrupted': [
    '智能体工作时，服务器重启了。它当时的提问已无法回答：{asked}',
    '智能体工作时，服务器重启了。',
  ],
  'turn.stopped': ['由 {by} 停止。', '已停止。'],

  'wake.agent': '{nickname} 已结束本轮。',
  'wake.agentFailed': '{nickname} 失败了。',
  'wake.clock': '定时唤醒：每 {minutes} 分钟一次。',
  'wake.command': [
    '`{command}` 已结束，退出码 {exitCode}。',
    '`{command}` 被 {signal} 终止。',
    '`{command}` 失败：{reason}',
  ],
  'wake.commands': '{count} 条后台命令已结束。',
  'wakes.exhausted': '智能体已连续 {count} 次被唤醒而无人发言，在有人发言之前不再被唤醒。',
  'wakes.held': '在有人发言之前，不会再唤醒智能体。',

  'workspace.broken': '工作区 {name} 无法使用：原因见工作区列表。',
  'workspace.gone': '工作区现在不在。',
  'workspace.byHand': '请先在 {place} 处手工改正这一项。',
  'workspace.busy': '{name} 中有会话正在工作：请先停止它或等它结束，再更改目录或看板。',
  'workspace.changed': '期间有人改动了 {name} 或 workspaces.json，请先查看现在的内容。',
  'workspace.directory': '目录 {path} 不存在，也无法创建，请换一个。',
  'workspace.name': '已经有名为 {name} 的工作区，请换一个名称。',
  'workspace.other': '这样会让工作区 {name} 无法使用：{server}',
  'workspace.path': '路径里不能有控制字符。',
  'workspace.unknown': '没有这个工作区。',
  'workspaces.broken': '工作区列表的文件有误，改正之前不能更改列表。',
  'workspaces.encoding': '{path} 不是 UTF-8 文本。',
  'workspaces.gone': '{path} 不见了：请放回原处，或重启服务器，从空列表开始。',
  'workspaces.json': '{path} 第 {line} 行第 {column} 列不是有效的 JSON（{reason}）。',
  'workspaces.shape': '{path} 里要有一个工作区列表：[ … ] 或 {"workspaces": [ … ]}。',
  'workspaces.twice': '{path} 里有个对象把同一个键写了两次，请先手工改正。',
  'workspaces.unreadable': '无法读取 {path}：{reason}',
  'workspaces.write': '无法写入 workspaces.json：{server}',

  internal: '程序内部出错：{server}',
};
