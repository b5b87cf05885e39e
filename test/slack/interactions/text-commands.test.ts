import { describe, expect, it } from 'vitest';
import { mentionedCommand, unwrapSlackText } from '../../../src/commands/parser/slack-text.ts';
import { createManualClock, type Instant, SECOND } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTextCommands } from '../../../src/slack/interactions/text-commands.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import type { SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const BOT = personId('U0BOT');
const HELP: View = {
  kind: 'help',
  sections: [],
  withheld: 0,
  refusal: null,
  root: '/fleet',
  topic: null,
  attempt: null,
};

/** A person and a bot whose answers the test releases. */
function startTalk() {
  const clock = createManualClock(START);
  const requests: { readonly text: string; readonly key: string; readonly askedAt?: Instant }[] = [];
  const calls: string[] = [];
  const answers: ((view: View) => void)[] = [];
  const fake = createFakeSlackWeb(clock.now);
  const heard = <T>(name: string, call: Promise<T>): Promise<T> => {
    calls.push(name);
    return call;
  };
  const web: SlackWeb = {
    ...fake,
    ephemeral: (channel, person, message, thread) =>
      heard(
        `ephemeral ${message.text.slice(0, 8)} in ${thread ?? 'the channel'}`,
        fake.ephemeral(channel, person, message, thread),
      ),
    say: (...said) => heard(`say ${said[1].text.slice(0, 8)}`, fake.say(...said)),
    edit: (...edited) => heard(`edit ${edited[1].text.slice(0, 8)}`, fake.edit(...edited)),
  };
  const runText = (typed: string, _caller: unknown, key: string, askedAt?: Instant): Promise<View> => {
    requests.push({ text: typed, key, ...(askedAt === undefined ? {} : { askedAt }) });
    return new Promise((resolve) => answers.push(resolve));
  };
  const replies = createPrivateReplies({ web, log: silentLog });
  const { onMessage } = createTextCommands({
    dispatch: { runText },
    replies,
    openForm: async () => null,
    identity: { botUserId: BOT },
    root: '/fleet',
    clock,
    consoleUrl: 'https://console.example.com/device/{id}',
  });
  return { clock, asked: requests, calls, spoken: onMessage, answer: () => answers.shift()?.(HELP) };
}

const event = (fields: object, id = 'Ev1') => ({
  event_id: id,
  event: { type: 'app_mention', channel: 'C0OPS', user: 'U0VIEWER', text: '<@U0BOT> help', ...fields },
});
const DIRECT = { type: 'message', channel_type: 'im', channel: 'D0VIEWER', text: 'help' };

describe('what is said to the bot', () => {
  it.each([
    ['a mention', {}],
    ['a mention with a file', { subtype: 'file_share' }],
    ['a direct message', DIRECT],
  ])('%s is asked by the name of its event, which a second process finds again', async (_what, fields) => {
    for (const { spoken, asked, answer } of [startTalk(), startTalk()]) {
      const done = spoken(event(fields));
      answer();
      await done;
      expect(asked).toEqual([{ text: 'help', key: 'event:Ev1' }]);
    }
  });

  it('counts from when it was sent, however late Slack delivers it', async () => {
    const { spoken, asked, answer } = startTalk();
    const done = spoken({ ...event({}), event_time: 1_795_000_000 });
    answer();
    await done;
    expect(asked).toEqual([{ text: 'help', key: 'event:Ev1', askedAt: 1_795_000_000_000 }]);
  });

  it.each([
    ['a link to a device, and nothing else', '<https://console.example.com/device/42>', 'device #42'],
    [
      'a link with words',
      '<https://console.example.com/device/42> reboot',
      'https://console.example.com/device/42 reboot',
    ],
    ['a link to something else', '<https://console.example.com/x>', 'https://console.example.com/x'],
  ])('%s in a direct message is read as it is meant', async (_what, text, expected) => {
    const { spoken, asked, answer } = startTalk();
    const done = spoken(event({ ...DIRECT, text }));
    answer();
    await done;
    expect(asked.map((one) => ('text' in one ? one.text : '')).map(unwrapSlackText)).toEqual([expected]);
  });

  it.each([
    ['of another bot', { bot_id: 'B0OTHER' }],
    ['of its own', { user: 'U0BOT' }],
    ['of nobody', { user: undefined }],
    ['that was edited', { edited: { user: 'U0VIEWER', ts: '1.1' } }],
    ['that tells of an edit or of an unfurled link', { ...DIRECT, subtype: 'message_changed' }],
    ['that tells of a deletion', { ...DIRECT, subtype: 'message_deleted' }],
    ['in a channel without a mention', { ...DIRECT, channel_type: 'channel' }],
  ])('a message %s is passed over', async (_what, fields) => {
    const { spoken, asked, calls } = startTalk();
    await spoken(event(fields));
    expect({ asked, calls }).toEqual({ asked: [], calls: [] });
  });

  it('runs once where it is delivered twice', async () => {
    const { spoken, asked, calls, answer } = startTalk();
    const done = Promise.all([spoken(event({})), spoken(event({}))]);
    answer();
    await done;
    expect(asked).toHaveLength(1);
    expect(calls).toEqual(['ephemeral What you in the channel']);
  });
});

describe('an answer', () => {
  it('within a second is one call, in the thread of the question', async () => {
    const { spoken, calls, clock, answer } = startTalk();
    const done = spoken(event({ thread_ts: '7.000001' }));
    await clock.advance(SECOND - 1);
    answer();
    await done;
    await clock.advance(SECOND);
    expect(calls).toEqual(['ephemeral What you in 7.000001']);
  });

  it.each([
    ['a mention', {}, 5, ['ephemeral This too in the channel', 'ephemeral What you in the channel']],
    ['a direct message', DIRECT, 1, ['say Looking…', 'edit What you']],
  ])('to %s that takes longer is announced', async (_what, fields, seconds, expected) => {
    const { spoken, calls, clock, answer } = startTalk();
    const done = spoken(event(fields));
    await clock.advance(seconds * SECOND - 1);
    expect(calls).toEqual([]);
    await clock.advance(1);
    answer();
    await done;
    expect(calls).toEqual(expected);
  });
});

describe('the command in a message', () => {
  it.each([
    ['<@U0BOT> device web-01', false, 'device web-01'],
    ['  <@U0BOT|patchbay>: device web-01 ', false, 'device web-01'],
    ['<@U0BOT>', false, ''],
    ['<@U0OTHER> <@U0BOT> reboot web-01', false, ''],
    ['I told <@U0BOT> reboot web-01', false, ''],
    ['<@U0BOT> /fleet device web-01', false, 'device web-01'],
    ['device web-01', true, 'device web-01'],
    ['<@U0BOT> device web-01', true, 'device web-01'],
    ['`/fleet-device web-01`', true, 'device web-01'],
    ['/fleet', true, ''],
    ['/fleets', true, '/fleets'],
  ])('%j (direct: %j) is %j', (text, isDirect, command) => {
    expect(mentionedCommand(text, { botUserId: BOT, isDirect, root: '/fleet' })).toBe(command);
  });
});
