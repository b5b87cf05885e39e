/** Personal data in channels, whoever asks there. */
import { describe, expect, it } from 'vitest';
import { messageTs } from '../../../src/lib/ids.ts';
import { createShareAnswer } from '../../../src/slack/sharing/share-answer.ts';
import { renderView } from '../../../src/views/views.ts';
import { aReadyTarget, aRequest, someFacts } from '../../harness/records.ts';
import { noExternalChannels } from '../harness/open-access.ts';
import {
  createPersonalDataBot,
  leaks,
  OPERATOR,
  OPS,
  PRIVATE,
  PUBLIC,
  SERIAL,
  USER,
} from '../harness/personal-data-bot.ts';

describe('a channel', () => {
  const shared = async (isPersonal: (channel: typeof OPS) => boolean) => {
    const { dispatch } = createPersonalDataBot();
    const said: string[] = [];
    const say = async (_channel: typeof OPS, message: unknown) => {
      said.push(JSON.stringify(message));
      return { kind: 'ok', value: { channel: OPS, ts: messageTs('1.1') } } as const;
    };
    const share = createShareAnswer(dispatch, { say }, noExternalChannels, isPersonal);
    const caller = { person: OPERATOR, channel: OPS };
    for (const page of ['facts', 'hardware', 'network'])
      await share({ name: 'device', input: { device: 1001, page }, page: 0, caller, requestKey: 'k' });
    expect(said).toHaveLength(3);
    return leaks(said);
  };

  it('gets no personal data, even from people who may see it', async () => {
    expect(await shared(() => false)).toEqual([]);
  });

  it('that the configuration file names is shown it', async () => {
    expect(await shared((channel) => channel === OPS)).toEqual(
      expect.arrayContaining([USER, SERIAL, PRIVATE]),
    );
  });

  it('is shown on the card of a request that somebody was logged in, and not who', () => {
    const view = {
      kind: 'request',
      request: aRequest({ targets: [aReadyTarget(someFacts({ lastLoggedInUser: USER }))] }),
    } as const;
    const card = JSON.stringify(renderView({ ...view, shared: true }));
    expect(card).toContain('A user is logged in');
    expect(card).not.toContain(USER);
    expect(JSON.stringify(renderView(view))).toContain(USER);
  });

  it('is shown on the card of an edit how many addresses change, and not which', () => {
    const editable = { customName: null, exception: false, tags: [], addresses: [PUBLIC], intoGroup: null };
    const request = aRequest({
      action: { kind: 'device-edit', change: { addresses: [PRIVATE] } },
      targets: [aReadyTarget(someFacts({ editable }))],
    });
    const view = { kind: 'request', request } as const;
    const card = JSON.stringify(renderView({ ...view, shared: true }));
    expect(card).toContain('(hidden here)');
    expect(leaks([card])).toEqual([]);
    expect(leaks([JSON.stringify(renderView(view))])).toEqual([PUBLIC, PRIVATE]);
  });
});
