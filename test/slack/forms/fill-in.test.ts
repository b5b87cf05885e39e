import type { RespondFn } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { createManualClock, SECOND } from '../../../src/lib/clock.ts';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { FormPlacement, FormRequest } from '../../../src/slack/forms/open-form.ts';
import { createTextCommands } from '../../../src/slack/interactions/text-commands.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import type { SlackError } from '../../../src/slack/web-api/slack-errors.ts';
import type { SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const FILL_IN: View = {
  kind: 'fill-in',
  command: 'reboot',
  prefill: { reason: 'x' },
  missing: 'Which device?',
  usage: 'reboot NAME|#ID',
  root: '/fleet',
};
const GONE: View = { kind: 'problem', problem: { kind: 'device-gone', query: 'web-01' } };
const payload = { user_id: 'U0ANN', channel_id: 'C0OPS', text: 'reboot because x', trigger_id: 't1' };

/** An incomplete slash command, whose form opens as `instead` says. */
function startTalk(instead: View | null) {
  const clock = createManualClock(START);
  const opened: { readonly where: FormPlacement; readonly asked: FormRequest }[] = [];
  const notified: string[] = [];
  const answers: (() => void)[] = [];
  const { onSlashCommand } = createTextCommands({
    dispatch: { runText: () => new Promise((resolve) => answers.push(() => resolve(FILL_IN))) },
    replies: createPrivateReplies({ web: createFakeSlackWeb(clock.now), log: silentLog }),
    openForm: async (where, requests) => {
      opened.push({ where, asked: requests });
      return instead;
    },
    identity: { botUserId: personId('U0BOT') },
    root: '/fleet',
    clock,
  });
  const respond: RespondFn = async (message) => {
    notified.push(typeof message === 'string' ? message : (message.text ?? ''));
    return new Response('ok');
  };
  return {
    clock,
    opened,
    told: notified,
    asks: () => onSlashCommand(null, payload, respond),
    answer: () => answers.shift()?.(),
  };
}

describe('a slash command that lacks something', () => {
  it('opens its form with its own trigger, and gets no other answer', async () => {
    const { opened, told, asks, answer } = startTalk(null);
    const done = asks();
    answer();
    await done;
    const caller = { person: 'U0ANN', channel: 'C0OPS' };
    expect(opened).toEqual([
      {
        where: { kind: 'open', triggerId: 't1' },
        asked: { command: 'reboot', prefill: { reason: 'x' }, caller },
      },
    ]);
    expect(told).toEqual([]);
  });

  it.each([
    ['by a button where no window opened', { ...FILL_IN, missing: null } as const, 'Which device?'],
    ['by what was wrong', GONE, 'web-01'],
  ])('is answered %s', async (_what, instead, words) => {
    const { told, asks, answer } = startTalk(instead);
    const done = asks();
    answer();
    await done;
    expect(told).toEqual([expect.stringContaining(words)]);
  });

  it('sends an answer after every notice', async () => {
    const { clock, told, asks, answer } = startTalk(null);
    const done = asks();
    await clock.advance(5 * SECOND);
    answer();
    await done;
    expect(told).toEqual([
      expect.stringMatching(/^This took longer/),
      expect.stringContaining('Which device?'),
    ]);
  });
});

describe('a private answer', () => {
  const caller = { person: personId('U0ANN'), channel: channelId('C0OPS') };
  const said = async (fault: SlackError) => {
    const calls: string[] = [];
    const fake = createFakeSlackWeb(() => START);
    const web: SlackWeb = {
      ...fake,
      ephemeral: async () => fault,
      say: (channel, message) => {
        calls.push(channel);
        return fake.say(channel, message);
      },
    };
    await createPrivateReplies({ web, log: silentLog }).ephemeral(caller)(GONE);
    return calls;
  };

  it.each(['not_in_channel', 'channel_not_found', 'user_not_in_channel', 'is_archived'])(
    'goes to the direct message where the channel takes none: %s',
    async (error) => {
      expect(await said({ kind: 'refused', error })).toEqual(['DU0ANN']);
    },
  );

  it('is not sent twice where it may have been shown', async () => {
    expect(await said({ kind: 'uncertain', detail: 'lost', inFlight: false })).toEqual([]);
  });
});
