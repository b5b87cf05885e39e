/** The window in which a form was requested. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { channelId, messageTs, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createInFlight } from '../../../src/slack/dispatch/dispatch-port.ts';
import { createFormWindows, type FormPlacement } from '../../../src/slack/forms/open-form.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView } from '../../../src/slack/web-api/slack-web.ts';
import { type Modal, readAnswerWindowState } from '../../../src/views/kit/answer-window.ts';
import type { Problem } from '../../../src/views/model.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { withoutRecording } from '../harness/open-access.ts';
import { FORM_MARK } from './forms-harness.ts';

const CALLER = { person: personId('U0ANN'), channel: channelId('C0OPS'), thread: messageTs('1.000001') };
const OPEN: FormPlacement = { kind: 'open', triggerId: 't1' };
const NO_ROLE: Problem = { kind: 'not-allowed', need: 'operator', role: 'viewer', ask: [] };

/** Opens the form of `scan`; returns the windows in order, and the message instead, if any. */
async function opened(
  where: FormPlacement,
  {
    updates = [],
    refusal = null,
  }: { readonly updates?: readonly SlackResult<ShownView>[]; readonly refusal?: Problem | null },
) {
  const ends = [...updates];
  const windows: { readonly id: string; readonly view: Modal }[] = [];
  const { ports } = testPorts({ devices: [] });
  const { open } = createFormWindows({
    formMark: FORM_MARK,
    recordRefusal: withoutRecording,
    registry,
    rights: { refusal: async () => refusal },
    personal: { reading: async () => ports },
    settings: createFakeSettings(),
    web: {
      showView: async (where, view) => {
        if (where.kind !== 'replace')
          return { kind: 'ok', value: { id: where.kind === 'push' ? 'V2' : 'V1', hash: 'h' } };
        windows.push({ id: where.viewId, view });
        return ends.shift() ?? { kind: 'ok', value: { id: where.viewId, hash: 'h' } };
      },
    },
    inFlight: createInFlight(),
    root: '/fleet',
    log: silentLog,
  });
  const instead = await open(where, { command: 'scan', prefill: {}, caller: CALLER });
  return { windows, instead, last: JSON.stringify(windows.at(-1)?.view.blocks) };
}

describe('the window of a form', () => {
  it.each<[FormPlacement, string]>([
    [OPEN, 'V1'],
    [{ kind: 'push', triggerId: 't1', depth: 2 }, 'V2'],
    [{ kind: 'replace', viewId: 'V3', depth: 3 }, 'V3'],
  ])('becomes the form: %o', async (where, id) => {
    const { windows, instead } = await opened(where, {});
    expect(windows).toMatchObject([{ id, view: { callback_id: 'form' } }]);
    expect(instead).toBeNull();
  });

  it('says why there is none, and its buttons belong where the form was opened', async () => {
    const { windows, last, instead } = await opened(OPEN, { refusal: NO_ROLE });
    expect(last).toContain('`/fleet scan` needs the');
    const { channel, thread } = CALLER;
    expect(readAnswerWindowState(windows[0]?.view.private_metadata ?? '')).toEqual({
      depth: 1,
      channel,
      thread,
    });
    expect(instead).toBeNull();
  });

  it.each(['invalid_arguments', 'view_too_large'])(
    'does not stay at “Looking…” where Slack answers the form with: %s',
    async (error) => {
      const { windows, last, instead } = await opened(OPEN, { updates: [{ kind: 'refused', error }] });
      expect(windows).toHaveLength(2);
      expect(last).toContain('Couldn’t open the form for `scan`.');
      expect(instead).toBeNull();
    },
  );

  it.each<SlackResult<ShownView>>([
    { kind: 'throttled', retryAfterMs: 1_000 },
    { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
  ])('is left alone where Slack may show the form yet, and the way on is told: %o', async (fault) => {
    const { windows, instead } = await opened(OPEN, { updates: [fault] });
    expect(windows).toHaveLength(1);
    expect(instead).toMatchObject({ kind: 'fill-in', command: 'scan' });
  });

  it('that was closed tells nothing', async () => {
    const { windows, instead } = await opened(OPEN, { updates: [{ kind: 'refused', error: 'not_found' }] });
    expect(windows).toHaveLength(1);
    expect(instead).toBeNull();
  });
});
