/** The configuration file while Patchbay runs: changed, broken, half written, swapped. */
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { createConfigurationInForce } from '../src/configuration-in-force.ts';
import { createManualClock, HOUR, instant } from '../src/lib/clock.ts';
import { silentLog } from '../src/lib/log.ts';
import { FILE_HEAD } from './harness/rules-file.ts';
import { until } from './harness/until.ts';

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const VARIABLES = {
  FLEET_BASE_URL: 'https://fleet.example.com/api',
  FLEET_API_KEY: 'key',
  FLEET_ORGANIZATION: '1',
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
};
const TWO = `${FILE_HEAD}rules: [{ name: two, approvals: 2 }]\n`;

/** A product's view of a file that a test may change. It looks by itself only where `everyMs` is given. */
async function inForceOf(text: string, everyMs = HOUR) {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-in-force-'));
  const path = join(folder, 'patchbay.yml');
  const write = (other: string) => writeFile(path, other);
  await write(text);
  const read = readConfig({ ...VARIABLES, PATCHBAY_CONFIG: path });
  if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
  const recorded: (readonly string[])[] = [];
  const followers = { fails: false, judgingFails: false, judged: 0 };
  const clock = createManualClock(instant(1_790_000_000_000));
  const inForce = createConfigurationInForce({ config: read.config, clock, log: silentLog, everyMs });
  inForce.start({
    async record(changes) {
      if (followers.fails) throw new Error('the database is away');
      recorded.push(changes);
    },
    async judgeWaiting() {
      followers.judged += 1;
      if (followers.judgingFails) throw new Error('the database is away');
    },
  });
  ended.push(inForce.stop, () => rm(folder, { recursive: true }));
  return { inForce, folder, path, write, recorded, followers };
}

function approvalsOf({
  config,
}: ReturnType<typeof createConfigurationInForce>): readonly (number | undefined)[] {
  return config.configuration.approvalRules.rules.map(({ effect }) =>
    effect.do === 'ask' ? effect.asking.quorums[0]?.count : undefined,
  );
}

describe('a changed configuration file', () => {
  it('is in force at once when it is asked for: rules, roles and limits, for whoever holds the settings', async () => {
    const { inForce, write, recorded, followers } = await inForceOf(TWO);
    const { configuration } = inForce.config;
    const before = inForce.rules().digest;
    await write(
      `${TWO.replace('approvals: 2', 'approvals: 3').replace('[U0ADMIN]', '[U0ADMIN, U0NEW]')}rollouts: {maxDevices: 7}\n`,
    );
    expect(await inForce.reload()).toEqual([]);
    expect(approvalsOf(inForce)).toEqual([3]);
    expect(configuration.roles.admin.people).toEqual(['U0ADMIN', 'U0NEW']);
    expect(configuration.rollouts.maxDevices).toBe(7);
    expect(inForce.rules().digest).not.toBe(before);
    expect(recorded).toEqual([
      [
        'roles.admin: ["U0ADMIN"] → ["U0ADMIN","U0NEW"]',
        'rules.two.approvals: 2 → 3',
        'rollouts: absent → {"maxDevices":7}',
      ],
    ]);
    // At the start, too: the file may have changed before.
    expect(followers.judged).toBe(2);
  });

  it('keeps what only a start takes, and says so', async () => {
    const { inForce, write, recorded } = await inForceOf(TWO);
    await write(TWO.replace('approvals: C01', 'approvals: C09'));
    expect(await inForce.reload()).toEqual([]);
    expect(inForce.config.configuration.channels.approvals).toBe('C01');
    expect(recorded).toEqual([['channels.approvals: "C01" → "C09" (at the next start)']]);
  });

  it('is found without being asked for, once it has read the same twice', async () => {
    const { inForce, write } = await inForceOf(TWO, 20);
    await write(TWO.replace('approvals: 2', 'approvals: 3'));
    await until(() => approvalsOf(inForce)[0] === 3);
  });

  it('is found behind a link that is swapped, as a ConfigMap does', async () => {
    const { inForce, folder, path } = await inForceOf(TWO, 20);
    const other = join(folder, 'other.yml');
    await writeFile(other, TWO.replace('approvals: 2', 'approvals: 4'));
    await symlink(other, `${path}.next`);
    await rename(`${path}.next`, path);
    await until(() => approvalsOf(inForce)[0] === 4);
  });

  it('is not taken where it reads differently each time, such as one that is being written', async () => {
    const { inForce, write } = await inForceOf(TWO, 20);
    for (let length = FILE_HEAD.length; length < TWO.length; length += 1) {
      await write(TWO.slice(0, length));
      await write(TWO);
    }
    expect(await inForce.reload()).toEqual([]);
    expect(approvalsOf(inForce)).toEqual([2]);
  });

  it('is not in force before its line is in the audit, and is tried again', async () => {
    const { inForce, write, followers, recorded } = await inForceOf(TWO);
    followers.fails = true;
    await write(TWO.replace('approvals: 2', 'approvals: 1'));
    await expect(inForce.reload()).rejects.toThrow('the database is away');
    expect(approvalsOf(inForce)).toEqual([2]);
    followers.fails = false;
    expect(await inForce.reload()).toEqual([]);
    expect([approvalsOf(inForce), recorded.length]).toEqual([[1], 1]);
  });
});

it('what waits is judged again until that worked', async () => {
  const { inForce, write, followers } = await inForceOf(TWO);
  followers.judgingFails = true;
  await write(TWO.replace('approvals: 2', 'approvals: 1'));
  await inForce.reload();
  await until(() => followers.judged === 2);
  followers.judgingFails = false;
  await inForce.reload();
  await until(() => followers.judged === 3);
  await inForce.reload();
  expect(followers.judged).toBe(3);
});

describe('a file that changes nothing', () => {
  it.each([
    ['an empty one', '', 'line 1, column 1: roles is missing'],
    ['half of one', TWO.slice(0, TWO.indexOf('channels')), 'channels is missing'],
    ['one that is no YAML', `${TWO}tests: [`, 'line 7, column 9: not valid YAML near `tests`'],
    ['an unknown key', `${TWO}otherwize: {}`, 'did you mean otherwise?'],
    [
      'a rule whose devices nobody understands',
      `${FILE_HEAD}rules: [{ name: lab, when: { devices: "user:kim" } }]`,
      'rule lab: user: doesn’t apply here',
    ],
    [
      'one whose test fails',
      `${TWO}tests: [{ command: reboot, expect: run }]`,
      'the test of reboot expects run, and the rules say [two]',
    ],
    ['roles that leave nobody to approve', TWO.replaceAll(/ {2}a.*\n/g, ''), 'nobody can approve'],
  ])('%s is refused with its place, and the one before stays in force', async (_, text, fault) => {
    const { inForce, write, recorded, followers } = await inForceOf(TWO);
    await write(text);
    expect((await inForce.reload()).join('\n')).toContain(fault);
    expect(inForce.refused()?.faults.join('\n')).toContain(fault);
    expect([approvalsOf(inForce), recorded, followers.judged]).toEqual([[2], [], 1]);
    await write(TWO);
    expect(await inForce.reload()).toEqual([]);
    expect(inForce.refused()).toBeNull();
  });

  it('one that is gone is refused, and is in force again when it is back', async () => {
    const { inForce, path, write } = await inForceOf(TWO);
    await rm(path);
    expect(await inForce.reload()).toEqual([`${path} can't be read`]);
    expect(approvalsOf(inForce)).toEqual([2]);
    await write(TWO);
    await inForce.reload();
    expect(inForce.refused()).toBeNull();
  });

  it('one that only reads differently has no more to say', async () => {
    const { inForce, write } = await inForceOf(TWO);
    const { digest } = inForce.rules();
    await write(`# who decides\n${TWO}`);
    expect(await inForce.reload()).toEqual([]);
    expect(inForce.rules().digest).toBe(digest);
  });
});
