/** Fifty people press twice, all at once, while the configuration file changes: on both engines. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { personId } from '../../../src/lib/ids.ts';
import { openStore } from '../../../src/store/open.ts';
import { rulesFromFile } from '../../harness/rules-file.ts';
import { approveThroughWindow } from '../../harness/through-window.ts';
import { useStarted } from '../../harness/use-started.ts';
import { startPostgres } from '../../store/postgres.ts';
import { ORGANIZATION } from '../fleet-builders.ts';
import { createRequestsSetup, reboot } from '../requests-setup.ts';

const PEOPLE = Array.from({ length: 50 }, (_, at) => personId(`U0${at}`));
const asking = (approvals: number) => rulesFromFile(`rules: [{ name: all, approvals: ${approvals} }]`);

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  const postgres = engine === 'postgres' ? useStarted(startPostgres) : null;
  const around = async () => {
    if (postgres === null) return {};
    const database = { kind: 'postgres', url: await postgres.createDatabase() } as const;
    const store = await openStore({ database, organizationId: ORGANIZATION });
    onTestFinished(store.close);
    return { around: () => store };
  };

  it.each([
    ['of ten is complete with exactly ten of them', [10, 10]],
    ['that is raised meanwhile is complete with no fewer than the old one asked for', [3, 6]],
    ['that is lowered meanwhile runs by a press, once', [6, 3]],
  ] as const)('a quorum %s', async (_, [before, after]) => {
    let inForce = asking(before);
    const line = await createRequestsSetup({
      ...(await around()),
      rulesInForce: () => inForce,
      readMemberships: async (_person, groups) => ({ in: [], out: groups }),
    });
    const [device] = line.fleet.addDevices(1);
    const request = await line.ask(reboot, device === undefined ? [] : [device]);
    const replica = { store: line.store, requests: line.replica() };
    const presses = [...PEOPLE, ...PEOPLE].map((person, at) =>
      approveThroughWindow(at % 2 === 0 ? line : replica, {
        requestId: request.id,
        seal: request.seal ?? '',
        person,
        role: 'approver',
      }),
    );
    inForce = asking(after);
    const judged = line.requests.judgeWaiting();
    const decided = (await Promise.all(presses)).filter(({ kind }) => kind === 'decided');
    await judged;
    const { state, rules } = await line.requestNow(request);
    expect(state).toBe('approved');
    expect(new Set(rules.approvals.map(({ by }) => by)).size).toBe(rules.approvals.length);
    expect(rules.approvals).toHaveLength(decided.length);
    expect(decided.length).toBeGreaterThanOrEqual(Math.min(before, after));
    expect(decided.length).toBeLessThanOrEqual(Math.max(before, after));
    await line.settle();
    expect(line.world.posts).toEqual([reboot]);
  });
});
