/** Fills in any form that opens, and submits it: each field with a valid value. */
import type { Client } from '../../harness/client.ts';
import { until } from '../../harness/until.ts';

type FillInRequest = { readonly user: string; readonly text: string; readonly pick: number };
type Fields = Readonly<Record<string, unknown>>;
type Option = { readonly value: string };

const COMES_WITHIN_MS = 5_000;

/** Types the command that opens the form; does nothing when none opens. */
export async function fillInForm(client: Client, { user, text, pick }: FillInRequest): Promise<void> {
  const before = new Set((await client.views(user)).modals.map(({ id }) => id));
  await client.command({ user, channel: 'ops', command: '/fleet', text });
  const opened = await until(
    async () => (await client.views(user)).modals.find(({ id }) => !before.has(id)),
    { timeoutMs: COMES_WITHIN_MS, what: 'a form' },
  ).catch(() => null);
  if (opened === null) return;
  const values: Record<string, Record<string, unknown>> = {};
  const blocks = opened.blocks.filter(isFields);
  const isRemoval = blocks.some(isConfirmation);
  for (const block of blocks) {
    const { type, block_id: blockId, element } = block;
    if (type !== 'input' || typeof blockId !== 'string' || !isFields(element)) continue;
    const actionId = String(element['action_id']);
    const suggest = async (value: string) => {
      const of = { user, view_id: opened.id, block_id: blockId, action_id: actionId, value };
      return ((await client.suggest(of)).options ?? []).filter(isOption);
    };
    // What a removal is about stays, and its name is typed as the form shows it.
    if (isRemoval && element['type'] === 'external_select') continue;
    const value = isConfirmation(block) ? hintOf(block) : await valueFor(element, pick, suggest);
    if (value !== null) values[blockId] = { [actionId]: value };
  }
  await client.submit({ user, view_id: opened.id, values });
  await client.close({ user, view_id: opened.id });
}

async function valueFor(
  element: Fields,
  pick: number,
  suggest: (value: string) => Promise<readonly Option[]>,
): Promise<unknown> {
  const chosen = (options: readonly Option[]) => options[Math.floor(pick * options.length)]?.value ?? null;
  switch (element['type']) {
    case 'external_select':
      return chosen(await suggest('web'));
    case 'multi_external_select': {
      const value = chosen(await suggest(''));
      return value === null ? null : [value];
    }
    case 'static_select':
    case 'radio_buttons':
      return chosen(optionsOf(element));
    case 'plain_text_input':
      return `because ${Math.floor(pick * 100)}`;
    default:
      return null;
  }
}

function isConfirmation({ block_id: id }: Fields): boolean {
  return typeof id === 'string' && id.startsWith('confirm:');
}

function hintOf({ hint }: Fields): unknown {
  return isFields(hint) ? hint['text'] : null;
}

function optionsOf({ options }: Fields): readonly Option[] {
  return Array.isArray(options) ? options.filter(isOption) : [];
}

function isOption(value: unknown): value is Option {
  return isFields(value) && typeof value['value'] === 'string';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
