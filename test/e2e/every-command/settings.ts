/** Commands that change what Patchbay remembers: their effect shows in its later behavior. */
import { until } from '../../harness/until.ts';
import { actionIdsOf, messageText } from '../harness/sandbox-people.ts';
import {
  type CommandHarness,
  type CommandLine,
  type CommandRow,
  type CommandRows,
  type InputWay,
  recordedCalls,
  showsText,
} from './command-harness.ts';

const UNSUBSCRIBE = 'unsubscribe:';

/** The number in a button's action id, such as `unsubscribe:3`. */
function numberOn(actions: readonly string[], action: string): string {
  const found = actions.find((one) => one.startsWith(action));
  if (found === undefined) throw new Error(`no ${action} among ${actions.join(' ')}`);
  return found.slice(action.length);
}

/** A channel has each subscription once, so subscribing again returns the same number. */
const subscribed = async (harness: CommandHarness) =>
  harness.people.runs('operator', 'subscribe here to new users');
const unsubscribing: CommandLine = async (harness) =>
  `unsubscribe ${numberOn(actionIdsOf(await subscribed(harness)), UNSUBSCRIBE)}`;

const listing: CommandLine = async (harness) => {
  await subscribed(harness);
  return 'subscriptions';
};

const ALERT: Readonly<Record<InputWay, string>> = {
  slash: 'build-03',
  mention: 'build-04',
  button: 'build-05',
};
const SILENT: Readonly<Record<InputWay, string>> = { slash: 'app-05', mention: 'app-06', button: 'web-10' };
const POSTED: Readonly<Record<InputWay, string>> = { slash: 'mac-01', mention: 'mac-02', button: 'mac-03' };

const acknowledging: CommandLine = async (harness) => {
  const device = ALERT[harness.way];
  await harness.alertOf(device, `${device} is stuck`);
  const list = messageText(await harness.runs('alerts'));
  const [, id] = new RegExp(`⛔ \\*Patch failed on ${device}\\*.* · alert (\\d+)`).exec(list) ?? [];
  return `acknowledge ${id}`;
};

const namedLineRows: Readonly<Record<InputWay, string>> = { slash: 'one', mention: 'two', button: 'three' };
const namedLine = (line: (name: string) => string) => ({
  slash: line(namedLineRows.slash),
  mention: line(namedLineRows.mention),
});

/** All changes are paused until the pause ends, and nothing is sent meanwhile. */
const paused: CommandRow['effect'] = async ({ people }) => {
  await people.card('approvals', ({ text }) => text.startsWith('⚠️ *All changes are paused*'));
  const before = await people.writes();
  const refused = await people.runs('operator', 'scan web-03');
  if (!refused.text.startsWith('All changes are paused')) throw new Error(refused.text);
  if ((await people.writes()).length > before.length) throw new Error('something was sent');
  await people.runs('admin', 'pause off');
  await until(async () =>
    (await people.posts('approvals')).every(({ text }) => !text.startsWith('⚠️ *All changes are paused*')),
  );
};

export const SETTING_ROWS: CommandRows = {
  alerts: {
    who: 'viewer',
    slash: 'alerts',
    mention: 'alerts',
    button: (harness) => harness.tries('alerts'),
    answer: /^Alerts in the last 7 days: [1-9]\d* alert/,
    effect: showsText('web-01'),
    refused: { who: 'outsider', line: 'alerts' },
  },
  acknowledge: {
    who: 'operator',
    slash: acknowledging,
    mention: acknowledging,
    button: async (harness) => {
      const card = await harness.alertOf(ALERT.button, `${ALERT.button} is stuck`);
      return harness.people.presses('operator', card, 'acknowledge');
    },
    answer: /^You acknowledged the (build|web)-\d+ alert \(patch failure: /,
    effect: async ({ people, way }) => {
      await people.card('patch-alerts', (card) =>
        [ALERT[way], 'Acknowledged by'].every((part) => messageText(card).includes(part)),
      );
    },
    refused: { who: 'viewer', line: 'acknowledge #1' },
  },
  subscribe: {
    who: 'operator',
    slash: 'subscribe here to patch failures',
    mention: 'subscribe here to patch failures',
    button: (harness) => harness.triesForm('subscribe', { events: ['patch-failed'] }),
    answer: /^Subscribed <#\w+> to \*Patch failed\*\./,
    effect: async (harness, answer) => {
      const device = POSTED[harness.way];
      await harness.alertOf(device, `for all on ${device}`);
      await harness.people.card('ops', (card) => messageText(card).includes(`for all on ${device}`));
      await harness.runs(`unsubscribe ${numberOn(actionIdsOf(answer), UNSUBSCRIBE)}`);
    },
    refused: { who: 'viewer', line: 'subscribe here to new devices' },
  },
  unsubscribe: {
    who: 'operator',
    slash: unsubscribing,
    mention: unsubscribing,
    button: async (harness) => {
      const answer = await subscribed(harness);
      return harness.presses(answer, `${UNSUBSCRIBE}${numberOn(actionIdsOf(answer), UNSUBSCRIBE)}`);
    },
    answer: /^Unsubscribed <#\w+> from \*User added\*\./,
    effect: async ({ runs }) => {
      const list = messageText(await runs('subscriptions'));
      if (list.includes('User added')) throw new Error(list);
    },
    refused: { who: 'viewer', line: unsubscribing },
  },
  subscriptions: {
    who: 'operator',
    slash: listing,
    mention: listing,
    button: async (harness) => {
      await subscribed(harness);
      return harness.tries('subscriptions');
    },
    answer: /^Alert subscriptions in .*: [1-9]\d* subscription/,
    effect: showsText('User added'),
    refused: { who: 'outsider', line: 'subscriptions' },
  },
  silence: {
    who: 'operator',
    slash: `silence device:${SILENT.slash} for 1h because quiet`,
    mention: `silence device:${SILENT.mention} for 1h because quiet`,
    button: async (harness) => {
      const card = await harness.alertOf(SILENT.button, 'loud');
      return harness.people.presses('operator', card, 'silence:device');
    },
    answer: /^⏳ \*Alerts silenced until /,
    effect: async ({ people, way, runs }, answer) => {
      await people.world({ do: 'patch-fails', device: SILENT[way], reason: `kept on ${way}` });
      await people.advance('20s');
      await until(async () => messageText(await runs('subscriptions')).includes('1 held so far'), {
        what: 'an alert that is kept',
      });
      const posted = await people.posts('patch-alerts');
      if (posted.some((card) => messageText(card).includes(`kept on ${way}`)))
        throw new Error('it was posted');
      await runs(`silence off ${numberOn(actionIdsOf(answer), 'silence:off')}`);
    },
    refused: { who: 'viewer', line: `silence device:${SILENT.slash}` },
  },
  alias: {
    who: 'operator',
    ...namedLine((name) => `alias ${name} = device web-01`),
    button: (harness) => harness.triesForm('alias', { name: namedLineRows.button, line: 'device web-01' }),
    answer: /^Alias `(one|two|three)` saved\./,
    effect: async (harness) => {
      const ran = await harness.runs(namedLineRows[harness.way]);
      if (!ran.text.startsWith('web-01: Online')) throw new Error(ran.text);
      await recordedCalls('GET /servers/4001')(harness, ran);
    },
    refused: { who: 'outsider', line: 'alias x = status' },
  },
  save: {
    who: 'operator',
    ...namedLine((name) => `save ${name} = web os:linux`),
    button: (harness) => harness.triesForm('save', { name: namedLineRows.button, line: 'web os:linux' }),
    answer: /^Target `(one|two|three)` saved\./,
    effect: async ({ way, runs }) => {
      const typed = await runs('devices web os:linux');
      const saved = await runs(`devices in:${namedLineRows[way]}`);
      if (saved.text !== typed.text) throw new Error(saved.text);
    },
    refused: { who: 'outsider', line: 'save x = is:online' },
  },
  saved: {
    who: 'operator',
    slash: 'saved',
    mention: 'saved',
    button: (harness) => harness.tries('saved'),
    answer: /^Your saved targets/,
    effect: showsText('web os:linux'),
    refused: { who: 'outsider', line: 'saved' },
  },
  timezone: {
    who: 'viewer',
    slash: 'timezone berlin',
    mention: 'timezone tokyo',
    button: (harness) => harness.triesForm('timezone', { zone: 'new york' }),
    answer: /^Your time zone is now (Europe\/Berlin|Asia\/Tokyo|America\/New_York)\./,
    effect: async ({ way, runs }) => {
      const zone = { slash: 'Europe/Berlin', mention: 'Asia/Tokyo', button: 'America/New_York' }[way];
      const shown = await runs('timezone');
      if (!shown.text.startsWith(`Your time zone is ${zone}.`)) throw new Error(shown.text);
    },
    refused: { who: 'outsider', line: 'timezone UTC' },
  },
  'accept-removals': {
    who: 'admin',
    slash: 'accept-removals',
    mention: 'accept-removals',
    button: (harness) => harness.tries('accept-removals'),
    answer: /^The management service’s lists are complete\. There’s nothing to accept\./,
    effect: async () => undefined,
    refused: { who: 'approver', line: 'accept-removals' },
  },
  pause: {
    who: 'admin',
    slash: 'pause because the data center moves',
    mention: 'pause because the data center moves',
    button: (harness) => harness.triesForm('pause', { reason: 'the data center moves' }),
    answer: /^⚠️ All changes are paused\.\n/,
    effect: paused,
    refused: { who: 'approver', line: 'pause because I say so' },
  },
};
