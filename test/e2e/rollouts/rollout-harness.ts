/** What people read of a rollout in the sandbox's page, and of its card at each step. */
import type { Browser, Locator, Page } from 'playwright-core';
import { until } from '../../harness/until.ts';
import type { PersonName, PostedCard, SandboxPeople } from '../harness/sandbox-people.ts';

export type Card = PostedCard & {
  /** As it reads: blocks as lines, buttons in brackets, times without their digits. */
  readonly lines: readonly string[];
};

type Element = { readonly text?: { readonly text?: string } | string };
type CardBlock = {
  readonly type: string;
  readonly text?: { readonly text: string };
  readonly elements?: readonly Element[];
};

/** The text of a message, line by line. */
export function linesOf(blocks: readonly unknown[]): readonly string[] {
  return (blocks as readonly CardBlock[]).flatMap(blockLines).map(plainLine);
}

function blockLines({ type, text, elements = [] }: CardBlock): readonly string[] {
  const words = elements.map(({ text: own }) => (typeof own === 'string' ? own : (own?.text ?? '')));
  if (type === 'actions') return [words.map((word) => `[${word}]`).join(' ')];
  return (text?.text ?? words.join(' ')).split('\n');
}

/** Without times and ids, which differ from run to run. */
function plainLine(line: string): string {
  return line
    .replaceAll(/<!date[^>]*>/g, 'TIME')
    .replaceAll(/<@U0([A-Z]+?)(1|(\d))?>/g, (_, name: string, __, at = '') => `@${name.toLowerCase()}${at}`)
    .replace(/seal \w+/, 'seal …')
    .replaceAll('*', '');
}

/** The newest card of a rollout in the approvals channel. */
export async function rolloutCard(people: SandboxPeople, of = 0): Promise<Card> {
  const all = (await people.posts('approvals')).filter(({ thread_ts: thread, ts }) => (thread ?? ts) === ts);
  const card = all[of];
  if (card === undefined) throw new Error(`no card ${of} among ${all.length}`);
  return { ...card, channel: 'approvals', lines: linesOf(card.blocks) };
}

/** Waits until the card has these lines, among others. */
export function cardWith(people: SandboxPeople, lines: readonly (string | RegExp)[], of = 0): Promise<Card> {
  const isIn = (line: string | RegExp, seen: readonly string[]) =>
    typeof line === 'string' ? seen.includes(line) : seen.some((one) => line.test(one));
  return until(
    async () => {
      const card = await rolloutCard(people, of);
      return lines.every((line) => isIn(line, card.lines)) ? card : null;
    },
    { what: lines.join(' / ') },
  ).catch(async (error: unknown) => {
    const { lines: seen } = await rolloutCard(people, of);
    throw new Error(`${String(error)}\nThe card:\n${seen.join('\n')}`);
  });
}

/** What is said in the thread of a card. */
export async function threadOf(people: SandboxPeople, { ts }: Pick<Card, 'ts'>): Promise<readonly string[]> {
  const replies = (await people.posts('approvals')).filter((one) => one.thread_ts === ts && one.ts !== ts);
  return replies.flatMap(({ blocks }) => linesOf(blocks));
}

/** A person's page. */
export type PagePerson = {
  readonly page: Page;
  /** Switches to a channel as this person. */
  readonly goes: (person: PersonName, channel: string) => Promise<void>;
  readonly types: (text: string) => Promise<void>;
  /** The newest message with these words. */
  readonly latest: (words: string) => Locator;
  readonly close: () => Promise<void>;
};

export async function atPage(
  browser: Browser,
  people: SandboxPeople,
  viewport: { readonly width: number; readonly height: number },
): Promise<PagePerson> {
  const context = await browser.newContext({ viewport, locale: 'en-US', timezoneId: 'UTC' });
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  return {
    page,
    async goes(person, channel) {
      await page.goto(`${people.address}/#${person}/${channel}`);
      // Another hash alone loads nothing.
      await page.reload();
      await page.locator(`select[data-person="${person}"]`).waitFor({ state: 'attached' });
      await page.locator('#scroller[aria-busy=false]').waitFor({ state: 'attached' });
    },
    async types(text) {
      const composer = page.getByRole('combobox', { name: /message/i });
      await composer.fill(text);
      await composer.press('Enter');
    },
    latest: (words) => page.locator('#messages [data-ts]').filter({ hasText: words }).last(),
    close: () => context.close(),
  };
}
