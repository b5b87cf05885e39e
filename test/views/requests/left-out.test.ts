import { expect, it } from 'vitest';
import { policyId } from '../../../src/lib/ids.ts';
import { leftOutRows } from '../../../src/views/requests/request-answers.ts';

const without = (name: string) => ({ name, problem: { kind: 'none-missing', deviceName: name } as const });

it('states a reason once for all devices that share it', () => {
  const names = Array.from({ length: 10 }, (_, at) => `web-${at}`);
  expect(leftOutRows(names.map(without))).toEqual([
    'Not missing these packages (10): web-0, web-1, web-2, web-3, web-4, web-5, web-6, web-7 and 2 more',
  ]);
});

it('states once that no package of a severity is missing, and that a policy doesn’t apply', () => {
  const policy = { id: policyId(12), name: 'Kiosk mode', type: 'custom' };
  const all = ['web-1', 'web-2'].flatMap((name) => [
    { name, problem: { kind: 'none-missing', deviceName: name, severities: ['critical'] } as const },
    {
      name,
      problem: {
        ...({ kind: 'policy-not-for', why: 'device', action: 'test', deviceName: name, others: [] } as const),
        policy,
      },
    },
  ]);
  expect(leftOutRows(all)).toEqual([
    'No critical packages missing (2): web-1, web-2',
    'The policy doesn’t apply (2): web-1, web-2',
  ]);
});

it('says of a single device, and where reasons differ, what is wrong with each', () => {
  const unsendable = (name: string) =>
    ({ name, problem: { kind: 'unsendable-package', name: `${name}"` } }) as const;
  const all = [unsendable('web-7'), without('web-1'), unsendable('web-8')];
  expect(leftOutRows(all).map((row) => row.split(':')[0])).toEqual(['*web-7*', '*web-8*', '*web-1*']);
});

it('counts the devices of each reason, the most common first', () => {
  const gone = (id: number) => ({
    name: `#${id}`,
    problem: { kind: 'device-gone', query: `#${id}` } as const,
  });
  const alike = ['web-1', 'web-2'].map((name) => ({ name, problem: { kind: 'already-so', name } as const }));
  const unknown = (name: string) => ({ name, problem: { kind: 'unknown-fit', deviceName: name } as const });
  const unclear = ['db-1', 'db-2', 'db-3', 'db-4'].map(unknown);
  expect(leftOutRows([...alike, gone(7), gone(8), gone(9), ...unclear])).toEqual([
    'Unknown whether they match the filters (4): db-1, db-2, db-3, db-4',
    'No longer in the fleet (3): #7, #8, #9',
    'Already have these values (2): web-1, web-2',
  ]);
  expect(leftOutRows([unknown('db-1')])).toEqual(['*db-1*: Unknown whether db-1 matches the filters.']);
});
