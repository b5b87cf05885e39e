/** Mistakes of people and services: each has a clear private answer that says whether anything changed. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../src/sandbox/contracts/services.ts';
import { until } from '../harness/until.ts';
import { actionIdsOf, messageText, stateOf } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const people = useSandboxPeople();
afterEach(() => people.clearFaults());

describe('what a person types', () => {
  it.each([
    ['frobnicate all of it', /no command for exactly that/, /help/],
    ['devcie web-01', /No command is named `devcie`/, /device/],
    ['device wbe-01', /No device is named wbe-01/, /web-01/],
    ['device #99999999', /#99999999/, /no longer in the fleet|No device is named/],
    ['device web-01 --force', /--force/, /doesn’t apply here/],
    ['devices is:blah', /is:blah/, /is:/],
    ['devices group:Linx', /Linx/, /Linux/],
    ['devices colour:red', /colour/, /Unknown filter/],
    ['device “web-01', /Missing closing quote/, /`\/fleet help` shows/],
    ['patch web-01 no-such-package', /web-01 has no missing package named no-such-package/, /lists missing/],
    [`device ${'x'.repeat(10_000)}`, /Too long/, /the maximum is \d+/],
  ])('%s', async (text, first, second) => {
    const answer = await people.runs('operator', text);
    expect(messageText(answer)).toMatch(first);
    expect(messageText(answer)).toMatch(second);
    // A question that was not understood could not change anything.
    expect(answer.text).not.toMatch(/Nothing was changed/);
  });

  it.each([
    ['device “web-01”', /^web-01: Online/],
    ['device ‘web-01’', /^web-01: Online/],
    ['device <http://web-01|web-01>', /^web-01: Online/],
    ['  DEVICE   WEB-01  ', /^web-01: Online/],
    ['device web-01\u0000\u202e', /^web-01: Online/],
    ['devices group:“Linux servers” is:needs-reboot', /^Devices .*: \d+ devices?: all online/],
    ['devices -is:online', /^Devices .*: \d+ devices?: all offline/],
  ])('%s is understood', async (text, words) => {
    expect((await people.runs('operator', text)).text).toMatch(words);
  });

  it('an ambiguous name in a write command asks which one, and only the chosen one is requested', async () => {
    const picker = await people.runs('operator', 'reboot dup-01 because test');
    expect(actionIdsOf(picker)).toEqual(['pick:0', 'pick:1']);
    expect(await people.posts('approvals')).toEqual([]);
    // Its answer must not be mistaken for that of the next command.
    await people.presses('operator', { ...picker, channel: 'ops' }, 'pick:0');
    const card = await people.card('approvals', ({ text }) => text.includes('dup-01'));
    expect(messageText(card)).toMatch(/#40\d\d/);
    expect(stateOf(card)).toBe('waiting');
  });

  it('a name without its hyphen has a button that does the same with the device that was meant', async () => {
    const offered = await people.runs('operator', 'reboot web01 because a test of names');
    expect(messageText(offered)).toMatch(/Did you mean .*web-01/s);
    await people.presses('operator', { ...offered, channel: 'ops' }, 'pick:0');
    const card = await people.card('approvals', (one) => messageText(one).includes('a test of names'));
    expect(messageText(card)).toContain('web-01');
    expect(stateOf(card)).toBe('waiting');
  });

  it('a time in words is asked about once, and requested by its button', async () => {
    const asked = await people.runs('operator', 'reboot web-02 tonight because of a kernel update');
    expect(messageText(asked)).toContain(
      'This would run as soon as it’s approved. There are no schedules yet.',
    );
    expect(actionIdsOf(asked)).toEqual(['pick:0']);
    await people.presses('operator', { ...asked, channel: 'ops' }, 'pick:0');
    const card = await people.card('approvals', (one) => messageText(one).includes('of a kernel update'));
    expect(messageText(card)).toContain('web-02');
    expect(stateOf(card)).toBe('waiting');
  });

  it('a pasted column of names is one request for all of them', async () => {
    await people.runs('operator', 'reboot web-01\nweb-02 because of a pasted column');
    const card = await people.card('approvals', (one) => messageText(one).includes('of a pasted column'));
    expect(messageText(card)).toMatch(/web-01, web-02|2 devices/);
  });

  it.each([
    ['a near name of a device', 'device web01', /^web-01: Online/],
    ['a near name of a group', 'group "Linx servers"', /^Group Linux servers/],
    ['a mistyped command that only looks', 'devcies web-01', /device/],
  ])('%s is taken by its button, in place of the answer', async (_what, text, words) => {
    const offered = await people.runs('viewer', text);
    expect(messageText(offered)).toMatch(/Did you mean (this|one of these)\?/);
    const taken = await people.presses('viewer', { ...offered, channel: 'ops' }, 'pick:0');
    expect(taken.ts).toBe(offered.ts);
    expect(taken.text).toMatch(words);
    expect(taken.text).not.toMatch(/Nothing was changed/);
  });

  /** Adds a device to the fleet, and returns its card as soon as the bot knows it. */
  const knownDevice = async (name: string) => {
    await people.world({ do: 'device-added', name });
    return until(async () => {
      await people.advance('61s');
      const answer = await people.runs('operator', `device ${name}`);
      return answer.text.startsWith(name) ? answer : null;
    });
  };

  it('a device deleted between card and press is reported as gone', async () => {
    const card = await knownDevice('brief-01');
    await people.world({ do: 'device-removed', device: 'brief-01' });
    const answer = await people.presses('operator', { ...card, channel: 'ops' }, 'queue');
    expect(answer.text).toMatch(/no longer in the fleet/);
    expect(answer.text).not.toMatch(/Nothing was changed/);
  });

  it('a device deleted before its approval is never sent a command', async () => {
    await knownDevice('brief-02');
    await people.runs('operator', 'reboot brief-02 because test');
    const card = await people.card('approvals', ({ text }) => text.includes('brief-02'));
    const before = await people.writes();
    await people.world({ do: 'device-removed', device: 'brief-02' });
    await people.push('approver', card, 'approve');
    const ended = await people.card('approvals', (one) => one.ts === card.ts && stateOf(one) === 'not_sent');
    expect(messageText(ended)).toMatch(/Not sent.*Approved by .*no longer exists in the management service/s);
    expect(await people.writes()).toEqual(before);
  });
});

describe('a service that misbehaves', () => {
  // Its pause after a throttled read, and the trouble that it counts, would be met by the next test.
  afterEach(async () => {
    await people.clearFaults();
    await people.advance('2m');
  });

  it.each<readonly [string, Pick<Fault, 'kind' | 'status' | 'ms' | 'retry_after' | 'body'>, RegExp]>([
    ['is down', { kind: 'cut' }, /reach|answer/],
    ['breaks', { kind: 'status', status: 500 }, /internal error|broken|failed|error/i],
    ['answers HTML', { kind: 'status', status: 502 }, /internal error|broken|failed|error/i],
    ['answers half a JSON', { kind: 'malformed' }, /read|understand/],
    ['answers an error with 200', { kind: 'answer', body: { errors: ['boom'] } }, /answered with an error/],
    ['throttles', { kind: 'throttle', retry_after: 60 }, /wait|many|busy|slow/i],
    ['refuses the key', { kind: 'status', status: 401 }, /key/],
  ])('that %s is told in words, with a reference, and without a word of changes', async (_, fault, words) => {
    // Reads in the background never ask for one device, so the person's read is the first that meets it.
    await people.fault({ service: 'management', match: 'GET /servers/4001', ...fault });
    const answer = await people.runs('operator', 'queue #4001');
    expect(messageText(answer)).toMatch(words);
    expect(answer.text).not.toMatch(/changed/);
    expect(messageText(answer)).toMatch(/[0-9a-hjkmnp-tv-z]{8}/);
  });

  it('that marks a device as deleted has it no more', async () => {
    const body = { id: 4001, deleted: true, name: 'web-01', connected: true };
    await people.fault({ service: 'management', match: 'GET /servers/4001', kind: 'answer', body });
    expect(messageText(await people.runs('operator', 'device #4001'))).toMatch(/No device is named #4001/);
  });

  it('that is slow still gets an answer', async () => {
    await people.faultOnce({ service: 'management', match: 'GET /servers/4001', kind: 'slow', ms: 3_500 });
    expect((await people.runs('operator', 'device #4001')).text).toMatch(/^web-01/);
  });

  it.each<readonly [string, Pick<Fault, 'kind' | 'status' | 'body'>]>([
    ['an error with 200', { kind: 'answer', body: { errors: ['This device is not compatible.'] } }],
    ['an error with 201', { kind: 'answer', status: 201, body: { error: 'device is in maintenance' } }],
    ['lost', { kind: 'cut-after' }],
    ['half a JSON', { kind: 'malformed' }],
  ])(
    'whose answer to a command is %s gets it once, and the card follows it to its proof',
    async (_, fault) => {
      await people.reset();
      await people.faultOnce({ service: 'management', match: 'POST /servers', ...fault });
      await people.runs('operator', 'scan web-02');
      const card = await people.card('ops', ({ text }) => text.includes(': Scan web-02\n'));
      await people.becomes(card, 'verified');
      expect(await people.writes()).toHaveLength(1);
    },
  );

  it('that refuses a command is said to have refused it, and nothing is sent again', async () => {
    await people.reset();
    await people.faultOnce({ service: 'management', match: 'POST /servers', kind: 'status', status: 403 });
    await people.runs('operator', 'scan web-02');
    const card = await people.card('ops', ({ text }) => text.includes(': Scan web-02\n'));
    expect(messageText(await people.becomes(card, 'refused'))).toMatch(
      /Not accepted.*did not accept the command/s,
    );
    await people.advance('1h');
    expect(await people.writes()).toHaveLength(1);
  });
});

describe('Slack that refuses a card', () => {
  it('a request whose card Slack refuses is withdrawn, and the requester is notified', async () => {
    await people.reset();
    await people.greeted();
    await people.faultOnce({ service: 'slack', match: 'chat.postMessage', kind: 'throttle', retry_after: 2 });
    await people.runs('operator', 'reboot web-01 because test');
    await people.advance('1m');
    const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
    expect(stateOf(card)).toBe('waiting');
    expect(await people.posts('approvals')).toHaveLength(1);
  });

  it('says hello in two lines where it was invited', async () => {
    await people.invite({ user: 'operator', channel: 'random' });
    const hello = await people.card('random', () => true, 'a welcome');
    expect(hello.text).toMatch(/^[^\n]+\n[^\n]+$/);
    await people.runs('operator', 'scan web-01', 'random');
    await people.card('random', ({ text }) => text.includes(': Scan web-01\n'));
  });
});
