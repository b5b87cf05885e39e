import { expect, it } from 'vitest';
import { leftOutRows } from '../../../src/views/requests/left-out.ts';

const without = (name: string) => ({ name, problem: { kind: 'none-missing', deviceName: name } as const });

it('states a reason once for all devices that share it', () => {
  const names = Array.from({ length: 10 }, (_, at) => `web-${at}`);
  expect(leftOutRows(names.map(without))).toEqual([
    'Not missing these packages (10): web-0, web-1, web-2, web-3, web-4, web-5, web-6, web-7 and 2 more',
  ]);
});

it('says of a single device, and where reasons differ, what is wrong with each', () => {
  const gone = { name: '#7', problem: { kind: 'device-gone', query: '#7' } as const };
  const all = [gone, without('web-1'), { ...gone, name: '#8' }];
  expect(leftOutRows(all).map((row) => row.split(':')[0])).toEqual(['*#7*', '*#8*', '*web-1*']);
});
