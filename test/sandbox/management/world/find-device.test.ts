import { expect, test } from 'vitest';
import { instant } from '../../../../src/lib/clock.ts';
import {
  createDeviceTable,
  searchDevicesByName,
  seedWorld,
} from '../../../../src/sandbox/management/world/world.ts';

const { devices } = seedWorld({ devices: 240 }, instant(1_800_000_000_000));

test('devices are found by a part of their name in whatever case', () => {
  const found = searchDevicesByName(devices, 'WEB-0', 20).map(({ value }) => value);
  expect(found).toEqual(expect.arrayContaining(['web-01', 'web-02']));
  expect(found.every((name) => name.startsWith('web-0'))).toBe(true);
});

test('of several with one name each is named by its id', () => {
  const found = searchDevicesByName(devices, 'dup-01', 20);
  expect(found).toHaveLength(2);
  for (const { value, label } of found) expect(label).toBe(`dup-01 · #${value}`);
});

test('at most the requested number is listed, and none where none matches', () => {
  expect(searchDevicesByName(devices, '', 5)).toHaveLength(5);
  expect(searchDevicesByName(devices, 'no such device', 5)).toEqual([]);
  expect(searchDevicesByName(createDeviceTable([]), '', 5)).toEqual([]);
});
