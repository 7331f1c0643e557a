import base from '../playwright.config.ts';

export default { ...base, testDir: '.', testMatch: 'tour.ts', timeout: 300_000 };
