/** Decides all that a person can mark in the window for several requests. */
import type { Client } from '../../harness/client.ts';
import { openedByPress } from '../../harness/decide-in-window.ts';
import { until } from '../../harness/until.ts';

const BUTTON = 'several:0';
const MARK = 'mark:';
const WITHIN = { timeoutMs: 5_000, what: 'a list of several requests' };

type SeveralDecisions = {
  readonly user: string;
  readonly action: 'approve' | 'deny';
  /** Called before they are decided. */
  readonly onMarked: (ids: readonly string[]) => Promise<unknown>;
};

/** Does nothing where there are not several. */
export async function decideSeveral(
  client: Client,
  { user, action, onMarked }: SeveralDecisions,
): Promise<void> {
  const before = new Set((await client.messages('ops', user)).map(({ ts }) => ts));
  await client.command({ user, channel: 'ops', command: '/fleet', text: 'approvals' });
  const list = await until(async () => {
    const fresh = (await client.messages('ops', user)).filter(({ ts }) => !before.has(ts));
    return fresh.find(({ blocks }) => JSON.stringify(blocks).includes(`"${BUTTON}"`));
  }, WITHIN).catch(() => null);
  if (list === null) return;
  const press = () => client.click({ user, channel: 'ops', ts: list.ts, action_id: BUTTON });
  const window = await openedByPress(client, user, press, WITHIN).catch(() => null);
  if (window === null) return;
  const marks = [...JSON.stringify(window.blocks).matchAll(/"block_id":"(mark:[^"]+)"/g)].map(
    ([, block = '']) => block,
  );
  const ids = marks.map((block) => block.slice(MARK.length));
  await onMarked(ids);
  const marked = Object.fromEntries(ids.map((id) => [`${MARK}${id}`, { [`${MARK}${id}`]: id }]));
  await client.submit({ user, view_id: window.id, values: { ...marked, marked: { marked: action } } });
}
