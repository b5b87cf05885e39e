import { describe, expect, it } from 'vitest';
import { mentionsIn, wordsIn } from '../../../src/commands/targets/device-mentions.ts';
import { formFleetPorts } from '../forms/form-harness.ts';

const devicesMentioned = async (...given: Parameters<typeof mentionsIn>) => [
  ...(await mentionsIn(...given)).devices.keys(),
];

describe('the devices that a text mentions', () => {
  it('are found by name and number, whatever surrounds these', async () => {
    const texts = ['Is *WEB-01*, or <@U123ABC> (#2), slow?', '`Front-desk`'];
    expect(await devicesMentioned(texts, formFleetPorts)).toEqual([1, 2, 4]);
  });

  it('are all that have a name', async () => {
    expect(await devicesMentioned(['dup'], formFleetPorts)).toEqual([3, 4]);
  });

  it('are not those with such a user, nor numbers without their mark', async () => {
    expect(await devicesMentioned(['kiosk 1 2'], formFleetPorts)).toEqual([]);
  });

  it('match each word exactly, not near misses', async () => {
    const asked: unknown[] = [];
    const find: typeof formFleetPorts.inventory.find = async (word, options) => {
      asked.push([word, options?.exact]);
      return formFleetPorts.inventory.find(word, options);
    };
    const inventory = { ...formFleetPorts.inventory, find };
    expect(await devicesMentioned(['web-03 web-01'], { inventory })).toEqual([1]);
    expect(asked).toEqual([
      ['web-03', true],
      ['web-01', true],
    ]);
  });

  it('are looked for among so many words only', () => {
    expect(wordsIn([Array.from({ length: 10_000 }, (_, at) => `w${at}`).join(' ')])).toHaveLength(200);
  });
});
