/** The page renders everything that the bot sends: no type of block or element is unknown to it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { requestId } from '../../../../src/lib/ids.ts';
import { reasonForm } from '../../../../src/views/forms/decision-window.ts';
import { renderView } from '../../../../src/views/views.ts';
import { samples } from '../../../views/samples/all-samples.ts';
import type { SampleContent } from '../../../views/samples/sample-content.ts';
import { pageStage } from '../harness/page-harness.ts';
import { attributes } from '../harness/tabs.ts';
import { botMessage } from '../samples/messages.ts';

const { control, open, close } = pageStage();

/** Every view and every state of a card. */
const viewsOf = (filling: SampleContent) => samples(filling).map(([, view]) => renderView(view));

type Json = { readonly type?: unknown } & Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** The types of all objects under these keys anywhere in this JSON, sorted. */
function kindsIn(json: unknown, places: readonly string[]): readonly string[] {
  const kinds = new Set<string>();
  JSON.stringify(json, (key, value: unknown) => {
    const things = places.includes(key) ? [value].flat() : [];
    for (const thing of things) if (isJson(thing)) kinds.add(String(thing.type));
    return value;
  });
  return [...kinds].sort();
}

const fillings: readonly SampleContent[] = [
  { text: 'web-01', count: 2 },
  { text: '<!channel> & *bold* `x`', count: 12 },
];

/** Parts of texts and table cells, which are no elements. */
const TEXTS = ['mrkdwn', 'rich_text_section', 'date', 'text', 'user'];

/** A channel first shows its newest hundred messages. */
const AT_ONCE = 60;

test.each(fillings)('every view of the bot is rendered completely: %j', async (filling) => {
  const views = viewsOf(filling);
  const drawn = { blocks: new Set<string>(), elements: new Set<string>() };
  for (let from = 0; from < views.length; from += AT_ONCE) {
    const some = views.slice(from, from + AT_ONCE);
    const messages = some.map(({ text, blocks }) => botMessage({ text, blocks }));
    control().channels.set('ops', messages);
    const page = await open();
    await page.locator(`[data-ts="${messages.at(-1)?.ts}"]`).waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('#messages .message').count()).toBe(some.length);
    await expect
      .poll(() => page.locator('#messages [data-block]').count())
      .toBe(some.flatMap((one) => one.blocks).length);
    await expect.poll(() => page.locator('[data-undrawable]').allTextContents()).toEqual([]);
    for (const kind of await kindsAt(page, 'data-block')) drawn.blocks.add(kind);
    for (const kind of await kindsAt(page, 'data-element')) drawn.elements.add(kind);
    // The next part is shown in the same tab, which has loaded the page's files.
    await close(page);
  }
  expect([...drawn.blocks].sort()).toEqual(kindsIn(views, ['blocks']));
  const elements = kindsIn(views, ['elements', 'accessory']).filter((kind) => !TEXTS.includes(kind));
  expect(elements).toContain('button');
  expect([...drawn.elements].sort()).toEqual(elements);
});

/** Everything was rendered, so nothing changes any more. */
async function kindsAt(page: Page, attribute: string): Promise<readonly string[]> {
  const found = await attributes(page.locator(`#messages [${attribute}]`), attribute);
  return found.map((kind) => kind ?? '');
}

test('the form for a reason is rendered completely, and can be filled in', async () => {
  control().views.set('operator', [{ ...reasonForm(requestId('r_1')), id: 'V1' }]);
  const page = await open();
  const dialog = page.getByRole('dialog', { name: 'Add reason' });
  await dialog.getByLabel('Reason').fill('kernel update');
  await dialog.getByText('Approvers see it with the request.').waitFor();
  await expect.poll(() => page.locator('[data-undrawable]').count()).toBe(0);
});
