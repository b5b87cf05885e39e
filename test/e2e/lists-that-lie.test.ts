/** Lists of the service that leave things out, over the real protocols: what is lost, and what people are told. */
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { messageText } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const people = useSandboxPeople();
beforeEach(async () => {
  await people.reset();
});

const answer = async (user: 'admin' | 'operator' | 'viewer', line: string) =>
  messageText(await people.runs(user, line));
const statusIs = (words: RegExp) =>
  until(async () => words.test(await answer('admin', 'status')), { what: String(words) });

describe('a fleet that the service no longer lists', () => {
  it.each([0, 100])('but %d devices of it is kept, said, and not selected from', async (take) => {
    expect(await answer('viewer', 'compliance')).toMatch(/\d+ of 240 devices/);
    await people.fault({ service: 'management', match: 'GET /servers', kind: 'list', take });
    await people.advance('2m');
    const lacks = new RegExp(`list has lacked ${240 - take} devices since`);
    expect(await answer('viewer', 'compliance')).toMatch(/\d+ of 240 devices/);
    expect(await answer('viewer', 'devices')).toMatch(lacks);
    expect(await answer('admin', 'status')).toMatch(/⚠️ \*Patchbay needs attention\*.*list has lacked/s);
    expect(await answer('operator', 'reboot group:"Linux servers" because kernel')).toMatch(lacks);
    expect(await people.writes()).toEqual([]);
    expect(await answer('operator', 'reboot web-01 because kernel')).toMatch(/Approval requested/);
    await people.clearFaults();
    await people.advance('2m');
    await statusIs(/✅ \*Patchbay is healthy\*/);
  });

  it('in groups that it does still list is not selected from by groups', async () => {
    await answer('viewer', 'compliance');
    await people.fault({ service: 'management', match: 'GET /servergroups', kind: 'list', take: 8 });
    await people.advance('2m');
    expect(await answer('operator', 'reboot group:Kiosks because kernel')).toMatch(
      /list has lacked 3 groups since/,
    );
    expect(await people.writes()).toEqual([]);
  });

  it('is cut once an admin accepts it, which the audit shows', async () => {
    await answer('viewer', 'compliance');
    await people.fault({ service: 'management', match: 'GET /servers', kind: 'list', take: 230 });
    await people.advance('2m');
    const asked = await people.runs('admin', 'accept-removals');
    expect(messageText(asked)).toMatch(/Accept the removal\?.*lacked 10 devices/s);
    expect(messageText(await people.presses('admin', { ...asked, channel: 'ops' }, 'accept'))).toMatch(
      /Removal accepted/,
    );
    expect(await answer('viewer', 'compliance')).toMatch(/\d+ of 230 devices/);
    expect(await answer('admin', 'audit')).toMatch(/accepted that up to 10 are no longer in the lists/);
    expect(await answer('operator', 'accept-removals')).toMatch(/admin/);
  });
});

describe('an event log that shows its first page only', () => {
  it('loses no failure: they are posted later, and status says that some may be missing', async () => {
    await people.fault({ service: 'management', match: 'GET /events', kind: 'list', page: 0 });
    for (const patch of ['one', 'two', 'three', 'four'])
      await people.world({ do: 'storm', count: 200, patch, reason: patch });
    await people.advance('20s');
    await statusIs(/Events between .* may be missing/);
    await people.clearFaults();
    await people.advance('11m');
    await statusIs(/✅ \*Patchbay is healthy\*/);
    const posted = async () => {
      const texts = (await people.posts('patch-alerts')).map(({ text }) => text);
      return texts.reduce(
        (sum, text) => sum + Number(/Patch failed on (\d+) devices/.exec(text)?.[1] ?? 0),
        0,
      );
    };
    await until(async () => (await posted()) === 800, { what: 'all 800 failures' });
  });
});
