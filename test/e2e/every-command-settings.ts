/** Commands that change what Patchbay remembers: what comes of them shows in what it does from then on. */
import { until } from '../harness/until.ts';
import { asked, type Hand, type Line, type Row, type Rows, says, type Way } from './every-command-hand.ts';
import { actionsOf, wordsOf } from './town.ts';

const UNSUBSCRIBE = 'unsubscribe:';

/** The number that stands on a button, such as `unsubscribe:3`. */
function numberOn(actions: readonly string[], action: string): string {
  const found = actions.find((one) => one.startsWith(action));
  if (found === undefined) throw new Error(`no ${action} among ${actions.join(' ')}`);
  return found.slice(action.length);
}

/** A channel has each subscription once, so that asking again gives the same number. */
const subscribed = async (hand: Hand) => hand.town.asks('operator', 'subscribe here to new users');
const unsubscribing: Line = async (hand) =>
  `unsubscribe ${numberOn(actionsOf(await subscribed(hand)), UNSUBSCRIBE)}`;

const listing: Line = async (hand) => {
  await subscribed(hand);
  return 'subscriptions';
};

const ALERT: Readonly<Record<Way, string>> = { slash: 'build-03', mention: 'build-04', button: 'build-05' };
const SILENT: Readonly<Record<Way, string>> = { slash: 'app-05', mention: 'app-06', button: 'web-10' };
const POSTED: Readonly<Record<Way, string>> = { slash: 'mac-01', mention: 'mac-02', button: 'mac-03' };

const taking: Line = async (hand) => {
  const device = ALERT[hand.way];
  await hand.alertOf(device, `${device} is stuck`);
  const list = wordsOf(await hand.asks('alerts'));
  const [, id] = new RegExp(`⛔ \\*Patch failed on ${device}\\*.* · #(\\d+)`).exec(list) ?? [];
  return `acknowledge #${id}`;
};

const names: Readonly<Record<Way, string>> = { slash: 'one', mention: 'two', button: 'three' };
const named = (line: (name: string) => string) => ({
  slash: line(names.slash),
  mention: line(names.mention),
});

/** Everything stands still until it is ended, and nothing is sent meanwhile. */
const paused: Row['effect'] = async ({ town }) => {
  await town.card('approvals', ({ text }) => text.startsWith('⚠️ *All changes are paused*'));
  const before = await town.writes();
  const refused = await town.asks('operator', 'scan web-03');
  if (!refused.text.startsWith('All changes are paused')) throw new Error(refused.text);
  if ((await town.writes()).length > before.length) throw new Error('something was sent');
  await town.asks('admin', 'pause off');
  await until(async () =>
    (await town.posts('approvals')).every(({ text }) => !text.startsWith('⚠️ *All changes are paused*')),
  );
};

export const SETTINGS: Rows = {
  alerts: {
    who: 'viewer',
    slash: 'alerts',
    mention: 'alerts',
    button: (hand) => hand.tries('alerts'),
    answer: /^Alerts in the last 7 days: [1-9]\d* alert/,
    effect: says('web-01'),
    refused: { who: 'outsider', line: 'alerts' },
  },
  acknowledge: {
    who: 'operator',
    slash: taking,
    mention: taking,
    button: async (hand) => {
      const card = await hand.alertOf(ALERT.button, `${ALERT.button} is stuck`);
      return hand.town.presses('operator', card, 'acknowledge');
    },
    answer: /^You acknowledged the (build|web)-\d+ alert\.\n⛔ \*Patch failed on /,
    effect: async ({ town, way }) => {
      await town.card('patch-alerts', (card) =>
        [ALERT[way], 'Acknowledged by'].every((part) => wordsOf(card).includes(part)),
      );
    },
    refused: { who: 'viewer', line: 'acknowledge #1' },
  },
  subscribe: {
    who: 'operator',
    slash: 'subscribe here to patch failures',
    mention: 'subscribe here to patch failures',
    button: (hand) => hand.triesForm('subscribe', { events: ['patch-failed'] }),
    answer: /^Subscribed <#\w+> to \*Patch failed\*\./,
    effect: async (hand, answer) => {
      const device = POSTED[hand.way];
      await hand.alertOf(device, `for all on ${device}`);
      await hand.town.card('ops', (card) => wordsOf(card).includes(`for all on ${device}`));
      await hand.asks(`unsubscribe ${numberOn(actionsOf(answer), UNSUBSCRIBE)}`);
    },
    refused: { who: 'viewer', line: 'subscribe here to new devices' },
  },
  unsubscribe: {
    who: 'operator',
    slash: unsubscribing,
    mention: unsubscribing,
    button: async (hand) => {
      const answer = await subscribed(hand);
      return hand.presses(answer, `${UNSUBSCRIBE}${numberOn(actionsOf(answer), UNSUBSCRIBE)}`);
    },
    answer: /^Unsubscribed <#\w+> from \*User added\*\./,
    effect: async ({ asks }) => {
      const list = wordsOf(await asks('subscriptions'));
      if (list.includes('User added')) throw new Error(list);
    },
    refused: { who: 'viewer', line: unsubscribing },
  },
  subscriptions: {
    who: 'operator',
    slash: listing,
    mention: listing,
    button: async (hand) => {
      await subscribed(hand);
      return hand.tries('subscriptions');
    },
    answer: /^Alert subscriptions in .*: [1-9]\d* subscription/,
    effect: says('User added'),
    refused: { who: 'outsider', line: 'subscriptions' },
  },
  silence: {
    who: 'operator',
    slash: `silence device:${SILENT.slash} for 1h because quiet`,
    mention: `silence device:${SILENT.mention} for 1h because quiet`,
    button: async (hand) => {
      const card = await hand.alertOf(SILENT.button, 'loud');
      return hand.town.presses('operator', card, 'silence:device');
    },
    answer: /^Silenced until /,
    effect: async ({ town, way, asks }, answer) => {
      await town.world({ do: 'patch-fails', device: SILENT[way], reason: `kept on ${way}` });
      await town.advance('20s');
      await until(async () => wordsOf(await asks('subscriptions')).includes('1 held so far'), {
        what: 'an alert that is kept',
      });
      const posted = await town.posts('patch-alerts');
      if (posted.some((card) => wordsOf(card).includes(`kept on ${way}`))) throw new Error('it was posted');
      await asks(`silence off ${numberOn(actionsOf(answer), 'silence:off')}`);
    },
    refused: { who: 'viewer', line: `silence device:${SILENT.slash}` },
  },
  alias: {
    who: 'operator',
    ...named((name) => `alias ${name} = device web-01`),
    button: (hand) => hand.triesForm('alias', { name: names.button, line: 'device web-01' }),
    answer: /^Alias `(one|two|three)` saved\./,
    effect: async (hand) => {
      const ran = await hand.asks(names[hand.way]);
      if (!ran.text.startsWith('web-01: Online')) throw new Error(ran.text);
      await asked('GET /servers/4001')(hand, ran);
    },
    refused: { who: 'outsider', line: 'alias x = status' },
  },
  save: {
    who: 'operator',
    ...named((name) => `save ${name} = web os:linux`),
    button: (hand) => hand.triesForm('save', { name: names.button, line: 'web os:linux' }),
    answer: /^Target `(one|two|three)` saved\./,
    effect: async ({ way, asks }) => {
      const typed = await asks('devices web os:linux');
      const saved = await asks(`devices in:${names[way]}`);
      if (saved.text !== typed.text) throw new Error(saved.text);
    },
    refused: { who: 'outsider', line: 'save x = is:online' },
  },
  saved: {
    who: 'operator',
    slash: 'saved',
    mention: 'saved',
    button: (hand) => hand.tries('saved'),
    answer: /^Your saved targets/,
    effect: says('web os:linux'),
    refused: { who: 'outsider', line: 'saved' },
  },
  timezone: {
    who: 'viewer',
    slash: 'timezone berlin',
    mention: 'timezone tokyo',
    button: (hand) => hand.triesForm('timezone', { zone: 'new york' }),
    answer: /^Your time zone is now (Europe\/Berlin|Asia\/Tokyo|America\/New_York)\./,
    effect: async ({ way, asks }) => {
      const zone = { slash: 'Europe/Berlin', mention: 'Asia/Tokyo', button: 'America/New_York' }[way];
      const shown = await asks('timezone');
      if (!shown.text.startsWith(`Your time zone is ${zone}.`)) throw new Error(shown.text);
    },
    refused: { who: 'outsider', line: 'timezone UTC' },
  },
  pause: {
    who: 'admin',
    slash: 'pause because the data center moves',
    mention: 'pause because the data center moves',
    button: (hand) => hand.triesForm('pause', { reason: 'the data center moves' }),
    answer: /^⚠️ All changes are paused\.\n/,
    effect: paused,
    refused: { who: 'approver', line: 'pause because I say so' },
  },
};
