/** Slack says that it did not do what it did: nothing stands twice. */
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { stateOf } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const people = useSandboxPeople({ transport: 'http' });
beforeEach(async () => {
  await people.reset();
  await people.greeted();
});

/** The next call of this method is done and answered with this error. */
const answers = (method: string, error: string, status = 200) =>
  people.fault({
    service: 'slack',
    match: `POST /api/${method}`,
    kind: 'answer',
    times: 1,
    status,
    body: { ok: false, error },
  });

describe.each([
  ['fatal_error', 200],
  ['request_timeout', 200],
  ['internal_error', 503],
])('after %s with status %s', (error, status) => {
  it('an alert and a request have one card each', async () => {
    await answers('chat.postMessage', error, status);
    await people.world({ do: 'patch-fails', device: 'web-01', reason: 'held' });
    await people.advance('20s');
    await until(async () => (await people.posts('patch-alerts')).length > 0, { what: 'the alert' });
    await answers('chat.postMessage', error, status);
    await people.runs('operator', 'reboot web-01');
    const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
    await answers('chat.update', error, status);
    await people.push('approver', card, 'deny');
    await people.becomes(card, 'denied');
    await people.advance('5m');
    expect(await people.posts('patch-alerts')).toHaveLength(1);
    const cards = (await people.posts('approvals')).filter(({ text }) => text.includes('web-01'));
    expect(cards.map(stateOf)).toEqual(['denied']);
  });
});
