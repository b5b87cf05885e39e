/** Policies run by hand, patches by severity, packages, devices that miss one, and what a command would do. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openedByPress } from '../harness/decide-in-window.ts';
import { until } from '../harness/until.ts';
import {
  actionIdsOf,
  messageText,
  type PersonName,
  type PostedCard,
  type SandboxPeople,
  stateOf,
} from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const DISABLE_SMB = 'policy:"Disable SMBv1"';

describe('policies and packages', () => {
  const people = useSandboxPeople({ profile: 'documented' });

  const cardOf = (channel: string, start: string): Promise<PostedCard> =>
    people.card(channel, ({ text }) => text.includes(`${start}\n`), start);
  const says = async (user: PersonName, text: string) => messageText(await people.runs(user, text));
  const reads = async (path: RegExp) =>
    (await people.journal('management')).filter((one) => one.method === 'GET' && path.test(one.path)).length;

  describe('a policy run by hand', () => {
    beforeEach(() => people.reset());

    it('is tested at once, and the device’s answer is on the card', async () => {
      const answer = await people.runs('operator', `policy-test win-ts-01 ${DISABLE_SMB}`);
      expect(answer.text).toMatch(/Test of Disable SMBv1 \(policy 2103\) on win-ts-01 requested/);
      const card = await cardOf('ops', ': Test Disable SMBv1 (policy 2103) on win-ts-01');
      const verified = await people.becomes(card, 'verified');
      expect(messageText(verified)).toMatch(/Disable SMBv1 \(policy 2103\) ended with exit code \d/);
      expect(await people.writes()).toEqual(['POST /servers/4004/queues']);
    });

    it('is remediated after approval, as it was when it was approved', async () => {
      await people.runs('operator', `policy-remediate win-ts-01 ${DISABLE_SMB} because audit`);
      const card = await cardOf(
        'approvals',
        '⏳ Waiting for approval: Remediate Disable SMBv1 (policy 2103) on win-ts-01',
      );
      expect(messageText(card)).toMatch(/Disable SMBv1 \(worklet\).*without notifying anyone at the device/s);
      expect(await people.writes()).toEqual([]);
      await people.push('approver', card, 'approve');
      const verified = await people.becomes(card, 'verified');
      expect(messageText(verified)).toContain('exit code 0');
      expect(await people.writes()).toEqual(['POST /servers/4004/queues']);
    });

    it('goes back to the approver where the policy would run something else by then', async () => {
      await people.runs('operator', `policy-remediate win-ts-01 ${DISABLE_SMB}`);
      const card = await cardOf(
        'approvals',
        '⏳ Waiting for approval: Remediate Disable SMBv1 (policy 2103) on win-ts-01',
      );
      await rewrite(people);
      await people.push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardOf(
          'approvals',
          '⏳ Needs approval again: Remediate Disable SMBv1 (policy 2103) on win-ts-01',
        );
        return messageText(now).includes('changed') ? now : null;
      });
      expect(messageText(again)).toContain('the configuration or schedule of Disable SMBv1 (#2103) changed');
      expect(stateOf(again)).toBe('waiting');
      expect((await people.writes()).filter((write) => write.startsWith('POST'))).toEqual([]);
    });

    it.each([
      [
        'policy-test web-01 policy:"Disable SMBv1"',
        /doesn’t list Disable SMBv1 \(policy 2103\) among the policies of web-01.*has no policy that can be tested/s,
      ],
      [
        'policy-remediate win-ts-01 policy:"Apply All Patches"',
        /Only Worklets and required software.*Disable SMBv1.*can be remediated on/s,
      ],
      ['policy-test win-ts-01 policy:"Disable SMB"', /No policy is named Disable SMB\..*Disable SMBv1/s],
    ])('/fleet %s is refused in words with what would do', async (text, words) => {
      const answer = await says('operator', text);
      expect(answer).toMatch(words);
      expect(answer).not.toContain('Nothing was changed.');
      expect(await people.writes()).toEqual([]);
    });

    it('is run from the policies of a device, with a question before', async () => {
      const device = await people.runs('operator', 'device win-ts-01');
      const page = await people.presses('operator', { ...device, channel: 'ops' }, 'more', 'Policies');
      expect(actionIdsOf(page)).toContain('policy-remediate:2103');
      expect(actionIdsOf(page)).not.toContain('policy-test:2101');
      const order = { user: 'operator', channel: 'ops', ts: page.ts, action_id: 'policy-remediate:2103' };
      const window = await openedByPress(people, 'operator', () => people.click(order));
      expect(JSON.stringify(window?.blocks)).toContain('Policy: Disable SMBv1 (#2103)');
      expect(await people.posts('approvals')).toEqual([]);
      await people.submit({ user: 'operator', view_id: window?.id ?? '', values: {} });
      await cardOf(
        'approvals',
        '⏳ Waiting for approval: Remediate Disable SMBv1 (policy 2103) on win-ts-01',
      );
      expect(await people.writes()).toEqual([]);
    });

    it('can be requested by mention and from a picker, too', async () => {
      const picker = await people.says(
        'operator',
        '@patchbay policy-remediate dup-01 policy:"Require VPN client"',
      );
      expect(picker.text).toMatch(/2 devices match dup-01/);
      await people.push('operator', { ...picker, channel: 'ops' }, 'pick:0');
      await cardOf(
        'approvals',
        '⏳ Waiting for approval: Remediate Require VPN client (policy 2104) on dup-01',
      );
    });
  });

  it.each(['viewer', 'outsider'] as const)('%s may run no policy and install nothing', async (user) => {
    await people.reset();
    for (const text of [
      `policy-test win-ts-01 ${DISABLE_SMB}`,
      `policy-remediate win-ts-01 ${DISABLE_SMB}`,
      'patch web-01 severity:critical',
    ]) {
      const answer = await people.runs(user, text, 'random');
      expect(answer.text).toMatch(/^`\/fleet [\w-]+` needs the operator role/);
    }
    expect(await people.writes()).toEqual([]);
    expect(await people.posts('approvals')).toEqual([]);
  });

  describe('patching by severity', () => {
    beforeEach(() => people.reset());

    it('seals what is missing of it by name, and installs only that', async () => {
      await people.runs('operator', 'patch web-01 severity:critical,high because CVE list');
      const card = await cardOf('approvals', '⏳ Waiting for approval: Install 2 packages on web-01');
      expect(messageText(card)).toMatch(/To install \(2\).*linux-image-generic 5.*openssl 3/s);
      expect(messageText(card)).toContain('*Selected by severity*: all missing critical or high patches.');
      await people.push('approver', card, 'approve');
      await people.becomes(card, 'verified');
      expect(messageText(await people.runs('approver', 'audit device web-01'))).toContain(
        'requested approval of an installation of patches on web-01 (#4001) chosen by severity (critical or high) (reason: CVE list).',
      );
      expect(await says('viewer', 'packages web-01')).toMatch(/1 missing patch \(1 medium\);.*"curl"/s);
    });

    it('says what there is where nothing has the severity', async () => {
      expect(await says('operator', 'patch web-01 severity:low')).toMatch(
        /no missing patches with severity low.*Missing: 1 critical, 1 high, 1 medium/s,
      );
      expect(await people.writes()).toEqual([]);
    });
  });

  describe('packages', () => {
    it('lists what waits, the worst first, and all from its button', async () => {
      const answer = await people.types('viewer', '/fleet-packages', 'web-01');
      expect(messageText(answer)).toMatch(
        /openssl.*critical.*CVE-2024-\d+.*linux-image-generic.*"required".*curl/s,
      );
      const all = await people.presses('viewer', { ...answer, channel: 'ops' }, 'packages:other');
      expect(messageText(all)).toMatch(/Filter: `is:all`.*installed/s);
    });

    it.each([
      ['severity:critical', /openssl/, /curl/],
      ['cve:CVE-2024-8096', /curl/, /openssl/],
      ['ssl is:missing', /OpenSSL toolkit/, /linux-image/],
      ['is:installed', /"installed"/, /"missing"/],
    ])('narrows down to %s', async (filter, there, notThere) => {
      const words = await says('viewer', `packages web-01 ${filter}`);
      expect(words).toContain(`Filter: \`${filter}\``);
      expect(words).toMatch(there);
      expect(words).not.toMatch(notThere);
    });

    it('are refused to the outsider', async () => {
      const answer = await people.runs('outsider', 'packages web-01 severity:critical', 'random');
      expect(answer.text).toMatch(/^`\/fleet [\w-]+` needs the viewer role/);
    });
  });

  describe('the search for a missing package', () => {
    it('covers a group and those below it, by name and by CVE, and reads nothing twice', async () => {
      await people.reset();
      const answer = await people.runs('viewer', 'missing openssl group:Servers');
      const [, candidates = '', devices = ''] =
        /devices in Servers are missing the `openssl` patch\.\s+Checked all (\d+) devices with missing patches, required by policies or not \(out of (\d+) devices/.exec(
          messageText(answer),
        ) ?? [];
      expect(messageText(answer)).toContain('OpenSSL toolkit');
      expect(Number(candidates)).toBeLessThan(Number(devices));
      const before = await reads(/\/packages/);
      expect(before).toBeGreaterThanOrEqual(Number(candidates));
      expect(before).toBeLessThan(Number(candidates) * 1.2);
      expect(await says('viewer', 'missing cve:CVE-2024-5535 group:Servers')).toMatch(/Checked all/);
      expect(await reads(/\/packages/)).toBe(before);
      const device = await people.presses(
        'viewer',
        { ...answer, channel: 'ops' },
        actionIdsOf(answer).find((id) => id.startsWith('device:')) ?? '',
      );
      expect(device.text).toMatch(/Online|Offline/);
    });

    it('is refused to the outsider, who has the service read nothing', async () => {
      const before = await reads(/\/packages/);
      expect((await people.runs('outsider', 'missing openssl', 'random')).text).toMatch(
        /^`\/fleet [\w-]+` needs the viewer role/,
      );
      expect(await reads(/\/packages/)).toBe(before);
    });

    it('answers a mention, and names what comes near', async () => {
      const answer = await people.says('viewer', '@patchbay missing opensll group:"Linux servers"');
      expect(messageText(answer)).toMatch(/No package named `opensll` found.*openssl/s);
    });
  });

  describe('explaining', () => {
    beforeAll(async () => {
      await people.reset();
    });

    it.each([
      ['explain reboot web-01', /would reboot web-01.*the approver role.*Linux servers/s],
      ['explain patch web-01 severity:critical', /would install openssl on web-01.*the approver role/s],
      [
        `explain policy-remediate win-ts-01 ${DISABLE_SMB}`,
        /would remediate Disable SMBv1 \(policy 2103\) on win-ts-01/s,
      ],
      ['explain scan web-01', /needs no approval, so it would be sent right away/],
      ['explain devices', /only reads\. It changes nothing and needs no approval/],
    ])('/fleet %s changes nothing and asks nobody', async (text, words) => {
      expect(await says('viewer', text)).toMatch(words);
      expect(await people.writes()).toEqual([]);
      expect(await people.posts('approvals')).toEqual([]);
    });

    it('continues explaining from a picker', async () => {
      const picker = await people.says('operator', '@patchbay explain reboot dup-01');
      const answer = await people.presses('operator', { ...picker, channel: 'ops' }, 'pick:0');
      expect(messageText(answer)).toMatch(/would reboot dup-01.*Nothing was requested or sent/s);
      expect(await people.posts('approvals')).toEqual([]);
      expect(await people.writes()).toEqual([]);
    });

    it('is refused to the outsider', async () => {
      const answer = await people.runs('outsider', 'explain reboot web-01', 'random');
      expect(answer.text).toMatch(/^`\/fleet [\w-]+` needs the viewer role/);
    });
  });
});

/** Somebody changes the policy in the service's own console. */
async function rewrite(people: SandboxPeople): Promise<void> {
  const { management, organization } = await people.state();
  const url = `${management.baseUrl}/policies/2103?o=${organization.id}`;
  const headers = { authorization: `Bearer ${management.apiKey}`, 'content-type': 'application/json' };
  const policy = z.looseObject({}).parse(await (await fetch(url, { headers })).json());
  const changed = JSON.stringify({ ...policy, schedule_time: '03:00' });
  const answer = await fetch(url, { method: 'PUT', headers, body: changed });
  expect(answer.status).toBe(204);
}
