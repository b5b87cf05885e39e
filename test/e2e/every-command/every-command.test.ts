/** Every command as a new user would use it: typed, mentioned, pressed, and refused. */
import { beforeAll, describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import type { SlackViewAnswer } from '../../harness/client.ts';
import { until } from '../../harness/until.ts';
import { useSandboxPeople } from '../harness/use-sandbox-people.ts';
import { CHANGE_ROWS } from './changes.ts';
import { type CommandLine, createCommandHarness, fillIn, type InputWay } from './command-harness.ts';
import { READ_ROWS } from './reads.ts';
import { SETTING_ROWS } from './settings.ts';

const ROWS = { ...READ_ROWS, ...CHANGE_ROWS, ...SETTING_ROWS };
const REFUSED =
  /(?:You need|needs) the (viewer|operator|approver|admin) role \((you’re an? \w+|you have no role)\)/;
const PREVIEW = 'POST /policies/device-filters-preview';

const people = useSandboxPeople();
beforeAll(prepare);

async function prepare(): Promise<void> {
  await people.invite({ user: 'viewer', channel: 'random' });
  // A waiting request, a finished command, and an alert.
  await people.runs('operator', 'reboot web-01 because before it all');
  await people.runs('operator', 'scan web-02');
  await people.card('ops', ({ text }) => text.includes('web-02'));
  await until(async () => (await people.writes()).includes('POST /servers/4002/queues'), {
    what: 'the scan to be sent',
  });
  await people.world({ do: 'patch-fails', device: 'web-01', reason: 'before it all' });
  await people.advance('20s');
  await people.card('patch-alerts', ({ text }) => text.includes('web-01'));
}

/** Requests to the service that change something. */
const written = async () => (await people.writes()).filter((one) => one !== PREVIEW);

const use = async (name: string, way: InputWay): Promise<void> => {
  const row = ROWS[name];
  if (row === undefined) throw new Error(`${name} is not in the table`);
  const harness = createCommandHarness(people, row.who, way);
  const lineOf = (line: CommandLine) => (typeof line === 'string' ? line : line(harness));
  const answer = await (async () => {
    if (way === 'button') return row.button(harness);
    if (row.typed !== undefined) {
      await harness.mark();
      return row.typed(harness);
    }
    const line = await lineOf(row[way]);
    await harness.mark();
    return way === 'slash' ? people.runs(row.who, line) : people.says(row.who, `@patchbay ${line}`);
  })();
  expect(answer.text).toMatch(row.answer);
  await row.effect(harness, answer);
};

it('no command is missing from the table', () => {
  const names = registry.all().map(({ name }) => name);
  expect(Object.keys(ROWS).toSorted()).toEqual(names.toSorted());
});

describe.each(registry.all().map(({ name }) => name))('%s', (name) => {
  // So many changes of one person within an hour would need a reason each.
  beforeAll(async () => {
    if (!(name in CHANGE_ROWS)) return;
    await people.reset();
    await prepare();
  });

  it.each(['slash', 'mention', 'button'] as const)('works by %s, with its effect', (way) => use(name, way));

  it('is refused to who lacks the right, in words, and nothing is sent', async () => {
    const row = ROWS[name];
    if (row === undefined) throw new Error(`${name} is not in the table`);
    const { who, line: given } = row.refused;
    const line =
      typeof given === 'string' ? given : await given(createCommandHarness(people, row.who, 'slash'));
    const channel = who === 'outsider' ? 'random' : 'ops';
    const before = [await written(), (await people.posts('approvals')).length];
    for (const answer of [
      await people.runs(who, line, channel),
      await people.says(who, `@patchbay ${line}`, { channel }),
    ]) {
      expect(JSON.stringify([answer.text, answer.blocks])).toMatch(REFUSED);
    }
    expect([await written(), (await people.posts('approvals')).length]).toEqual(before);
  });
});

describe('a missing argument', () => {
  const opens = async (line: string, title: string) => {
    const user = 'operator';
    for (const { id } of (await people.views(user)).modals) await people.close({ user, view_id: id });
    await people.command({ user, channel: 'ops', command: '/fleet', text: line });
    return until(
      async () =>
        (await people.views(user)).modals.find((one) => JSON.stringify(one['title']).includes(title)),
      { what: title },
    );
  };

  it.each([
    ['missing group:"Linux servers"', 'Missing patches', ['Linux servers']],
    ['policy-test win-ts-01 because audit', 'Test a policy', ['win-ts-01', 'Disable SMBv1', 'audit']],
    ['silence for 8h because it moves', 'Silence alerts', ['8 hours', 'it moves']],
    ['alias lr =', 'Save an alias', ['"initial_value":"lr"']],
    ['save = is:online', 'Save filters', ['"initial_value":"is:online"']],
    ['explain reboot because x', 'Explain a command', ['"initial_value":"reboot because x"']],
    ['events days:2 name:', 'Events', ['2 days']],
  ] as const)('of /fleet %s opens a form with what was typed', async (line, title, parts) => {
    const form = await opens(line, title);
    for (const part of parts) expect(JSON.stringify(form.blocks)).toContain(part);
  });

  it.each([
    [
      'policy-test win-fs-04',
      'Test a policy',
      { 'policy:4077': '2103' },
      /^Test of Disable SMBv1 \(policy 2103\)/,
    ],
    [
      'silence because quiet',
      'Silence',
      { device: { search: 'mac-04' }, lasts: '8h' },
      /^⏳ \*Alerts silenced until .*\n.*mac-04/,
    ],
    ['silence off', 'End a silence', { silence: 'last' }, /ended:\* all alerts for mac-04/],
    ['subscribe', 'Subscribe', { events: ['signed-in'] }, /^Subscribed <#\w+> to \*Signed in\*\./],
    ['unsubscribe', 'End a subscription', { which: 'last' }, /^Unsubscribed <#\w+> from \*Signed in\*\./],
    ['acknowledge', 'Acknowledge an alert', { alert: 'last' }, /You acknowledged/],
    ['alias remove', 'Remove an alias', { removed: 'mine:one' }, /^Alias `one` removed/],
  ] as const)('of /fleet %s is filled in, and that is done', async (line, title, entries, answer) => {
    const form = await opens(line, title);
    const chosen = Object.entries(entries).map(([field, entered]) => [
      field,
      entered === 'last' ? lastOf(form, field) : entered,
    ]);
    expect((await fillIn(people, 'operator', Object.fromEntries(chosen))).text).toMatch(answer);
  });
});

/** The newest option of a field. */
function lastOf({ blocks }: SlackViewAnswer, field: string): string {
  const block = blocks.find((one) => (one as { readonly block_id?: string }).block_id === field);
  const { element } = block as { readonly element: { readonly options: readonly { value: string }[] } };
  return element.options.filter(({ value }) => /^\d+$/.test(value)).at(-1)?.value ?? '';
}
