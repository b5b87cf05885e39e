/** Requests of each call when its answer is lost: writes are sent once, reads a few times. */
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { channelId, messageTs, personId, userGroupId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { listenOnLoopback } from '../../../src/sandbox/wire/listen.ts';
import { createClients } from '../../../src/slack/web-api/clients.ts';
import { createSlackWeb, type SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { loadingWindow } from '../../../src/views/kit/answer-window.ts';
import { perTest } from '../../harness/per-test.ts';
import { slackAt } from '../../harness/slack-at.ts';

/** A Slack that receives each request whole and then drops the connection. */
const slack = perTest(
  async () => {
    const requests: string[] = [];
    const { url, stop } = await listenOnLoopback((server) =>
      server.on('request', (request) => {
        request.resume();
        request.on('end', () => {
          requests.push(request.url ?? '');
          request.socket.destroy();
        });
      }),
    );
    const clients = createClients(slackAt(`${url}/api/`), silentLog);
    return { requests, web: createSlackWeb(clients, 0), stop };
  },
  ({ stop }) => stop(),
);

const C = channelId('C1');
const PLACE = { channel: C, ts: messageTs('1.000001') };
const WORDS = { text: 'hello', blocks: [] };
const CARD = { ...WORDS, metadata: { event_type: 'patchbay_card', event_payload: { key: 'notice:n1' } } };
const MODAL = loadingWindow(1);
const PART = { oldest: instant(1), latest: instant(2), cursor: null };

const ONCE = 1;
/** Once, and the client's two retries. */
const READ = 3;
/** Once, and a look, which has no answer either. */
const SOUGHT = ONCE + READ;

const CALLS: Readonly<Record<keyof SlackWeb, readonly [number, (web: SlackWeb) => Promise<unknown>]>> = {
  identity: [READ, (web) => web.identity()],
  post: [ONCE, (web) => web.post(C, CARD)],
  update: [ONCE, (web) => web.update(PLACE, CARD)],
  remove: [ONCE, (web) => web.remove(PLACE)],
  ephemeral: [ONCE, (web) => web.ephemeral(C, personId('U1'), WORDS)],
  say: [SOUGHT, (web) => web.say(C, WORDS)],
  edit: [SOUGHT, (web) => web.edit(PLACE, WORDS)],
  permalink: [READ, (web) => web.permalink(PLACE)],
  cardsInHistory: [READ, (web) => web.cardsInHistory(C, PART)],
  memberChannels: [READ, (web) => web.memberChannels()],
  privateChannelsWith: [READ, (web) => web.privateChannelsWith(personId('U1'))],
  isExternal: [READ, (web) => web.isExternal(C)],
  openDirect: [ONCE, (web) => web.openDirect(personId('U1'))],
  userGroupMembers: [READ, (web) => web.userGroupMembers(userGroupId('S1'))],
  timeZone: [READ, (web) => web.timeZone(personId('U1'))],
  isActive: [READ, (web) => web.isActive(personId('U1'))],
  showView: [ONCE, (web) => web.showView({ kind: 'open', triggerId: 't' }, MODAL)],
  unfurl: [ONCE, (web) => web.unfurl(PLACE, new Map())],
  sendFile: [ONCE, (web) => web.sendFile(C, { name: 'a.csv', text: 'a', comment: 'a' })],
  publishHome: [
    ONCE,
    (web) => web.publishHome(personId('U1'), { type: 'home', callback_id: 'home', blocks: [] }),
  ],
};

describe('a call whose answer is lost', () => {
  it.each(Object.entries(CALLS))('%s', async (name, [times, call]) => {
    const answer = await call(slack().web);
    expect(slack().requests).toHaveLength(times);
    if (name === 'permalink') expect(answer).toBeNull();
    else expect(answer).toMatchObject({ kind: 'uncertain' });
  });
});

it('a message that was tried before is not sent while nobody can look for it', async () => {
  const { web, requests } = slack();
  const tried = { key: 'press:t1', attempts: 1 };
  expect(await web.say(C, WORDS, undefined, tried)).toMatchObject({ kind: 'uncertain' });
  expect(requests).toEqual(Array(READ).fill('/api/conversations.history'));
});

describe('a Slack that nobody can reach', () => {
  it('was certainly sent nothing', async () => {
    const { web, stop } = slack();
    await stop();
    expect(await web.post(C, CARD)).toEqual({ kind: 'unsent', detail: 'the connection was refused' });
  });
});
