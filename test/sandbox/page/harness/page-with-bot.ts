/**
 * The page in a real browser, connected through the real control interface to a real workspace, with a bot that records
 * what it receives.
 */
import { getRequestListener } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { followMoves } from '../../../../src/sandbox/clock-sync.ts';
import { createControl } from '../../../../src/sandbox/control/control.ts';
import { useStarted } from '../../../harness/use-started.ts';
import { fakeBots, fakeManagement } from '../../control/fake-services.ts';
import { type Envelope, startRawBot } from '../../slack/harness/bots.ts';
import { answerOf, startWorkspace } from '../../slack/harness/workspace-harness.ts';
import { PAGE } from './fake-control.ts';
import { CACHED_FILES, openAddress, type TabAppearance, tabs } from './tabs.ts';

type Json = Record<string, unknown>;
export type PageWithBot = {
  readonly page: Page;
  /** Calls a method of the Web API as the bot; it must succeed. */
  readonly call: (method: string, args: Json) => Promise<Json>;
  /** Posts these blocks to #ops and waits until they are rendered. */
  readonly post: (blocks: readonly unknown[]) => Promise<string>;
  /** A person writes in #ops. */
  readonly say: (user: string, text: string) => Promise<void>;
  /** Opens this modal for the operator, who presses a button for it. */
  readonly openModal: (view: Json) => Promise<void>;
  /** The payloads of this type that the bot got, oldest first. */
  readonly botRequests: (type: string) => readonly Json[];
  /** Waits for the newest payload of this type. */
  readonly lastBotRequest: (type: string) => Promise<Json>;
  /** From now on the bot answers a payload of this type with this. */
  readonly answer: (type: string, body: Json) => void;
};
export type PageWithBotOptions = TabAppearance & {
  readonly person?: string;
  /** Resolves once the bot is at the time to which the clock was moved; by default it is at once. */
  readonly follow?: () => Promise<void>;
};

/** Registers the hooks; errors that the page logged fail the test. */
export function pageWithBotStage(): (options?: PageWithBotOptions) => Promise<PageWithBot> {
  const { open } = tabs();
  const address = useStarted(openAddress);
  return async ({
    person = 'operator',
    width = 1000,
    height = 900,
    follow = async () => undefined,
    ...look
  } = {}) => {
    const { workspace, clock, wire } = await startWorkspace();
    const answers = new Map<string, Json>();
    const bot = await startRawBot(workspace, ({ payload }) => answers.get(String(payload['type'])) ?? {});
    const control = createControl({
      clock,
      wire,
      management: fakeManagement(),
      workspaceState: {
        workspace,
        bots: fakeBots(),
        botUrl: () => null,
        health: () => ({ lines: [], lastExit: null }),
      },
      ...followMoves(
        (ms) => clock.advance(ms),
        { follow },
        () => control.announce(),
      ),
      reset: async () => undefined,
      pageFolder: PAGE,
    });
    const answerKept = async (request: Request) => {
      const response = await control.fetch(request);
      if (new URL(request.url).pathname.startsWith('/page/'))
        response.headers.set('cache-control', CACHED_FILES);
      return response;
    };
    address.answerWith(getRequestListener(answerKept, { overrideGlobalObjects: false }));
    const page = await open(`${address.url}/#${person}/ops`, { width, height, ...look });
    page.setDefaultTimeout(8_000);
    await page.locator('#scroller[aria-busy=false]').waitFor();

    const call = async (method: string, args: Json) => {
      const answer = await answerOf(workspace, method, args);
      expect(answer, method).toMatchObject({ ok: true });
      return answer;
    };
    const post = async (blocks: readonly unknown[]) => {
      const { ts } = await call('chat.postMessage', { channel: 'C0OPS000001', text: 'card', blocks });
      await page.locator(`#messages [data-ts="${ts}"]`).waitFor();
      return String(ts);
    };
    const botRequests = (type: string) => payloadsOf(bot.envelopes, type);
    const lastBotRequest = async (type: string) => {
      await expect.poll(() => botRequests(type).length).toBeGreaterThan(0);
      return botRequests(type).at(-1) ?? {};
    };
    return {
      page,
      call,
      post,
      async say(user, text) {
        await workspace.message({ user, channel: 'ops', text });
      },
      botRequests,
      lastBotRequest,
      answer: (type, body) => void answers.set(type, body),
      async openModal(view) {
        const opener = {
          type: 'button',
          action_id: 'open',
          text: { type: 'plain_text', text: 'Open the form' },
        };
        await post([{ type: 'actions', block_id: 'opener', elements: [opener] }]);
        await page.getByRole('button', { name: 'Open the form' }).click();
        const { trigger_id } = await lastBotRequest('block_actions');
        await call('views.open', { trigger_id, view });
        await page.locator('dialog[open] [data-view]').waitFor();
      },
    };
  };
}

function payloadsOf(envelopes: readonly Envelope[], type: string): readonly Json[] {
  return envelopes.map(({ payload }) => payload).filter((payload) => payload['type'] === type);
}
