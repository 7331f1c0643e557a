// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { mount } from '../conversation/testing.ts';
import { speak } from '../messages/spoken.ts';
import { ConfigNote } from './config-note.tsx';

let unmount: () => void = () => undefined;
afterEach(async () => {
  unmount();
  await speak('en', ['en']);
});

const broken = {
  code: 'config.syntax',
  message: '/c.toml:3:7: model: invalid value',
  details: { file: '/c.toml', line: 3, column: 7, key: 'model', reason: 'invalid value' },
};
const unknown = {
  code: 'config.unknownKey',
  message: '/c.toml:2: modle is unknown; did you mean model?',
  details: { place: '/c.toml:2', key: 'modle', nearest: 'model' },
};

function show(report: Parameters<typeof ConfigNote>[0]['report']): HTMLElement {
  unmount = mount(<ConfigNote report={report} />).unmount;
  return document.body;
}

test('what is broken is an alert, what is left out waits to be opened', () => {
  const host = show({ problems: [broken], notices: [unknown] });
  expect(host.querySelector('[role=alert]')?.textContent).toContain('/c.toml:3:7: model: invalid value');
  expect(host.querySelector('details')?.open).toBe(false);
  expect(host.querySelector('summary')?.textContent).toBe('1 note on the configuration');
  expect(host.querySelector('details li')?.textContent).toBe(unknown.message);
});

test('with notes alone nothing is alarming', () => {
  const host = show({ problems: [], notices: [unknown, { ...unknown, message: 'another' }] });
  expect(host.querySelector('[role=alert]')).toBeNull();
  expect(host.querySelector('summary')?.textContent).toBe('2 notes on the configuration');
});

test('in Chinese, with the places', async () => {
  await speak('zh', ['zh-CN']);
  const host = show({ problems: [broken], notices: [unknown] });
  expect(host.textContent).toContain('/c.toml 第 3 行第 7 列不是有效的 TOML（model）：invalid value');
  expect(host.textContent).toContain('/c.toml:2：未知的设置 modle。是不是 model？');
});
