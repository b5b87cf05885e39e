/** Several requests of one person that expire together are one direct message, which grows as more of them expire. */
import { expect, it } from 'vitest';
import { MINUTE } from '../../src/lib/clock.ts';
import { cardKey, requestCardKey } from '../../src/lib/ids.ts';
import { cardContent } from '../../src/slack/cards/card-content.ts';
import type { RequestRecord } from '../../src/store/port/request-records.ts';
import { brokenRules } from '../views/slack-message-rules.ts';
import { createRequestsSetup } from './requests-setup.ts';

const LIMITS = { maxWaiting: 500, reasonFrom: 1_000 };

async function asked(count: number, everyMs: number) {
  const line = await createRequestsSetup({ limits: LIMITS });
  const devices = line.fleet.addDevices(count).slice(1);
  const requests: RequestRecord[] = [];
  for (const device of devices) {
    requests.push(await line.ask({ kind: 'reboot' }, [device]));
    await line.pass(everyMs);
  }
  const messageAbout = async (request: RequestRecord | undefined) => {
    if (request === undefined) throw new Error('too few');
    const around = { linkTo: async () => null, groupOf: () => null, personal: false, clock: line.clock };
    return cardContent(line.store, cardKey('told', requestCardKey(request)), around);
  };
  /** The requests after which a message is named. */
  const told = async () => {
    const cards = requests.map((request) => line.store.cards.get(cardKey('told', requestCardKey(request))));
    const found = await Promise.all(cards);
    return requests.filter((_, at) => found[at] !== null);
  };
  return { ...line, requests, told, messageAbout };
}
it('twelve that expire in one go are one message, each with its button', async () => {
  const scene = await asked(12, 1_000);
  await scene.pass(31 * MINUTE);
  const { requests } = scene;
  expect(await scene.told()).toEqual(requests.slice(0, 1));
  const [first] = requests;
  const message = await scene.messageAbout(first);
  expect(message?.text).toMatch(/^▫️ \*12 of your requests expired\.\* Nobody decided them in time\./);
  const blocks = JSON.stringify(message?.blocks);
  for (const { id } of requests) expect(blocks).toContain(`\\"again\\":{\\"request\\":\\"${id}\\"`);
  expect(message?.metadata?.event_payload).toMatchObject({ state: 'expired' });
});

it('those that expire more than five minutes later are another message, and one alone reads as before', async () => {
  const scene = await asked(4, 2 * MINUTE);
  await scene.pass(40 * MINUTE);
  const [first, , , last] = scene.requests;
  expect(await scene.told()).toEqual([first, last]);
  expect((await scene.messageAbout(first))?.text).toContain('*3 of your requests expired.*');
  expect((await scene.messageAbout(last))?.text).toMatch(/^▫️ Expired\. Your request: Reboot /);
});

it('two at once, on another replica, are one message', async () => {
  const scene = await asked(2, 0);
  await scene.clock.advance(30 * MINUTE);
  const { expire } = scene.replica();
  await Promise.all(scene.requests.map(({ id }) => expire(id)));
  expect(await scene.told()).toHaveLength(1);
});

it('as many as one person may have waiting stay within Slack’s limits, with a mark of what was cut', async () => {
  const scene = await asked(60, 0);
  await scene.pass(31 * MINUTE);
  const message = await scene.messageAbout(scene.requests[0]);
  if (message === null) throw new Error('no message');
  expect(brokenRules(message)).toEqual([]);
  expect(JSON.stringify(message.blocks)).toMatch(/60 of your requests expired.*And 40 more\./);
});
