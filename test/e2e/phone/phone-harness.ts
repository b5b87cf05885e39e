/** A person at the sandbox's page on a phone: types, taps, fills in, and reads. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../harness/until.ts';
import type { PersonName } from '../harness/sandbox-people.ts';

/** Entered in a field: typed, or searched for and chosen in a menu; several are chosen one after the other. */
export type EnteredValue = string | readonly string[];
/** By the field's id, without the part after its colon. */
export type FormEntries = Readonly<Record<string, EnteredValue>>;
/** How a line is sent. */
export type SentLine = 'enter' | 'button';

export type PhoneUser = Readonly<ReturnType<typeof createPhoneUser>>;

export function createPhoneUser(page: Page) {
  const form = () => page.locator('dialog[open] form[data-view]:not([hidden])');
  /** A window that cannot be submitted any more shows the answer. */
  const answered = () => form().filter({ hasNot: page.locator('[data-submit]') });
  const composer = () => page.locator('#composer [data-composer]');
  /** The last message before the newest line. */
  let before = '';
  const holding = (messages: Locator, words: readonly string[]) =>
    words.reduce((some, hasText) => some.filter({ hasText }), messages).last();

  const openList = async (): Promise<void> => {
    await page.locator('#menu-button').tap();
    await page.locator('.sidebar[data-open]').waitFor();
  };
  const write = async (line: string): Promise<void> => {
    const [, command = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
    await composer().tap();
    await composer().fill(`/fleet ${command.slice(0, 2)}`);
    await page.locator(`[data-completion="/fleet ${command}"]`).tap();
    await composer().fill(`/fleet ${command} ${rest}`.trim());
  };
  return {
    form,
    async becomes(person: PersonName, channel = 'ops'): Promise<void> {
      await openList();
      // After a reload the list is empty at first, and choosing the person whose page it is changes nothing.
      const people = page.locator('select[data-person]:not([data-person=""])');
      if ((await people.inputValue()) !== person) {
        await people.selectOption(person);
        await page.locator('.sidebar:not([data-open])').waitFor({ state: 'attached' });
        await openList();
      }
      await page.locator(`.sidebar [data-channel="${channel}"]`).tap();
      await page.locator('.sidebar:not([data-open])').waitFor({ state: 'attached' });
      await page.locator(`select[data-person="${person}"]`).waitFor({ state: 'attached' });
      await page.locator(`[data-channel="${channel}"][aria-current]`).waitFor({ state: 'attached' });
      await page.locator('#scroller[aria-busy=false]').waitFor();
    },
    /** Types a command with the composer's suggestions and sends it; answers from then on count as new. */
    async types(line: string, sent: SentLine = 'enter'): Promise<void> {
      before = await newest(page);
      await write(line);
      if (sent === 'enter') await composer().press('Enter');
      else await page.locator('#composer .send').tap();
    },
    /** Waits for a new private answer with these words, in the channel or in a form's window, and returns it. */
    async reads(...words: readonly string[]): Promise<Locator> {
      const fits = allOf(words);
      // Words and location are read at once: a later read might find another answer.
      return until(
        async () => {
          const [inWindow] = await answered().allTextContents();
          if (inWindow !== undefined) return fits.test(inWindow) && answered();
          const answer = await newestAnswer(page, before);
          return fits.test(answer.words) && page.locator(`#messages [data-ts="${answer.ts}"]`);
        },
        { what: `an answer with ${words.join(', ')}` },
      );
    },
    /** Closes the window of a form that shows its answer. */
    async closes(): Promise<void> {
      if ((await answered().count()) > 0) await answered().locator('[data-close]').tap();
      await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    },
    /** The newest of all messages with these words. */
    async sees(...words: readonly string[]): Promise<Locator> {
      const message = holding(page.locator('#messages [data-ts]'), words);
      await message.waitFor();
      return message;
    },
    /** Waits for a form, fills it in, and submits it. */
    async fillsIn(entries: FormEntries): Promise<void> {
      await form().waitFor();
      for (const [field, entered] of Object.entries(entries)) await enter(page, form(), field, entered);
      await form().locator('[data-submit]').tap();
      await expect.poll(() => form().locator('[data-submit]').count()).toBe(0);
    },
  };
}

/** Matches a text with all of these words in any order. */
function allOf(words: readonly string[]): RegExp {
  const escaped = words.map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(escaped.map((one) => `(?=.*${one})`).join(''), 's');
}

/** The `ts` of the newest message. */
const newest = (page: Page): Promise<string> =>
  page.locator('#messages [data-ts]').evaluateAll((nodes) => nodes.at(-1)?.getAttribute('data-ts') ?? '');

/** The newest private answer after that message; empty where there is none. */
const newestAnswer = (page: Page, ts: string): Promise<{ readonly ts: string; readonly words: string }> =>
  page.locator('#messages [data-ephemeral]').evaluateAll((nodes, since) => {
    const tsOf = (node: Element) => node.getAttribute('data-ts') ?? '';
    const found = nodes.filter((node) => tsOf(node) > since).at(-1);
    return found === undefined ? { ts: '', words: '' } : { ts: tsOf(found), words: found.textContent };
  }, ts);

async function enter(page: Page, form: Locator, field: string, entered: EnteredValue): Promise<void> {
  const block = form.locator(`[data-input-block="${field}"], [data-input-block^="${field}:"]`).first();
  const element = block.locator('[data-element]').first();
  const kind = (await element.getAttribute('data-element')) ?? '';
  const all = typeof entered === 'string' ? [entered] : entered;
  if (kind === 'checkboxes') return tick(block, all);
  // Existing choices are removed first.
  const chips = block.locator('[data-chip] button');
  for (let left = await chips.count(); left > 0; left -= 1) {
    await chips.first().tap();
    await expect.poll(() => chips.count()).toBe(left - 1);
  }
  for (const one of all) {
    if (kind === 'radio_buttons') await block.locator('label').filter({ hasText: one }).first().tap();
    else if (kind.endsWith('_select')) await choose(page, element, one);
    else {
      await element.tap();
      await element.fill(one);
    }
  }
}

/** Ticks exactly these boxes. */
async function tick(block: Locator, wanted: readonly string[]): Promise<void> {
  for (const label of await block.locator('label').all()) {
    const words = ((await label.textContent()) ?? '').toLowerCase();
    const isWanted = wanted.some((one) => words.includes(one.toLowerCase()));
    const box = label.locator('input');
    if ((await box.isChecked()) !== isWanted) await label.tap();
    await expect.poll(() => box.isChecked()).toBe(isWanted);
  }
}

/** Types into a menu and taps the offered option. */
async function choose(page: Page, menu: Locator, words: string): Promise<void> {
  await menu.tap();
  await menu.fill(words);
  const offered = page.locator('.options:popover-open [role=option]').filter({ hasText: words }).first();
  await offered.tap();
  // A multi-select stays open over the next field until another place is tapped.
  await menu.blur();
}
