/** The form in which the requester adds a reason: the answer to its submission. */
import { beforeEach, describe, expect, it } from 'vitest';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { AddReasonResult } from '../../../src/requests/decide/request-service.ts';
import { createReasonForm, type ReasonFormOptions } from '../../../src/slack/interactions/button-actions.ts';
import type { FormAckResponse, SendReply } from '../../../src/slack/replies/private-replies.ts';
import type { SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const refuses = async () => Promise.reject(new Error('nothing of this is asked for here'));

const aView = (id: string, reason = 'kernel update') => ({
  id,
  callback_id: 'reason',
  private_metadata: 'r_1',
  root_view_id: 'V0',
  previous_view_id: 'V0',
  state: { values: { reason: { reason: { value: reason } } } },
});

/** Submits the form; `addReason` is that of the requests, and `stored` the request that it is about. */
async function submitted(
  addReason: ReasonFormOptions['requests']['addReason'],
  { reason = 'kernel update', stored = aRequest() } = {},
): Promise<FormAckResponse | undefined> {
  const { submit } = createReasonForm({
    requests: { addReason },
    ports: { records: createFakeRecords({ requests: [stored] }) },
    web: createFakeSlackWeb(() => START),
    refreshNote: refuses,
    log: silentLog,
  });
  const answers: (FormAckResponse | undefined)[] = [];
  await submit(
    { user: { id: 'U0ANN' }, view: aView('V2', reason) },
    async (answer) => void answers.push(answer),
  );
  expect(answers).toHaveLength(1);
  return answers[0];
}

const wordsOf = (answer: FormAckResponse | undefined) =>
  answer?.kind === 'window' ? JSON.stringify(answer.window.blocks) : `${answer?.kind}`;

describe('a reason that is added', () => {
  it('is confirmed in the window of the form', async () => {
    const request = aRequest({ reason: 'kernel update' });
    const answer = await submitted(async () => ({ kind: 'added', request }), { stored: request });
    expect(wordsOf(answer)).toContain('Reason added to your request');
    expect(answer).toMatchObject({ window: { close: { text: 'Back' } } });
  });

  describe('refreshes the note from which the form was opened', () => {
    const NOTE = { kind: 'posted', channel: channelId('C0OPS') } as const;
    const request = aRequest({ reason: 'kernel update' });
    const asked = { person: personId('U0ANN'), approval: request.id };
    const said: unknown[] = [];
    const tell: SendReply = async (...told) => void said.push(told);
    const web = createFakeSlackWeb(() => START);
    const reasonsWith = (showView: SlackWeb['showView']) =>
      createReasonForm({
        requests: { addReason: async () => ({ kind: 'added', request }) },
        ports: { records: createFakeRecords({ requests: [request] }) },
        web: { showView },
        refreshNote: async () => NOTE,
        log: silentLog,
      });
    const submission = { user: { id: 'U0ANN' }, view: aView('V1') };
    beforeEach(() => {
      said.length = 0;
    });

    it('once', async () => {
      const { open, submit } = reasonsWith(web.showView);
      await open({ kind: 'open', triggerId: 't1' }, asked, tell);
      await submit(submission, async () => undefined);
      await submit(submission, async () => undefined);
      expect(said).toEqual([[NOTE, { replace: true }]]);
    });

    it('also where it is submitted before Slack says that it is open', async () => {
      const { open, submit } = reasonsWith(async (...view) => {
        await submit(submission, async () => undefined);
        return web.showView(...view);
      });
      await open({ kind: 'open', triggerId: 't1' }, asked, tell);
      expect(said).toEqual([[NOTE, { replace: true }]]);
    });
  });

  it('must say something', async () => {
    expect(await submitted(refuses, { reason: '  ' })).toEqual({
      kind: 'errors',
      errors: { reason: 'Enter a reason.' },
    });
  });

  const denied = aRequest({ state: 'denied' });
  const already = { kind: 'already', state: 'denied', by: personId('UAPPROVER'), at: START } as const;

  it.each<[string, Exclude<AddReasonResult, { kind: 'added' }>]>([
    ['Already denied by <@UAPPROVER>', { kind: 'refused', refusal: already }],
    [
      'already has a reason: `R&amp;D`',
      { kind: 'refused', refusal: { kind: 'reason-given', reason: 'R&D' } },
    ],
    ['Only the requester', { kind: 'refused', refusal: { kind: 'not-requester' } }],
    ['no longer exists', { kind: 'absent' }],
  ])(
    'and cannot be any more takes the place of the form, for fields know no markup: %s',
    async (words, result) => {
      const answer = await submitted(async () => result, { stored: denied });
      expect(wordsOf(answer)).toContain(words);
    },
  );

  it('by a fault of ours stays in the form, with a reference for the log', async () => {
    const answer = await submitted(refuses);
    expect(answer).toEqual({
      kind: 'errors',
      errors: { reason: expect.stringMatching(/Unexpected error \(reference \S+\).*may or may not/) },
    });
  });
});
