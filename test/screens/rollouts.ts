/** Many devices in one request: what is asked, how it goes, and what came of it. */
import { messageText, type PostedCard, type SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { until } from '../harness/until.ts';
import { APPROVALS, OPS, opened, type Place, requested, type Screen } from './screen.ts';

const PATCH = 'patch group:"Linux servers" severity:critical waves:1,25%,100% brake:2 because CVE-2026-1234';
const SEEN: Place = { user: 'approver', at: APPROVALS };

const waiting = (people: SandboxPeople) => requested(people, PATCH, '28 devices');

/** Moves the clock until the card has these words. */
async function shows(people: SandboxPeople, card: PostedCard, words: string): Promise<PostedCard> {
  const look = () => people.card(card.channel, ({ ts }) => ts === card.ts);
  for (let steps = 0; steps < 40 && !messageText(await look()).includes(words); steps += 1)
    await people.advance('20s');
  return until(
    async () => {
      const now = await look();
      return messageText(now).includes(words) && now;
    },
    { what: words, timeoutMs: 20_000 },
  );
}

async function approveForm(people: SandboxPeople): Promise<Place> {
  const card = await waiting(people);
  await people.opens('approver', card, 'approve');
  return { ...(await opened(people, 'approver')), at: APPROVALS };
}

/** Approved with the number of devices. */
async function running(people: SandboxPeople): Promise<PostedCard> {
  const card = await waiting(people);
  await people.push('approver', card, 'approve');
  return shows(people, card, 'Wave 1 of 3');
}

async function held(people: SandboxPeople): Promise<Place> {
  const two = 'waves:1,100%';
  const lines = [
    ['reboot web-01,web-02', two, 'web-01'],
    ['reboot app-02,app-03', `${two} gate:manual`, 'app-02'],
    ['reboot build-02,app-04', two, 'build-02'],
  ] as const;
  const cards: PostedCard[] = [];
  for (const [what, plan, name] of lines) {
    const card = await requested(people, `${what} ${plan} because kernel update`, name);
    await people.push('approver', card, 'approve');
    cards.push(await shows(people, card, 'Wave 1 of 2'));
  }
  const [paused, gate, stopped] = cards;
  if (paused === undefined || gate === undefined || stopped === undefined) throw new Error('no cards');
  await people.push('approver', paused, 'control:pause');
  await people.push('approver', stopped, 'control:stop');
  await shows(people, gate, 'Continue');
  return SEEN;
}

async function braked(people: SandboxPeople): Promise<PostedCard> {
  for (const device of ['web-02', 'app-02']) await people.world({ do: 'installs-fail', device });
  const card = await running(people);
  return shows(people, card, 'Stopped automatically');
}

async function ended(people: SandboxPeople): Promise<PostedCard> {
  const card = await braked(people);
  await people.push('approver2', card, 'control:resume');
  await shows(people, card, '4 queued');
  for (const device of ['app-01', 'web-05', 'web-06', 'app-08'])
    await people.world({ do: 'device-online', device });
  return shows(people, card, 'Partly verified');
}

const seen = (draw: (people: SandboxPeople) => Promise<PostedCard>) => async (people: SandboxPeople) => {
  await draw(people);
  return SEEN;
};

async function results(people: SandboxPeople): Promise<Place> {
  await people.presses('operator', await braked(people), 'results');
  return { user: 'operator', at: APPROVALS };
}

async function atHome(people: SandboxPeople): Promise<Place> {
  await braked(people);
  return { user: 'operator', at: 'home' };
}

async function list(people: SandboxPeople): Promise<Place> {
  await ended(people);
  await requested(people, 'reboot web-01,web-02 waves:1,100% because kernel update', 'web-01');
  await people.runs('operator', 'rollouts');
  return { user: 'operator', at: OPS };
}

async function toldOfEnd(people: SandboxPeople): Promise<Place> {
  await ended(people);
  return { user: 'operator', at: 'messages' };
}

async function explained(people: SandboxPeople): Promise<Place> {
  await people.runs('operator', `explain ${PATCH}`);
  return { user: 'operator', at: OPS };
}

export const ROLLOUTS: readonly Screen[] = [
  { name: 'rollout-waiting', draw: seen(waiting) },
  { name: 'rollout-form', draw: approveForm },
  { name: 'rollout-running', draw: seen(running) },
  { name: 'rollouts-held', draw: held },
  { name: 'rollout-braked', draw: seen(braked) },
  { name: 'rollout-ended', draw: seen(ended) },
  { name: 'rollout-results', draw: results },
  { name: 'rollout-home', draw: atHome },
  { name: 'rollouts-list', draw: list },
  { name: 'rollout-message', draw: toldOfEnd },
  { name: 'rollout-explain', draw: explained },
];
