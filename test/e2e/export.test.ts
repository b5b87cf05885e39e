import { expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { actionIdsOf } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const people = useSandboxPeople();

it('a list is sent whole to the one who asks, by the rights of the list', async () => {
  const list = { ...(await people.runs('viewer', 'devices -os:windows')), channel: 'ops' };
  const total = Number(/(\d+) devices/.exec(list.text)?.[1]);
  expect(total).toBeGreaterThan(10);
  const answer = await people.presses('viewer', list, 'export');
  const name = String.raw`devices-os-windows-\d{4}-\d\d-\d\d\.csv`;
  expect(answer.text).toMatch(
    new RegExp(
      `^Sent you \`${name}\` with ${total} rows in a direct message. <https://[^|]+/${name}\\|Open the file>`,
    ),
  );
  const message = await until(async () =>
    (await people.messages('@viewer', 'viewer')).findLast(({ files = [] }) => files.length > 0),
  );
  expect(message.text).toMatch(new RegExp(`^${total} rows of \`devices -os:windows\`, read <!date`));
  const { id } = message.files?.at(-1) ?? { id: '' };
  const text = await (await fetch(`${people.address}/sandbox/file?user=viewer&id=${id}`)).text();
  const rows = text.trim().split('\r\n');
  expect(rows[0]).toContain('hostname');
  expect(rows).toHaveLength(total + 1);
  expect(text).not.toMatch(/windows/i);
});

it('nobody else is sent it, and a direct message offers it too', async () => {
  const files = async (user: string) =>
    (await people.messages(`@${user}`, user)).flatMap((message) => message.files ?? []);
  expect(await files('operator')).toEqual([]);
  const direct = {
    ...(await people.says('operator', 'groups', { channel: '@operator' })),
    channel: '@operator',
  };
  expect(actionIdsOf(direct)).toContain('export');
  expect(actionIdsOf(direct)).not.toContain('share');
  await people.push('operator', direct, 'export');
  await until(async () => (await files('operator')).length === 1);
});

it('is offered to nobody who may not see the list', async () => {
  const refusal = await people.runs('outsider', 'devices', 'random');
  expect(refusal.text).toMatch(/^`\/fleet [\w-]+` needs the \w+ role/);
  expect(actionIdsOf(refusal)).not.toContain('export');
});
