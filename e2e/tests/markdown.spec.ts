/** What the agent writes, as people read it: formulas and money, nested fences, emphasis beside CJK punctuation. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import type { FakeModel, Step } from '../support/fake-model.ts';
import type { RunningServer } from '../support/server.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

/** Character by character, at the pace of a model. */
function streamed(text: string): Step[] {
  return [...text].flatMap((character) => [{ text: character }, { delay: 2 }]);
}

type Reader = { view: WorkspaceView; read(answer: Step[]): Promise<Locator> };

/** Somebody who has a session open and reads each answer of the agent as it comes. */
async function reader(page: Page, server: RunningServer, model: FakeModel): Promise<Reader> {
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  let answers = 0;
  return {
    view,
    async read(answer) {
      model.answer(answer);
      await server.send(session, 'go on');
      await server.idle(session);
      const messages = view.conversation.locator('[data-item=agentMessage]');
      await expect(messages).toHaveCount(++answers);
      await expect(view.conversation.locator('[aria-busy]')).toHaveCount(0);
      return messages.last();
    },
  };
}

/** Notes every formula that is in the page at any time. */
async function watchFormulas(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = () => {
      for (const { textContent } of document.querySelectorAll('.katex')) seen.push(textContent ?? '');
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'seen'));
}

test('O-C1: money and variables are text from the first character on, formulas are typeset', async ({
  page,
  server,
  model,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  const { read } = await reader(page, server, model);
  const formulas = await watchFormulas(page);

  const noMath: [source: string, shown: string][] = [
    [
      'about $516.54 delivered. The only path under $700.',
      'about $516.54 delivered. The only path under $700.',
    ],
    ['from $5 to $10/month', 'from $5 to $10/month'],
    ['fee is $5, or $6 each', 'fee is $5, or $6 each'],
    ['Q1 ($100K), Q2 ($115K), total ($215K)', 'Q1 ($100K), Q2 ($115K), total ($215K)'],
    ['**$516.54** to **$700**', '$516.54 to $700'],
    ['price $5-$10', 'price $5-$10'],
    ['| a | b |\n|---|---|\n| $5 | $6 |', 'a b $5 $6'],
    ['set $A and $B, then `$C`', 'set $A and $B, then $C'],
    ['use `$HOME` and `$PATH`', 'use $HOME and $PATH'],
    ['```sh\necho $A $B\n```', 'sh Wrap Copy echo $A $B'],
    ['\\$5 and \\$6', '$5 and $6'],
    ['US$20 and US$30', 'US$20 and US$30'],
    ['a single $ sign', 'a single $ sign'],
  ];
  const money = await read(streamed(noMath.map(([source]) => source).join('\n\n')));
  await expect(money.locator('strong')).toHaveText(['$516.54', '$700']);
  await expect(money).toHaveText(noMath.map(([, shown]) => shown).join(' '), { useInnerText: true });
  expect(await formulas()).toEqual([]);
  expect(fetched.filter((url) => url.includes('typeset-'))).toEqual([]);

  const math = await read(
    streamed(
      [
        ...['$x^2$', '$a$, $b$.', '($a$)', '中文$x^2$中文', '$5 \\times 3 = 15$', '$\\$10$'],
        ...['$$x$$ inline', 'text\n$$\nx^2\n$$\nmore'],
      ].join('\n\n'),
    ),
  );
  await expect(math.locator('.katex annotation')).toHaveText([
    'x^2',
    'a',
    'b',
    'a',
    'x^2',
    '5 \\times 3 = 15',
    '\\$10',
    'x',
    'x^2',
  ]);
  expect(fetched.some((url) => /typeset-.*\.js$/.test(url))).toBe(true);
});

test('O-C2: backslash delimiters, and no emphasis inside formulas', async ({ page, server, model }) => {
  const { read } = await reader(page, server, model);
  const typeset = [
    'so \\(a_1 + b_1\\) holds',
    '\\[ x^2 + y^2 \\]',
    '\\[\nx^2\n\\]',
    'Vector \\(\\vec{u}\\), \\(\\vec{u}_{para}\\) and \\(\\vec{u}_{perp}\\).',
    '$A_i, A_{i+1}$ and $B_i * C_i * D$',
  ];
  const message = await read([{ text: typeset.join('\n\n') }]);
  await expect(message.locator('.katex annotation')).toHaveText([
    ...['a_1 + b_1', 'x^2 + y^2', 'x^2', '\\vec{u}', '\\vec{u}_{para}', '\\vec{u}_{perp}'],
    ...['A_i, A_{i+1}', 'B_i * C_i * D'],
  ]);
  await expect(message.locator('em')).toHaveCount(0);
  await expect(await read([{ text: 'code `\\(x\\)` stays' }])).toHaveText('code \\(x\\) stays');

  const source = '$$\n\\text{net}_i = \\sum_{j=1}^{n} w_{ij} x_j \\\\\n& + y_j\n$$';
  const refused = await read([{ text: `Before **bold**.\n\n${source}\n\nAfter **bold**.` }]);
  await expect(refused.locator('strong')).toHaveCount(2);
  await expect(refused).toContainText('w_{ij} x_j \\\\');
  await expect(refused.locator('.katex-error')).toHaveCount(0);
});

test('O-C3: a longer fence holds a shorter one, and Copy takes exactly what it holds', async ({
  page,
  context,
  server,
  model,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { view, read } = await reader(page, server, model);
  const inner = '## Heading\n```ruby\nputs "hi"\n```\n**not bold**';
  const message = await read(
    streamed(`Template:\n\n\`\`\`\`md\n${inner}\n\`\`\`\`\n\nAfter **bold**.\n\n~~~\n\`\`\`\n~~~\nend\n`),
  );
  await expect(message.locator('pre')).toHaveText([inner, '```'], { useInnerText: true });
  await expect(message.locator('strong')).toHaveText('bold');
  await expect(message.getByRole('paragraph')).toHaveText(['Template:', 'After bold.', 'end']);

  await message.getByRole('button', { name: 'Copy', exact: true }).first().click();
  await expect(message.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(inner);
  await view.message.focus();
  await view.message.press('ControlOrMeta+V');
  await expect(view.message).toHaveValue(inner);
});

test('O-C3: Copy where the browser gives no clipboard to scripts', async ({ page, server, model }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  const { view, read } = await reader(page, server, model);
  const message = await read([{ text: '```sh\nls  -la\n\tdone\n```' }]);
  await message.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(message.getByRole('button', { name: 'Copied' })).toBeVisible();
  await view.message.focus();
  await view.message.press('ControlOrMeta+V');
  await expect(view.message).toHaveValue('ls  -la\n\tdone');
});

test('O-C4: emphasis beside full-width punctuation', async ({ page, server, model }) => {
  const { read } = await reader(page, server, model);
  const emphasised: [source: string, strong: string][] = [
    ['这是**我想做的事。**所以继续。', '我想做的事。'],
    ['これは**「重要なこと」**です。', '「重要なこと」'],
    ['문서를 작성할 때 **마크다운(Markdown)**을 사용하세요.', '마크다운(Markdown)'],
    ['**真，**她', '真，'],
    ['**中文**后', '中文'],
  ];
  const plain = ['2 ** 3 ** 4', 'a * b * c'];
  const sources = emphasised.map(([source]) => source);
  const message = await read(streamed([...sources, ...plain].join('\n\n')));
  await expect(message.locator('strong')).toHaveText(emphasised.map(([, strong]) => strong));
  const shown = [...sources.map((source) => source.replaceAll('**', '')), ...plain];
  await expect(message.getByRole('paragraph')).toHaveText(shown);
  await expect(message.locator('em')).toHaveCount(0);
});

test('O-C6: display math that shares its lines, and one that never ends', async ({ page, server, model }) => {
  const { view, read } = await reader(page, server, model);
  const twoRows = [
    '$$ A = \\begin{bmatrix}\na & b \\\\\nc & d\n\\end{bmatrix} $$',
    '$\\begin{matrix} 1 & x \\\\ 1 & y \\end{matrix}$',
    '$$\n\\begin{align}\na &= 1 \\\\\nb &= 2\n\\end{align}\n$$',
    'Let $$\\begin{aligned} a &= b \\\\ &= c \\end{aligned}$$ be given.',
  ];
  const rows = await read(streamed(twoRows.join('\n\n')));
  await expect(rows.locator('.katex')).toHaveCount(twoRows.length);
  for (const formula of await rows.locator('.katex').all())
    await expect(formula.locator('mtr')).toHaveCount(2);
  await expect(rows).not.toContainText('$');
  const equation = await read([{ text: '\\begin{equation}\nE = mc^2\n\\end{equation}' }]);
  await expect(equation.locator('.katex-display .katex')).toHaveCount(1);

  const cut = await read(streamed('$$\n\\frac{1}{'));
  await expect(cut).toHaveText('$$ \\frac{1}{');
  await expect(cut.locator('.katex')).toHaveCount(0);
  await expect(view.conversation.locator('.katex-error')).toHaveCount(0);
  const next = await read([{ text: 'It is $x$.' }]);
  await expect(next.locator('.katex')).toHaveCount(1);
});
