/** A card of seventy failed patches is retried whole: the request, its file, and the offline devices that it waits for. */
import { expect, it, vi } from 'vitest';
import { until } from '../../harness/until.ts';
import { submitModal } from '../harness/modals.ts';
import { messageText, type PostedCard } from '../harness/sandbox-people.ts';
import { useSandboxPeople } from '../harness/use-sandbox-people.ts';
import { cardWith, linesOf, rolloutCard } from './rollout-harness.ts';

vi.setConfig({ testTimeout: 240_000 });

const COUNT = 70;
const TITLE = `Install openssl on ${COUNT} devices`;

const people = useSandboxPeople();

/** The rows of the file of a list, by column. */
async function fileOf(list: PostedCard): Promise<readonly Readonly<Record<string, string>>[]> {
  await people.push('operator', list, 'export');
  const file = await until(async () =>
    (await people.messages('@operator', 'operator')).flatMap(({ files }) => files ?? []).at(-1),
  );
  const { id } = file as { readonly id: string };
  const text = await (await fetch(`${people.address}/sandbox/file?user=operator&id=${id}`)).text();
  const [columns = [], ...rows] = text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? ''])));
}

const offlineLines = (lines: readonly string[]) =>
  lines.filter((line) => /^⏳ (?:\d+ devices are offline|Waiting only for \d+ offline devices)/.test(line));

it('is requested for exactly these devices, however many the card names', async () => {
  await people.world({ do: 'storm', count: COUNT, patch: 'openssl', reason: 'repository is away' });
  await people.advance('2m');
  const label = `Retry on ${COUNT} devices`;
  const storm = await people.card('patch-alerts', (one) => messageText(one).includes(label));
  const form = await people.opens('operator', storm, 'retry');
  expect(JSON.stringify(form.blocks)).toContain(`These ${COUNT} devices:`);
  await submitModal(people, 'operator', form, {});
  const { lines, ...card } = await cardWith(people, [`⏳ Waiting for approval: ${TITLE}`]);
  expect(lines).toContain('Requested by @operator · Reason: Retry after: repository is away');
  const all = await people.presses('operator', card, 'results');
  const rows = await fileOf({ ...all, channel: card.channel });
  expect(new Set(rows.map(({ id }) => id)).size).toBe(COUNT);
  expect(rows).toHaveLength(COUNT);
  expect(new Set(rows.map(({ state, packages }) => `${state} ${packages}`))).toEqual(
    new Set(['ready openssl']),
  );
});

it('says in the list, as on its card, for which offline devices it waits', async () => {
  await people.push('approver', await rolloutCard(people), 'approve');
  let waits = '';
  for (let steps = 0; steps < 40 && waits === ''; steps += 1) {
    await people.advance('1m');
    const { lines } = await rolloutCard(people);
    const isAllSent = lines.some((line) => /^\d+ verified, \d+ queued$/.test(line));
    waits = (isAllSent ? offlineLines(lines)[0] : undefined) ?? '';
  }
  const [, count = ''] = /^⏳ Waiting only for (\d+) offline devices: /.exec(waits) ?? [];
  const line = `⏳ ${count} devices are offline. The command runs once they’re back online.`;
  const list = await people.runs('operator', 'operations');
  expect(offlineLines(linesOf(list.blocks))).toEqual([line]);
  expect(await people.writes()).toHaveLength(COUNT);
});
