import { expect, test } from 'vitest';
import { shortPath } from './work-directory.ts';

test.each([
  ['/srv/lab/train/schedule.py', '/srv/lab', 'train/schedule.py'],
  ['/srv/lab2/x.py', '/srv/lab', '/srv/lab2/x.py'],
  ['/etc/passwd', '/srv/lab', '/etc/passwd'],
  ['/srv/lab', '/srv/lab', '/srv/lab'],
  ['/x', '', '/x'],
])('%s in %s is %s', (path, dir, shown) => expect(shortPath(path, dir)).toBe(shown));
