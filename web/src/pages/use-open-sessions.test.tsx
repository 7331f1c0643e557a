// @vitest-environment happy-dom
import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { mount } from '../conversation/testing.ts';
import { useOpenSessions } from './use-open-sessions.ts';

const workspace = (...ids: string[]) =>
  ({
    id: 'w',
    name: 'W',
    dir: '/srv',
    revision: '1',
    permissions: {},
    board: { enabled: false, path: '', version: null },
    sessions: ids.map((id) => ({
      id,
      title: null,
      status: 'idle',
      asks: [],
      lastTurn: null,
      model: null,
      createdAt: '1',
      lastActivityAt: '1',
    })),
  }) satisfies WorkspaceSummary;

let unmount: () => void = () => undefined;
afterEach(() => unmount());

test('a session closed here is gone before the overview says so, and back when it is opened again', () => {
  let open: string[] | undefined;
  let close: (session: string) => void = () => undefined;
  let putBack: (session: string) => void = () => undefined;
  function Probe(props: { workspace: WorkspaceSummary | undefined }) {
    const seen = useOpenSessions(props.workspace);
    open = seen.workspace?.sessions.map(({ id }) => id);
    close = seen.leaveOut;
    putBack = seen.putBack;
    return null;
  }
  const mounted = mount(<Probe workspace={undefined} />);
  unmount = mounted.unmount;
  expect(open).toBeUndefined();
  const show = (...ids: string[]) => mounted.render(<Probe workspace={workspace(...ids)} />);
  show('a', 'b');
  act(() => close('a'));
  expect(open).toEqual(['b']);
  show('a', 'b');
  expect(open).toEqual(['b']);
  show('b');
  act(() => close('b'));
  show();
  expect(open).toEqual([]);
  show('a', 'b');
  expect(open).toEqual(['a', 'b']);
  // opened again before any overview left it out
  act(() => close('a'));
  act(() => putBack('a'));
  expect(open).toEqual(['a', 'b']);
});
