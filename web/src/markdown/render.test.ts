// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { lex } from './lexer.ts';
import { renderBlock } from './render.ts';
import { treeHtml } from './tree-html.test-support.ts';

const render = (source: string): string =>
  lex(source, Object.create(null), false)
    .map((token) => treeHtml(renderBlock(token, false)))
    .join('');

describe('O-C3: longer outer fence', () => {
  const source =
    'Template:\n\n````md\n## Heading\n```ruby\nputs "hi"\n```\n**not bold**\n````\n\nAfter **bold**.\n\n~~~\n```\n~~~\nend\n';

  test('two code blocks, each with exactly its lines', () => {
    const codes = [...render(source).matchAll(/<code>([\s\S]*?)<\/code>/g)].map((match) => match[1]);
    expect(codes).toEqual(['## Heading\n```ruby\nputs &#34;hi&#34;\n```\n**not bold**', '```']);
  });

  test('text around them is text', () => {
    expect(render(source)).toContain('<p>After <strong>bold</strong>.</p>');
    expect(render(source)).toMatch(/<p>end<\/p>$/);
  });
});

test('O-C4: bold next to full-width punctuation', () => {
  expect(render('这是**我想做的事。**所以继续。')).toBe('<p>这是<strong>我想做的事。</strong>所以继续。</p>');
  expect(render('これは**「重要なこと」**です。')).toBe('<p>これは<strong>「重要なこと」</strong>です。</p>');
  expect(render('문서를 작성할 때 **마크다운(Markdown)**을 사용하세요.')).toBe(
    '<p>문서를 작성할 때 <strong>마크다운(Markdown)</strong>을 사용하세요.</p>',
  );
  expect(render('**真，**她')).toBe('<p><strong>真，</strong>她</p>');
  expect(render('**中文**后')).toBe('<p><strong>中文</strong>后</p>');
  expect(render('2 ** 3 ** 4')).toBe('<p>2 ** 3 ** 4</p>');
  expect(render('a * b * c')).toBe('<p>a * b * c</p>');
});

describe('emphasis otherwise', () => {
  test.each([
    ['这*是“重点”*吗', '<p>这<em>是“重点”</em>吗</p>'],
    [
      '他说**“好”**，**（二）**和**三**。',
      '<p>他说<strong>“好”</strong>，<strong>（二）</strong>和<strong>三</strong>。</p>',
    ],
    ['**a*b*c**', '<p><strong>a<em>b</em>c</strong></p>'],
    ['snake_case_name and 中文_不是_强调', '<p>snake_case_name and 中文_不是_强调</p>'],
    ['foo**(bar)**baz', '<p>foo**(bar)**baz</p>'],
  ])('%j', (source, html) => expect(render(source)).toBe(html));
});

describe('O-C5: HTML in a message is text', () => {
  test.each([
    '<svg><style><img src=x onerror=window.__p=1></style></svg>',
    '<img src=x onerror=window.__p=1>',
    '<a href="data:text/html,<script>window.opener.__p=1</script>">c</a>',
    '<form action="/api/x" method="post"><input name=q><button>ok</button></form>',
    '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=window.__p=1 src>">',
    '<div style="position:fixed;inset:0;z-index:99999">overlay</div>',
    '<iframe srcdoc="<script>parent.__p=1</script>"></iframe>',
    '<a id="root" name="config">clobber</a>',
    '<kbd><svg/onload=window.__p=1',
    '<!-- <script>window.__p=1</script> -->',
    '<pre>\n\n<script>window.__p=1</script>',
    '$<img src=x onerror=window.__p=1>$',
    '[![<img src=x onerror=window.__p=1>](http://x.y/"onerror=1)](http://x.y/"onclick=1 "\\"onclick=1")',
    '```"onclick=1\n</code><script>window.__p=1</script>\n```',
  ])('%j', (source) => {
    const html = render(source);
    const tags = [...html.matchAll(/<([a-z0-9]+)((?:\s[a-z-]+(?:="[^"]*")?)*)>/g)];
    expect(html.match(/<[^/]/g)?.length).toBe(tags.length);
    for (const [, tag = '', attributes = ''] of tags) {
      expect(['p', 'span', 'a', 'div', 'button', 'pre', 'code']).toContain(tag);
      expect(attributes.replace(/="[^"]*"/g, '')).not.toMatch(/\son|style|id|name|src/);
    }
  });

  test('no script address becomes a link', () => {
    expect(render('[a](javascript:window.__p=1)')).toBe('<p>a</p>');
    expect(render('[a](<java\tscript:window.__p=1>)')).toBe('<p>a</p>');
    expect(render('[c](data:text/html,x) [d](vbscript:x)')).toBe('<p>c d</p>');
    expect(render('[b](JaVaScRiPt&colon;window.__p=1)')).toBe('<p>b</p>');
  });

  test('a fenced script is code', () => {
    expect(render('```html\n<script>window.__p=1</script>\n```')).toContain(
      '<code>&#60;script&#62;window.__p=1&#60;/script&#62;</code>',
    );
  });

  test('an image is a link that loads nothing', () => {
    expect(render('![x](http://127.0.0.1:9/beacon.png)')).toBe(
      '<p><a data-image href="http://127.0.0.1:9/beacon.png" target="_blank" rel="noopener noreferrer"' +
        ' title="http://127.0.0.1:9/beacon.png">Image: x</a></p>',
    );
  });
});

test('links open elsewhere and tell nothing', () => {
  const attributes = 'target="_blank" rel="noopener noreferrer"';
  expect(render('[l](https://x.y/?a=1&amp;b=2) [r](a/b.md) [m](mailto:a@b.c) https://z.w')).toBe(
    `<p><a href="https://x.y/?a=1&#38;b=2" ${attributes}>l</a> <a href="a/b.md" ${attributes}>r</a> ` +
      `<a href="mailto:a@b.c" ${attributes}>m</a> <a href="https://z.w" ${attributes}>https://z.w</a></p>`,
  );
});

test('a line break in a cell is the only HTML', () => {
  expect(render('| a |\n|---|\n| 1<br>2 |')).toContain('<td>1<br>2</td>');
});

test('headings stand two levels down, below those of the page', () => {
  expect(render('# a\n## **b**\n###### c')).toBe('<h3>a</h3><h4><strong>b</strong></h4><h6>c</h6>');
});

test('tasks are boxes that cannot be ticked', () => {
  expect(render('- [x] done')).toBe(
    '<ul><li><input type="checkbox" disabled checked aria-label="Done"> done</li></ul>',
  );
});

test('footnotes stay readable', () => {
  expect(render('A[^1]\n\n[^1]: note')).toBe('<p>A[^1]</p><p>[^1]: note</p>');
});
