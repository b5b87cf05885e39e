/** Several requests of one person that expire together are one direct message, which grows as more of them expire. */
import { expect, it } from 'vitest';
import { MINUTE } from '../../src/lib/clock.ts';
import { cardKey, personId, requestCardKey } from '../../src/lib/ids.ts';
import { cardContent } from '../../src/slack/cards/card-content.ts';
import type { RequestRecord } from '../../src/store/port/request-records.ts';
import { brokenRules } from '../views/slack-message-rules.ts';
import { ALICE, createRequestsSetup } from './requests-setup.ts';

const LIMITS = { maxWaiting: 500, reasonFrom: 1_000 };

async function asked(count: number, everyMs: number) {
  const line = await createRequestsSetup({ limits: LIMITS });
  const [spare, ...devices] = line.fleet.addDevices(count);
  const requests: RequestRecord[] = [];
  for (const device of devices) {
    requests.push(await line.ask({ kind: 'reboot' }, [device]));
    await line.pass(everyMs);
  }
  const messageAbout = (request: RequestRecord) => {
    const around = { linkTo: async () => null, groupOf: () => null, personal: false, clock: line.clock };
    return cardContent(line.store, cardKey('told', requestCardKey(request)), around);
  };
  /** The requests after which a message is named. */
  const told = async () => {
    const cards = requests.map((request) => line.store.cards.get(cardKey('told', requestCardKey(request))));
    const found = await Promise.all(cards);
    return requests.filter((_, at) => found[at] !== null);
  };
  return { ...line, requestService: line.requests, spare, requests, told, messageAbout };
}
type Scene = Awaited<ReturnType<typeof asked>>;
const firstIn = ([first]: readonly RequestRecord[]): RequestRecord => {
  if (first === undefined) throw new Error('none');
  return first;
};
const wordsOf = async ({ messageAbout }: Scene, request: RequestRecord) =>
  (await messageAbout(request))?.text;

it('twelve that expire in one go are one message, each with its button', async () => {
  const scene = await asked(12, 1_000);
  await scene.pass(31 * MINUTE);
  const { requests } = scene;
  expect(await scene.told()).toEqual(requests.slice(0, 1));
  const message = await scene.messageAbout(firstIn(requests));
  expect(message?.text).toMatch(/^▫️ \*12 of your requests expired\.\* Nobody decided them in time\./);
  const blocks = JSON.stringify(message?.blocks);
  for (const { id } of requests) expect(blocks).toContain(`\\"again\\",\\"operation\\":\\"${id}\\"`);
  expect(message?.metadata?.event_payload).toMatchObject({ state: 'expired' });
  const card = await scene.store.cards.get(cardKey('told', requestCardKey(firstIn(requests))));
  expect(card).toMatchObject({ wantedRevision: 12, shownRevision: 0, channel: ALICE });
});

it('those that expire more than five minutes later are another message, and one alone reads as before', async () => {
  const scene = await asked(4, 2 * MINUTE);
  await scene.pass(40 * MINUTE);
  const [first, , , last] = scene.requests;
  if (first === undefined || last === undefined) throw new Error('too few');
  expect(await scene.told()).toEqual([first, last]);
  expect(await wordsOf(scene, first)).toContain('*3 of your requests expired.*');
  expect(await wordsOf(scene, last)).toMatch(/^▫️ Expired\. Your request: Reboot /);
});

it('two at once, on two replicas, are one message, and those of somebody else their own', async () => {
  const scene = await asked(2, 0);
  const order = {
    ...(await scene.order({ kind: 'reboot' }, scene.spare === undefined ? [] : [scene.spare])),
    requester: personId('U_CAROL'),
  };
  const theirs = await scene.requestService.record(order);
  if (theirs.kind !== 'recorded') throw new Error('not recorded');
  await scene.clock.advance(30 * MINUTE);
  const other = scene.replica();
  const [one, two] = scene.requests;
  if (one === undefined || two === undefined) throw new Error('too few');
  await Promise.all([other.expire(one.id), other.expire(two.id), other.expire(theirs.request.id)]);
  expect(await scene.told()).toHaveLength(1);
  const card = await scene.store.cards.get(cardKey('told', requestCardKey(theirs.request)));
  expect(card?.channel).toBe('U_CAROL');
});

it('as many as one person may have waiting stay within Slack’s limits, with a mark of what was cut', async () => {
  const scene = await asked(60, 0);
  await scene.pass(31 * MINUTE);
  const message = await scene.messageAbout(firstIn(await scene.told()));
  if (message === null) throw new Error('no message');
  expect(brokenRules(message)).toEqual([]);
  expect(JSON.stringify(message.blocks)).toMatch(/60 of your requests expired.*And 40 more\./);
});
