import { expect, test } from 'vitest';
import { ConfigDocument } from './config-document.ts';

const parse = (text: string) => ConfigDocument.parse('/etc/workspaces.json', text);

const BY_HAND = `{
    "note": "für 中文",
    "workspaces": [
        { "id": "a", "work_dir": "./x/../x", "port": 12345678901234567890 },

        {
            "id": "b",
            "work_dir": "y"
        }
    ],
    "tail": [1,2]
}
`;

test('an entry is added as the file is written, and all else stays', () => {
  expect(parse(BY_HAND).withAdded({ id: 'c', name: '名字', work_dir: '.' }).text).toBe(
    BY_HAND.replace(
      '"y"\n        }',
      '"y"\n        },\n        {\n            "id": "c",\n            "name": "名字",\n            "work_dir": "."\n        }',
    ),
  );
});

test('a value is replaced in its place', () => {
  expect(parse(BY_HAND).withChanged(0, { work_dir: 'z' }).text).toBe(BY_HAND.replace('"./x/../x"', '"z"'));
  expect(parse(BY_HAND).withChanged(1, { name: 'B' }).text).toBe(
    BY_HAND.replace('"y"\n', '"y",\n            "name": "B"\n'),
  );
  expect(parse(BY_HAND).withChanged(0, { name: 'A' }).text).toBe(
    BY_HAND.replace('67890 }', '67890, "name": "A" }'),
  );
  expect(parse('[{"id":"a"}]').withChanged(0, { name: 'A', board: 'b' }).text).toBe(
    '[{"id":"a","name":"A","board":"b"}]',
  );
  expect(parse('[{}]').withChanged(0, { name: 'A' }).list).toEqual([{ name: 'A' }]);
});

test('a key is taken out with its comma, and one that is not there is none', () => {
  const text = '[{"id": "a", "sandbox": "read-only", "network": true}]';
  expect(parse(text).withChanged(0, { sandbox: null }).text).toBe('[{"id": "a", "network": true}]');
  expect(parse(text).withChanged(0, { network: null, approval: null }).text).toBe(
    '[{"id": "a", "sandbox": "read-only"}]',
  );
  expect(parse('[{"id":"a"}]').withChanged(0, { network: false }).text).toBe('[{"id":"a","network":false}]');
  expect(parse(BY_HAND).withChanged(1, { id: null }).text).toBe(BY_HAND.replace(/ {12}"id": "b",\n/, ''));
});

test('an entry is taken out with its comma, the others stay as they were written', () => {
  expect(parse(BY_HAND).without(0).text).toBe(BY_HAND.replace(/\{ "id": "a".*\n\n {8}/, ''));
  expect(parse(BY_HAND).without(1).text).toBe(BY_HAND.replace(/,\n\n {8}\{[^}]*\}/, ''));
  expect(parse('{"workspaces": [\n  {"id": "a"}\n]}\n').without(0).text).toBe('{"workspaces": []}\n');
});

test('an entry moves as it was written, also a number that no double holds', () => {
  const moved = parse(BY_HAND).withMoved(0, 1);
  expect(moved.list).toMatchObject([{ id: 'b' }, { id: 'a' }]);
  expect(moved.text).toContain('{ "id": "a", "work_dir": "./x/../x", "port": 12345678901234567890 }');
  expect(moved.withMoved(1, 0).text).toBe(BY_HAND);
});

test.each([
  ['a list', '[{"id":"a"}]', '[{"id":"a"},{"id":"n"}]'],
  ['an empty list', '[]\n', '[\n  {\n    "id": "n"\n  }\n]\n'],
  ['one line an entry', '[\n {"id":"a"}]', '[\n {"id":"a"},\n {"id":"n"}]'],
  ['one airy line an entry', '[\n { "id": "a" }\n]', '[\n { "id": "a" },\n { "id": "n" }\n]'],
  ['one airy line', '[ {"id": "a"} ]', '[ {"id": "a"}, {"id": "n"} ]'],
  [
    'tabs, CRLF and a byte order mark',
    '\uFEFF[\r\n\t{\r\n\t\t"id":"a"\r\n\t}\r\n]\r\n',
    '\uFEFF[\r\n\t{\r\n\t\t"id":"a"\r\n\t},\r\n\t{\r\n\t\t"id": "n"\r\n\t}\r\n]\r\n',
  ],
])('%s stays what it is', (_what, before, after) => {
  const document = parse(before).withAdded({ id: 'n' });
  expect(JSON.parse(document.text.replace('\uFEFF', ''))).toEqual(JSON.parse(after.replace('\uFEFF', '')));
  expect(document.text).toBe(after);
});

test('a file that is not there begins as an object', () => {
  const document = ConfigDocument.empty('/etc/workspaces.json').withAdded({ id: 'a', work_dir: '.' });
  expect(document.text).toBe(
    '{\n  "workspaces": [\n    {\n      "id": "a",\n      "work_dir": "."\n    }\n  ]\n}\n',
  );
});

test('where a key stands twice, nothing is changed that would not count', () => {
  expect(() => parse('[{"id":"a","name":"x","name":"y"}]').withChanged(0, { name: 'z' })).toThrow(
    '/etc/workspaces.json has the same key twice in one object',
  );
  expect(() => parse('{"workspaces":[],"workspaces":[]}').withAdded({ id: 'a' })).toThrow(
    'the same key twice',
  );
});
