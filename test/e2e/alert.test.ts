import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/lib/clock.ts';
import { until } from '../harness/until.ts';
import { submitModal } from './harness/modals.ts';
import { actionIdsOf, cardKeyIn, messageText, stateOf } from './harness/sandbox-people.ts';
import { useResetPeople } from './harness/use-sandbox-people.ts';

describe.each(['socket', 'http'] as const)('telling channels, by %s', (transport) => {
  const people = useResetPeople({ transport });

  const alerts = () => people.posts('patch-alerts');
  const settled = async (count: number) => {
    await people.advance('20s');
    return until(async () => ((await alerts()).length >= count ? alerts() : null), {
      what: `${count} alerts`,
    });
  };

  it('retrying a failed patch goes through approval', async () => {
    await people.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'held' });
    const [alert] = await settled(1);
    if (alert === undefined) throw new Error('no alert');
    const form = await people.opens('operator', { ...alert, channel: 'patch-alerts' }, 'retry');
    expect(JSON.stringify(form.blocks)).toContain('Retry after: held');
    await submitModal(people, 'operator', form, {});
    const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
    expect(stateOf(card)).toBe('waiting');
    expect(await people.writes()).toEqual([]);
    await people.push('approver', card, 'approve');
    await people.becomes(card, 'verified');
    expect(await people.writes()).toHaveLength(1);
  });

  it('a restart loses and repeats nothing', async () => {
    await people.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'one' });
    await settled(1);
    await people.bot({ do: 'stop' });
    await people.world({ do: 'patch-fails', device: 'web-02', patch: 'curl', reason: 'two' });
    await people.advance('10m');
    await people.bot({ do: 'start' });
    await settled(2);
    await people.advance('2m');
    expect((await alerts()).map(messageText).map((words) => /one|two/.exec(words)?.[0])).toEqual([
      'one',
      'two',
    ]);
  });

  // Alerts leave through Slack's Web API over either transport, so the two above are enough for HTTP.
  if (transport === 'http') return;

  it('the first start is quiet about history', async () => {
    await people.advance('1m');
    expect(await alerts()).toEqual([]);
    expect(await people.posts('new-devices')).toEqual([]);
  });

  it('a renamed device has the name that other cards show', async () => {
    await people.runs('operator', 'device-edit web-02 name:"Front door" because a sign says so');
    await people.becomes(
      await people.card('ops', ({ text }) => text.includes(': Edit web-02\n')),
      'verified',
    );
    await people.world({ do: 'patch-fails', device: 'web-02', reason: 'held' });
    const [alert] = await settled(1);
    expect(alert?.text).toMatch(/^⛔ \*Patch failed on Front door\*: /);
  });

  it('a failing patch appears once, with device, package, reason and buttons', async () => {
    await people.world({
      do: 'patch-fails',
      device: 'web-01',
      patch: 'openssl',
      reason: 'disk full <!channel>',
    });
    const [alert] = await settled(1);
    if (alert === undefined) throw new Error('no alert');
    for (const part of ['web-01', 'openssl', 'disk full &lt;!channel&gt;'])
      expect(messageText(alert)).toContain(part);
    expect(actionIdsOf(alert)).toEqual(['device', 'scan', 'retry', 'acknowledge', 'silence:device']);
    await people.advance('5m');
    expect(await alerts()).toHaveLength(1);
  });

  it('a viewer’s press on retry is refused with the role that it needs', async () => {
    await people.world({ do: 'patch-fails', device: 'web-01', reason: 'held' });
    const [alert] = await settled(1);
    if (alert === undefined) throw new Error('no alert');
    const answer = await people.presses('viewer', { ...alert, channel: 'patch-alerts' }, 'retry');
    expect(answer.text).toMatch(/needs? the operator role/);
    expect(await people.posts('approvals')).toEqual([]);
  });

  it('a new device appears once in its own channel', async () => {
    await people.world({ do: 'device-added', name: 'fresh-01' });
    await people.advance('2m');
    const card = await people.card('new-devices', ({ text }) => text.includes('fresh-01'));
    expect(actionIdsOf(card)).toEqual(expect.arrayContaining(['device', 'scan']));
    expect(await people.posts('new-devices')).toHaveLength(1);
    expect(await alerts()).toEqual([]);
  });

  it('a storm of 200 failures gives one alert, with every device in it once', async () => {
    await people.world({ do: 'storm', count: 200, reason: 'repository is away' });
    await settled(1);
    await people.advance('2m');
    const [card, ...others] = await alerts();
    expect(others).toEqual([]);
    expect(card?.text).toContain('Patch failed on 200 devices');
    expect(card && messageText(card)).toContain('and 190 more');
    const list = messageText(await people.runs('viewer', 'alerts'));
    expect(list).toContain('Patch failed on 200 devices');
    expect(list).toContain('days: 1 alert.');
    await people.home({ user: 'viewer' });
    const home = async () => JSON.stringify((await people.views('viewer')).home);
    await until(async () => /Open alerts \(1\).*\*Patch failed on 200 devices\*: /s.test(await home()));
  });

  it('the retry of a storm asks for exactly its devices, also after the bot was killed', async () => {
    await people.world({ do: 'storm', count: 60, reason: 'repository is away' });
    const [alert] = await settled(1);
    if (alert === undefined) throw new Error('no alert');
    await people.bot({ do: 'kill' });
    await people.bot({ do: 'start' });
    const form = await people.opens('operator', { ...alert, channel: 'patch-alerts' }, 'retry');
    expect(JSON.stringify(form.blocks)).toContain('These 60 devices:');
    await submitModal(people, 'operator', form, {});
    const card = await people.card('approvals', ({ text }) => text.includes('on 60 devices'));
    expect(messageText(card)).toContain('Reason: Retry after: repository is away');
    expect(await people.writes()).toEqual([]);
  });

  it('failures of different packages are alerts of their own, none twice', async () => {
    for (let count = 1; count <= 12; count += 1)
      await people.world({ do: 'patch-fails', device: 'web-01', patch: `package-${count}`, reason: 'held' });
    await settled(12);
    await people.advance('2m');
    expect(new Set((await alerts()).map(cardKeyIn)).size).toBe(12);
    expect(await alerts()).toHaveLength(12);
  });

  it('one package that fails again, whatever the reason, is one card that counts it', async () => {
    const fails = (reason: string) =>
      people.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason });
    await fails('first reason');
    await settled(1);
    for (const reason of ['second reason', 'third reason']) {
      await fails(reason);
      await people.advance('1d');
    }
    const card = await people.card('patch-alerts', (one) => messageText(one).includes('failed 3 times'));
    expect(messageText(card)).toContain('third reason');
    expect(await alerts()).toHaveLength(1);
  });

  it('a storm strikes itself out as it is fixed, on the same card', async () => {
    const shows = (expected: object) =>
      people.card('patch-alerts', ({ metadata }) => {
        const { event_payload: payload } = metadata as { readonly event_payload: Record<string, unknown> };
        return Object.entries(expected).every(([name, value]) => payload[name] === value);
      });
    await people.world({ do: 'storm', count: 15, reason: 'repository is away' });
    await settled(1);
    await shows({ state: 'firing', devices: 15, fixed: 0 });
    await people.world({ do: 'storm-fixed', count: 10 });
    await people.advance('20s');
    await shows({ state: 'firing', devices: 15, fixed: 10 });
    expect((await alerts())[0]?.text).toMatch(/^⛔ \*Patch failed on 15 devices, 10 fixed\*/);
    await people.world({ do: 'storm-fixed' });
    await people.advance('20s');
    await shows({ state: 'resolved', devices: 15, fixed: 15 });
    const [card, ...others] = await alerts();
    expect(card?.text).toMatch(/^✅ \*Fixed on all 15 devices\*/);
    expect(others).toEqual([]);
  });

  it('what looks like a fix and is not leaves the card as it is', async () => {
    await people.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'held' });
    await settled(1);
    await people.world({ do: 'patch-applies', device: 'web-01', patch: 'curl' });
    await people.world({ do: 'patch-applies', device: 'web-02', patch: 'openssl' });
    await people.advance('2m');
    expect((await alerts()).map(stateOf)).toEqual(['firing']);
    await people.world({ do: 'patch-applies', device: 'web-01', patch: 'openssl', time: null });
    await people.advance('20s');
    await people.card('patch-alerts', (one) => stateOf(one) === 'resolved');
  });

  it('a failure that is listed after its fix is not posted', async () => {
    await people.world({
      do: 'patch-fails',
      device: 'web-01',
      patch: 'openssl',
      reason: 'late',
      listed: '+10m',
    });
    await people.world({ do: 'patch-applies', device: 'web-01', patch: 'openssl' });
    await people.advance('15m');
    await people.world({ do: 'patch-fails', device: 'web-02', patch: 'curl', reason: 'in time' });
    await settled(1);
    expect((await alerts()).map(messageText)).toEqual([expect.stringContaining('in time')]);
    expect(messageText(await people.runs('viewer', 'alerts fixed'))).toContain('*Fixed on web-01*: openssl');
  });

  it('the removal of its device closes it', async () => {
    await people.world({ do: 'patch-fails', device: 'kiosk-07', patch: 'openssl', reason: 'held' });
    await settled(1);
    await people.world({ do: 'device-removed', device: 'kiosk-07' });
    await people.advance('20s');
    const card = await people.card('patch-alerts', (one) => stateOf(one) === 'closed');
    expect(messageText(card)).toContain('device removed');
  });

  it('a new device on a card that is half a day old is a new card, to which the old one leads', async () => {
    await people.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'held' });
    await settled(1);
    await people.advance('13h');
    await people.world({ do: 'patch-fails', device: 'web-02', patch: 'openssl', reason: 'held' });
    await settled(2);
    const old = await people.card('patch-alerts', ({ text }) => text.startsWith('▫️ *Moved*'));
    expect(messageText(old)).toContain('Open the alert');
    const [, newer] = await alerts();
    expect(newer?.text).toMatch(/^⛔ \*Patch failed on 2 devices\*: openssl/);
  });

  it('a post whose answer was lost is not repeated', async () => {
    await people.greeted();
    await people.faultOnce({ service: 'slack', match: 'chat.postMessage', kind: 'cut-after' });
    await people.world({ do: 'patch-fails', device: 'web-01', reason: 'lost' });
    await settled(1);
    await people.advance('5m');
    expect(await alerts()).toHaveLength(1);
  });

  it.each([
    ['status', { kind: 'status', status: 500 }],
    ['throttle', { kind: 'throttle', retry_after: 5 }],
    ['cut', { kind: 'cut' }],
    ['malformed', { kind: 'malformed' }],
  ] as const)('an event log that fails by %s delays an alert and does not lose it', async (_, fault) => {
    await people.fault({ service: 'management', match: 'GET /events', times: 4, ...fault });
    await people.world({ do: 'patch-fails', device: 'web-01', reason: 'late' });
    await people.advance('6m');
    await settled(1);
    expect(await alerts()).toHaveLength(1);
  });

  it('an idle poll is one request', async () => {
    const asked = async () => (await people.journal('management')).map(({ path }) => path);
    // The index is read at the start, three lists at once, and again a quarter of an hour later: a list without a total,
    // such as that of policies, ends with an empty page.
    const index = ['/policies', '/policies', '/servergroups', '/servergroups', '/servers'];
    const read = async () => (await asked()).filter((path) => index.includes(path)).toSorted();
    await until(async () => isDeepStrictEqual(await read(), index), { what: 'the index to be read' });
    const { clock: begun } = await people.state();
    const before = (await asked()).length;
    await people.advance('5m');
    const since = (await asked()).slice(before);
    const { clock: ended } = await people.state();
    const polls = since.filter((path) => path.startsWith('/events'));
    // Every 15 seconds. A slow machine takes some of the time itself.
    const due = Math.floor((ended - begun) / (15 * SECOND));
    expect(polls.length).toBeGreaterThanOrEqual(due - 1);
    expect(polls.length).toBeLessThanOrEqual(due + 1);
    expect(since.filter((path) => !path.startsWith('/events'))).toEqual([]);
  });
});
