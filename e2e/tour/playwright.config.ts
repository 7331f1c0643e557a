import base from '../playwright.config.ts';

// however slow the machine: nothing is judged here
export default { ...base, testDir: '.', testMatch: 'tour.ts', timeout: 0, expect: { timeout: 120_000 } };
