/** What the tour shows: a lab's morning, in both languages. Everything the model says in it is scripted. */

export type Language = 'en' | 'zh';

export type Story = {
  /** Titles of the sessions that one sees. */
  loader: string;
  tables: string;
  nightly: string;
  ideas: string;
  ask: string;
  thought: string;
  plan: readonly [string, string, string];
  look: string;
  patch: string;
  result: string;
  follow: string;
  measured: string;
  measure: string;
  queued: string;
  tablesAsk: string;
  question: { header: string; question: string; options: readonly { label: string; description: string }[] };
  nightlyAsk: string;
  nightlyAnswer: string;
  names: readonly [string, string];
  board: string;
  /** Of the paper. */
  outline: string;
};

const code = `def batches(paths, workers):
    with Pool(workers) as pool:
        yield from pool.imap(decode, paths, chunksize=16)`;

const changed = `*** Begin Patch
*** Update File: loader.py
@@
 def batches(paths, workers):
-    for path in paths:
-        yield decode(path)
+    with Pool(workers) as pool:
+        yield from pool.imap(decode, paths, chunksize=16)
*** End Patch
`;

function board(texts: {
  title: string;
  goal: string;
  rows: [string, string][];
  next: string;
  chart: string;
}): string {
  const rows = texts.rows.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`).join('');
  return `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>
body{font:15px/1.5 system-ui,sans-serif;margin:24px;color:light-dark(#1d1d1b,#ecebe6)}
h1{font-size:20px;margin:0 0 4px}p{margin:0 0 16px;color:light-dark(#63635e,#a5a49d)}
table{border-collapse:collapse;width:100%;margin-bottom:20px}td{padding:7px 0;border-bottom:1px solid light-dark(#e4e3de,#353532)}
td:last-child{text-align:right;font-variant-numeric:tabular-nums}svg{width:100%;height:auto}
rect{fill:light-dark(#c7cbf4,#3f4676)}rect.now{fill:light-dark(#4f58d8,#8f97f7)}rect.open{fill:none;stroke:light-dark(#a9aee8,#5a62a8);stroke-dasharray:4 4}text{font-size:11px;fill:light-dark(#63635e,#a5a49d)}
</style><h1>${texts.title}</h1><p>${texts.goal}</p><table>${rows}</table>
<svg viewBox="0 0 320 120" role="img" aria-label="${texts.chart}"><rect x="10" y="78" width="60" height="22"/><rect x="90" y="70" width="60" height="30"/><rect class="now" x="170" y="44" width="60" height="56"/><rect class="open" x="250.5" y="8.5" width="59" height="91"/>
<text x="40" y="114" text-anchor="middle">1</text><text x="120" y="114" text-anchor="middle">2</text><text x="200" y="114" text-anchor="middle">4</text><text x="280" y="114" text-anchor="middle">8</text></svg>
<p>${texts.next}</p>`;
}

function outline(texts: { title: string; goal: string; sections: [string, string][] }): string {
  const rows = texts.sections.map(([name, state]) => `<tr><td>${name}</td><td>${state}</td></tr>`).join('');
  return `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>
body{font:15px/1.5 system-ui,sans-serif;margin:24px;color:light-dark(#1d1d1b,#ecebe6)}
h1{font-size:20px;margin:0 0 4px}p{margin:0 0 16px;color:light-dark(#63635e,#a5a49d)}
table{border-collapse:collapse;width:100%}td{padding:7px 0;border-bottom:1px solid light-dark(#e4e3de,#353532)}
td:last-child{text-align:right;color:light-dark(#63635e,#a5a49d)}
</style><h1>${texts.title}</h1><p>${texts.goal}</p><table>${rows}</table>`;
}

export const stories: Readonly<Record<Language, Story>> = {
  en: {
    loader: 'Slow data loader',
    tables: 'Tables of section 4',
    nightly: 'Nightly build',
    ideas: 'Ideas for augmentation',
    ask: 'Training waits for data on the new cluster. Find out why, and fix it.',
    thought: '**Looking at the loader**\n\nThe GPUs are idle two thirds of the time.',
    plan: ['Find what blocks', 'Decode in parallel', 'Measure again'],
    look: 'Shows how images are read.',
    patch: changed,
    result: `It was the decoding: one process read every image, so the GPUs waited. Images are now decoded by a pool:

\`\`\`python
${code}
\`\`\`

With $w$ workers the time for a batch is about $\\max\\left(t_\\text{read}, \\frac{t_\\text{decode}}{w}\\right)$, which levels off where reading becomes the limit:

| workers | images/s | GPU busy |
| ---: | ---: | ---: |
| 1 | 212 | 34 % |
| 4 | 790 | 88 % |

The board has the details.`,
    follow: 'Nice. Does it still gain with 8 workers?',
    measured: 'May I measure with 4 workers? It needs the GPUs, which the sandbox hides.',
    measure: 'May I measure with 8 workers? It needs the GPUs, which the sandbox hides.',
    queued: 'Then put the new numbers on the board.',
    tablesAsk: 'Set the results as a table for section 4.',
    question: {
      header: 'Errors',
      question: 'How shall the table show the spread of the five runs?',
      options: [
        { label: 'Standard deviation', description: 'Short, what the other tables use' },
        { label: 'Minimum and maximum', description: 'Wider, hides nothing' },
      ],
    },
    nightlyAsk: 'Why did the build fail last night?',
    nightlyAnswer: 'The build ran out of space while it linked: `/scratch` was full with the logs of the',
    names: ['Ada', 'Grace'],
    outline: outline({
      title: 'Paper',
      goal: 'Goal: submit on Friday',
      sections: [
        ['1 Introduction', 'done'],
        ['2 Related work', 'done'],
        ['3 Method', 'read by Grace'],
        ['4 Results', 'tables missing'],
        ['5 Discussion', 'outline'],
      ],
    }),
    board: board({
      title: 'Data loader',
      goal: 'Goal: GPUs busy for 90 % of the time',
      rows: [
        ['Images per second', '790'],
        ['GPU busy', '88 %'],
        ['Waiting for', '8 workers'],
      ],
      next: 'Images per second by number of workers',
      chart: 'Images per second by number of workers',
    }),
  },
  zh: {
    loader: '数据加载慢',
    tables: '第 4 节的表格',
    nightly: '夜间构建',
    ideas: '数据增强的想法',
    ask: '新集群上训练一直在等数据。找出原因并修好。',
    thought: '**先看加载器**\n\nGPU 有三分之二的时间空着。',
    plan: ['找出瓶颈', '并行解码', '重新测量'],
    look: '看看图片是怎么读的。',
    patch: changed,
    result: `问题在解码：所有图片都由一个进程读取，GPU 只能等。现在改由进程池解码：

\`\`\`python
${code}
\`\`\`

用 $w$ 个进程时，一个批次大约需要 $\\max\\left(t_\\text{读}, \\frac{t_\\text{解码}}{w}\\right)$，读取成为瓶颈后就不再变快：

| 进程数 | 图片/秒 | GPU 利用率 |
| ---: | ---: | ---: |
| 1 | 212 | 34 % |
| 4 | 790 | 88 % |

细节见看板。`,
    follow: '不错。用 8 个进程还会更快吗？',
    measured: '可以用 4 个进程测一次吗？需要 GPU，沙箱里看不到。',
    measure: '可以用 8 个进程测一次吗？需要 GPU，沙箱里看不到。',
    queued: '然后把新数字放到看板上。',
    tablesAsk: '把结果排成第 4 节的表格。',
    question: {
      header: '误差',
      question: '五次运行的离散程度在表里怎么表示？',
      options: [
        { label: '标准差', description: '简短，与其他表格一致' },
        { label: '最小值和最大值', description: '占地方，但什么都不隐藏' },
      ],
    },
    nightlyAsk: '昨晚的构建为什么失败？',
    nightlyAnswer: '链接时磁盘满了：`/scratch` 被下面这些日志占满：',
    names: ['小雅', '文杰'],
    outline: outline({
      title: '论文',
      goal: '目标：周五投稿',
      sections: [
        ['1 引言', '完成'],
        ['2 相关工作', '完成'],
        ['3 方法', '文杰已读'],
        ['4 结果', '缺表格'],
        ['5 讨论', '提纲'],
      ],
    }),
    board: board({
      title: '数据加载',
      goal: '目标：GPU 利用率达到 90 %',
      rows: [
        ['每秒图片数', '790'],
        ['GPU 利用率', '88 %'],
        ['等待', '8 个进程的结果'],
      ],
      next: '不同进程数下每秒处理的图片数',
      chart: '不同进程数下每秒处理的图片数',
    }),
  },
};
