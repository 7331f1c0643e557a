/** A walk through the product that makes the pictures of the README: `npm run tour`. */
import { expect, type Page } from '@playwright/test';
import type { Step } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import { test as base } from '../support/stage.ts';
import { callYourself } from '../support/start-page.ts';
import { picture } from './album.ts';
import { TeamBox } from './stage.ts';
import { type Language, type Story, stories } from './story.ts';

const inbox: Readonly<Record<Language, RegExp>> = { en: /^Inbox/, zh: /^待处理/ };
const locales: Readonly<Record<Language, string>> = { en: 'en-US', zh: 'zh-CN' };

for (const language of ['en', 'zh'] as const)
  base.describe(language, () => {
    base.use({ locale: locales[language] });

    base(`the tour, ${language}`, async ({ page, browser, model }) => {
      const story = stories[language];
      const team = await TeamBox.open(model, story);
      const [ada, grace] = story.names;
      const night = new Gate();
      try {
        const { server } = team;
        const session = (workspace: string, title: string) =>
          server.newSession(workspace, { title, model: 'qwen3-coder' });

        // what is over
        const ideas = await session('vision-lab', story.ideas);
        await team.send(ideas, grace, story.ideas);
        await server.idle(ideas);

        // the morning's work: found, changed, measured
        const loader = await session('vision-lab', story.loader);
        model.answer(
          [{ reasoning: story.thought }, { call: 'update_plan', args: { plan: planOf(story, 0) } }],
          [{ call: 'exec_command', args: { cmd: 'cat loader.py', justification: story.look } }],
          [{ custom: 'apply_patch', input: story.patch }],
          [onTheGpus(4, story.measured)],
          [{ call: 'update_plan', args: { plan: planOf(story, 3) } }],
          [{ text: story.result }],
        );
        await team.send(loader, ada, story.ask);
        await team.allow(loader, grace);
        await server.idle(loader);

        // somebody is asked in another workspace, and a third one works
        const tables = await session('paper', story.tables);
        model.answer([
          { call: 'request_user_input', args: { questions: [{ id: 'spread', ...story.question }] } },
        ]);
        await team.send(tables, ada, story.tablesAsk);
        await server.until(tables, ({ asks }) => asks.length > 0);
        const nightly = await session('infra', story.nightly);
        model.answer([{ text: story.nightlyAnswer }, { wait: night.opened }]);
        await team.send(nightly, grace, story.nightlyAsk);

        // two people look at it
        const other = await browser.newPage();
        await logIn(other, server.loginUrl, grace);
        await other.goto(`${server.url}w/vision-lab/?session=${loader}`);
        await logIn(page, server.loginUrl, ada);
        await page.goto(`${server.url}w/vision-lab/?session=${loader}`);
        await expect(page.locator('.katex').first()).toBeVisible();
        await expect(page.getByRole('log').locator('pre span').first()).toBeVisible();
        await boardShown(page);
        await picture(page, 'conversation', language);

        // a command waits for a yes, and a message for the turn's end
        model.answer([onTheGpus(8, story.measure)]);
        await team.send(loader, grace, story.follow);
        await server.until(loader, ({ asks }) => asks.length > 0);
        await team.send(loader, ada, story.queued, 'queue');
        await expect(page.locator('form').getByText(story.measure)).toBeVisible();
        await picture(page, 'approval', language);

        await page.goto(`${server.url}w/paper/?session=${tables}`);
        await expect(page.locator('form legend')).toContainText(story.question.question);
        await boardShown(page);
        await picture(page, 'question', language);

        await page.goto(server.url);
        await expect(page.getByRole('heading', { name: 'vision-lab' })).toBeVisible();
        await picture(page, 'workspaces', language);
        await page.goto(`${server.url}w/vision-lab/?session=${ideas}`);
        await page.getByRole('button', { name: inbox[language] }).first().click();
        await expect(page.getByRole('dialog').getByText(story.loader).first()).toBeVisible();
        await boardShown(page);
        await picture(page, 'inbox', language);
        await other.close();
      } finally {
        night.open();
        await team.close();
      }
    });
  });

/** A measurement, which the sandbox keeps from the graphics cards. */
function onTheGpus(workers: number, justification: string): Step {
  const args = { cmd: `make bench WORKERS=${workers}`, prefix_rule: ['make', 'bench'], justification };
  return { call: 'exec_command', args: { ...args, sandbox_permissions: 'require_escalated' } };
}

/** The steps of the plan; the first `done` of them are done, the next one is being worked on. */
function planOf({ plan }: Story, done: number) {
  const status = (at: number) => (at < done ? 'completed' : at === done ? 'in_progress' : 'pending');
  return plan.map((step, at) => ({ step, status: status(at) }));
}

/** A frame comes later than the page around it. */
async function boardShown(page: Page): Promise<void> {
  await expect(page.frameLocator('iframe').getByRole('heading')).toBeVisible();
}

async function logIn(page: Page, loginUrl: string, name: string): Promise<void> {
  await page.goto(loginUrl);
  await page.getByRole('main').getByRole('heading').first().waitFor();
  await callYourself(page, name);
}
